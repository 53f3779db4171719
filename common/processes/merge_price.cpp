#include "common/processes/merge_price.hpp"

#include <algorithm>

namespace trilane {

namespace {

template <typename Value>
void append(std::vector<Value>& list, const std::vector<Value>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

void append(Price& price, const Price& more) {
  append(price.setup_us, more.setup_us);
  append(price.priming_us, more.priming_us);
  append(price.teardown_us, more.teardown_us);
  append(price.device_bytes, more.device_bytes);
  for (std::size_t i = 0; i < price.phases.size(); ++i) {
    append(price.phases[i].values, more.phases[i].values);
  }
  price.passes_us.resize(std::min(price.passes_us.size(), more.passes_us.size()));
  for (std::size_t i = 0; i < price.passes_us.size(); ++i) {
    append(price.passes_us[i], more.passes_us[i]);
  }
}

}  // namespace

std::optional<Price> merged(std::span<const Price* const> prices) {
  if (prices.empty()) return std::nullopt;
  Price price = *prices.front();
  for (const Price* more : prices.subspan(1)) {
    if (std::ranges::equal(more->phases, price.phases, {}, &Series::name, &Series::name)) {
      append(price, *more);
    }
  }
  return price;
}

}  // namespace trilane
