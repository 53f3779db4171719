#include "common/application/pipelines/making/chunk_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "common/application/pipelines/making/parameter_types.hpp"
#include "common/model/workload/pipeline/element_range.hpp"
#include "common/model/workload/pipeline/extents.hpp"

namespace trilane {
namespace {

/// Returns the bits of a whole number as Argument::whole keeps them.
std::uint64_t extended(std::uint64_t bits, Element element) {
  const bool negative = is_signed(element) && bits > most_whole(element);
  return negative && size_of(element) < 8 ? bits | ~std::uint64_t{0} << 8 * size_of(element) : bits;
}

/// Returns a floating-point number if JSON can state it; others are passed by their bits.
std::optional<double> floating(std::uint64_t bits, Element element) {
  double value = NAN;
  if (element == Element::float32) value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (element == Element::float64) value = std::bit_cast<double>(bits);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Argument constant(std::uint64_t bits, Element element) {
  Argument argument{.kind = ArgumentKind::value, .expression = {}, .element = element};
  if (is_floating(element)) {
    if (const auto value = floating(bits, element)) {
      argument.value = *value;
      return argument;
    }
    argument.element = integer_of(size_of(element));
  }
  argument.whole = extended(bits, argument.element);
  return argument;
}

Argument size(std::string expression, Element element) {
  return {.kind = ArgumentKind::size, .expression = std::move(expression), .element = element};
}

}  // namespace

std::optional<std::uint64_t> ChunkValues::value(const ChunkStage& stage, std::size_t chunk,
                                                std::uint32_t parameter) const {
  if (!recording_.data) return std::nullopt;
  const auto wanted = std::pair{operations_[stage.operations[chunk]].call, std::size_t{parameter}};
  const auto& values = recording_.data->values;
  const auto place = [](const RecordedValue& value) {
    return std::pair{std::size_t{value.call}, std::size_t{value.parameter}};
  };
  const auto found = std::ranges::lower_bound(values, wanted, {}, place);
  if (found == values.end() || place(*found) != wanted) return std::nullopt;
  return found->bits;
}

std::optional<Argument> ChunkValues::argument(const ChunkStage& stage, std::uint32_t parameter,
                                              Element element) const {
  std::vector<std::uint64_t> values;
  for (std::size_t chunk = 0; chunk < stage.operations.size(); ++chunk) {
    const auto bits = value(stage, chunk, parameter);
    if (!bits) return std::nullopt;
    values.push_back(*bits);
  }
  if (!is_floating(element)) return whole(values, element);
  const bool same = std::ranges::count(values, values.front()) == std::ssize(values);
  return same ? std::optional(constant(values.front(), element)) : std::nullopt;
}

std::optional<Argument> ChunkValues::whole(const std::vector<std::uint64_t>& values,
                                           Element element) const {
  const ChunkNumber number{values.front(), values.back()};
  const auto fits = [&](auto expected) {
    for (std::size_t chunk = 0; chunk < values.size(); ++chunk) {
      if (values[chunk] != expected(chunk)) return false;
    }
    return true;
  };
  const bool even = fits(
      [&](std::size_t chunk) { return chunk + 1 == values.size() ? number.last : number.value; });
  const bool same = even && number.value == number.last;
  if (same && number.value != items_.value) return constant(number.value, element);
  if (even && std::max(number.value, number.last) <= std::min(most_extent, most_whole(element))) {
    if (auto expression = expression_of(number, items_)) {
      return size(std::move(*expression), element);
    }
  }
  if (fits([](std::size_t chunk) { return chunk; })) {
    return Argument{.kind = ArgumentKind::chunk_number, .expression = {}, .element = element};
  }
  if (fits([&](std::size_t chunk) { return chunk * items_.value; })) {
    return Argument{.kind = ArgumentKind::chunk_offset, .expression = {}, .element = element};
  }
  return std::nullopt;
}

}  // namespace trilane
