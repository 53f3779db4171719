#include "common/application/pipelines/making/recorded_pipeline.hpp"

#include <bit>

#include "common/base/text/cpp_names.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/model/workload/file/fields.hpp"
#include "common/model/workload/knobs.hpp"
#include "common/model/workload/pipeline/element.hpp"

namespace trilane {

namespace {

std::uint64_t ceil_of(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

bool is_ceil(ChunkNumber number, ChunkNumber items, std::uint64_t by) {
  return ceil_of(items.value, by) == number.value && ceil_of(items.last, by) == number.last;
}

std::string ceil_by(std::uint64_t by) { return fmt::format("ceil(n / {})", by); }

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

Element integer_of(std::uint64_t bytes) {
  if (bytes == 1) return Element::uint8;
  if (bytes == 2) return Element::uint16;
  return bytes == 4 ? Element::int32 : Element::uint64;
}

Argument constant(std::uint64_t bits, Element element) {
  Argument argument{.kind = ArgumentKind::value, .element = element};
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

class KernelMaker {
 public:
  KernelMaker(const ChunkedIteration& chunked, const ChunkStage& stage, ChunkNumber items,
              const std::set<std::uint32_t>& written)
      : chunked_(chunked), stage_(stage), items_(items), written_(written) {}

  PipelineKernel made() const {
    const RecordedCall& call = chunked_.call_of(stage_, 0);
    const RecordedKernel& recorded = chunked_.recording().kernels[call.kernel];
    require_at_most(most_arguments, recorded.parameters.size(),
                    fmt::format("arguments of kernel {}", qualified_name(recorded.name)));
    PipelineKernel made;
    KernelSpec& kernel = made.kernel;
    kernel.name = printable(qualified_name(recorded.name), most_long_name);
    put_shape(kernel);
    kernel.shared = fmt::to_string(call.shared_bytes);
    kernel.time_us = std::min(call.device_us.value_or(0), max_kernel_time_us);
    std::vector<Argument> arguments = pointers();
    const std::vector<std::uint32_t>& places = chunked_.first_of(stage_).parameters;
    for (std::uint32_t i = 0; i < recorded.parameters.size(); ++i) {
      const auto pointer = std::ranges::find(places, i);
      std::optional<Argument> argument;
      Element element = Element::uint64;
      if (pointer != places.end()) {
        argument = arguments[static_cast<std::size_t>(pointer - places.begin())];
      } else {
        element = chunked_.types[call.kernel][i].element.value_or(
            integer_of(recorded.parameters[i].bytes));
        argument = number(i, element);
      }
      made.unknown.push_back(!argument);
      Argument missing{.element = element};
      kernel.arguments.push_back(argument ? std::move(*argument) : std::move(missing));
    }
    return made;
  }

 private:
  void put_shape(KernelSpec& kernel) const {
    const RecordedCall& call = chunked_.call_of(stage_, 0);
    const RecordedCall& last = chunked_.call_of(stage_, chunked_.chains.size() - 1);
    std::size_t dimensions = 3;
    while (dimensions > 1 && call.grid[dimensions - 1] == 1 && last.grid[dimensions - 1] == 1 &&
           call.block[dimensions - 1] == 1) {
      --dimensions;
    }
    for (std::size_t i = 0; i < dimensions; ++i) {
      const ChunkNumber blocks{call.grid[i], last.grid[i]};
      const auto grid = i == 0 ? grid_expression_of(blocks, items_, call.block[i])
                               : expression_of(blocks, items_);
      if (!grid) {
        chunked_.refuse_last(
            stage_, fmt::format("no expression of n gives a grid of {} for n = {} and of {} for "
                                "n = {}, in the last chunk",
                                blocks.value, items_.value, blocks.last, items_.last));
      }
      kernel.grid.push_back(*grid);
      kernel.block.push_back(fmt::to_string(call.block[i]));
    }
  }

  std::vector<Argument> pointers() const {
    const ChunkOperation& first = chunked_.first_of(stage_);
    const auto& types = chunked_.types[chunked_.operations.call_of(first).kernel];
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < stage_.buffers.size(); ++i) {
      const std::uint32_t buffer = stage_.buffers[i];
      const bool is_const = types[first.parameters[i]].is_const,
                 written = written_.contains(buffer);
      if (is_const && !written) {
        chunked_.operations.refuse(
            first, fmt::format("argument {} points to memory that it only reads and that nothing "
                               "in its chunk has written",
                               first.parameters[i] + 1));
      }
      arguments.push_back({.kind = is_const  ? ArgumentKind::in
                                   : written ? ArgumentKind::inout
                                             : ArgumentKind::out,
                           .buffer = buffer});
    }
    return arguments;
  }

  /// Returns what a parameter that is a number stands for: the items, an expression of them, the
  /// chunk's number or offset, or a constant. Absent if the recording does not hold its values or
  /// nothing matches them all. `element` is its type.
  std::optional<Argument> number(std::uint32_t parameter, Element element) const {
    std::vector<std::uint64_t> values;
    for (const std::size_t operation : stage_.operations) {
      const auto bits = value(chunked_.operations[operation].call, parameter);
      if (!bits) return std::nullopt;
      values.push_back(*bits);
    }
    if (!is_floating(element)) return whole(values, element);
    const bool same = std::ranges::count(values, values.front()) == std::ssize(values);
    return same ? std::optional(constant(values.front(), element)) : std::nullopt;
  }

  std::optional<std::uint64_t> value(std::size_t call, std::size_t parameter) const {
    if (!chunked_.recording().data) return std::nullopt;
    const auto wanted = std::pair{call, parameter};
    const auto& values = chunked_.recording().data->values;
    const auto place = [](const RecordedValue& value) {
      return std::pair{std::size_t{value.call}, std::size_t{value.parameter}};
    };
    const auto found = std::ranges::lower_bound(values, wanted, {}, place);
    if (found == values.end() || place(*found) != wanted) return std::nullopt;
    return found->bits;
  }

  std::optional<Argument> whole(const std::vector<std::uint64_t>& values, Element element) const {
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
    if (even && std::max(number.value, number.last) <= std::min(max_size, most_whole(element))) {
      if (auto expression = expression_of(number, items_)) {
        return Argument{
            .kind = ArgumentKind::size, .expression = std::move(*expression), .element = element};
      }
    }
    if (fits([](std::size_t chunk) { return chunk; })) {
      return Argument{.kind = ArgumentKind::chunk_number, .element = element};
    }
    if (fits([&](std::size_t chunk) { return chunk * items_.value; })) {
      return Argument{.kind = ArgumentKind::chunk_offset, .element = element};
    }
    return std::nullopt;
  }

  const ChunkedIteration& chunked_;
  const ChunkStage& stage_;
  ChunkNumber items_;
  const std::set<std::uint32_t>& written_;
};

}  // namespace

std::optional<std::string> expression_of(ChunkNumber number, ChunkNumber items) {
  const bool even = items.value == items.last;
  if (!even && number.value == number.last) return fmt::to_string(number.value);
  const std::uint64_t factor = number.value / items.value;
  if (factor > 0 && number.value == factor * items.value && number.last == factor * items.last) {
    return factor == 1 ? "n" : fmt::format("n * {}", factor);
  }
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

PipelineKernel pipeline_kernel(const ChunkedIteration& chunked, const ChunkStage& stage,
                               ChunkNumber items, const std::set<std::uint32_t>& written) {
  return KernelMaker(chunked, stage, items, written).made();
}

}  // namespace trilane
