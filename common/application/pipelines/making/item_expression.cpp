#include "common/application/pipelines/making/item_expression.hpp"

#include <fmt/format.h>

namespace trilane {
namespace {

std::uint64_t ceil_of(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

bool is_ceil(ChunkNumber number, ChunkNumber items, std::uint64_t by) {
  return ceil_of(items.value, by) == number.value && ceil_of(items.last, by) == number.last;
}

bool is_product(ChunkNumber number, ChunkNumber items, std::uint64_t by) {
  return number.value % by == 0 && number.last % by == 0 && number.value / by == items.value &&
         number.last / by == items.last;
}

std::string ceil_by(std::uint64_t by) { return fmt::format("ceil(n / {})", by); }

std::string product_by(std::uint64_t by) { return by == 1 ? "n" : fmt::format("n * {}", by); }

}  // namespace

std::optional<std::string> expression_of(ChunkNumber number, ChunkNumber items) {
  const bool even = items.value == items.last;
  if (!even && number.value == number.last) return fmt::to_string(number.value);
  const std::uint64_t factor = number.value / items.value;
  if (factor > 0 && is_product(number, items, factor)) return product_by(factor);
  if (even) {
    return number.value == number.last ? std::optional(fmt::to_string(number.value)) : std::nullopt;
  }
  if (number.value == 0) return std::nullopt;
  const std::uint64_t divisor = items.value / number.value;
  if (divisor > 0 && items.value / divisor == number.value && items.last / divisor == number.last) {
    return fmt::format("n / {}", divisor);
  }
  for (const std::uint64_t by : {ceil_of(items.value, number.value), divisor}) {
    if (by > 0 && is_ceil(number, items, by)) return ceil_by(by);
  }
  return std::nullopt;
}

std::optional<std::string> grid_expression_of(ChunkNumber blocks, ChunkNumber items,
                                              std::uint64_t threads) {
  constexpr std::uint64_t most_items_of_a_thread = 64;
  if (blocks.value == blocks.last && blocks.value == 1) return "1";
  for (std::uint64_t each = 1; each <= most_items_of_a_thread; each *= 2) {
    if (is_ceil(blocks, items, threads * each)) return ceil_by(threads * each);
  }
  return expression_of(blocks, items);
}

}  // namespace trilane
