#include "common/application/finding/calls/variation.hpp"

#include <algorithm>
#include <utility>

namespace trilane {
namespace {

/// Returns true if the values follow that cycle, from any place in it.
bool go_round(std::span<const std::uint64_t> values, std::span<const std::uint64_t> turn) {
  for (std::size_t place = 0; place < turn.size(); ++place) {
    std::size_t same = 0;
    while (same < values.size() && values[same] == turn[(place + same) % turn.size()]) ++same;
    if (same == values.size()) return true;
  }
  return false;
}

}  // namespace

Variation variation_of(std::span<const std::uint64_t> values,
                       std::span<const std::uint64_t> later) {
  if (later.size() > values.size()) std::swap(values, later);
  if (values.empty()) return Variation::constant;
  const std::size_t most = std::max<std::size_t>(1, values.size() / 2);
  for (std::size_t length = 1; length <= most; ++length) {
    const auto turn = values.first(length);
    if (!go_round(values, turn) || !go_round(later, turn)) continue;
    return length == 1 ? Variation::constant : Variation::alternates;
  }
  return Variation::changes;
}

}  // namespace trilane
