// Checks the output of a pass, buffer by buffer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "common/model/workload/steps/buffer_layout.hpp"

namespace trilane {

/// Elements of one output buffer that differ from the expected ones.
struct Difference {
  std::uint32_t buffer = 0;
  std::uint64_t elements = 0, of = 0;  ///< that differ, of all
  std::uint32_t chunk = 0;             ///< of the first one
  std::uint64_t element = 0;           ///< of the first one, in its chunk
  std::uint64_t bytes = 0;             ///< that differ
};

/// Returns the first buffer that differs, by its Check; absent if all are right. `workload` must
/// have a pipeline file.
std::optional<Difference> difference(const Workload& workload, const std::byte* got,
                                     const std::byte* expected);

/// Returns "wrong data in "result": 12 of 4096 elements, the first in chunk 3 at 17: 1.5 instead of
/// 2.5".
std::string in_words(const Difference& difference, const Workload& workload, const std::byte* got,
                     const std::byte* expected);

/// Checks output memory between chunks and buffers, which a pass must leave as poison() made it.
/// Returns the number of bytes that it wrote there, and sets them all to the expected ones, so that
/// compare() sees only the chunks.
std::uint64_t take_gaps(const Workload& workload, std::byte* got, const std::byte* expected);

}  // namespace trilane
