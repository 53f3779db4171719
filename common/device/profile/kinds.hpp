// Kinds of operations and sizes of kernels, the keys of costs in a device profile.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// The first four are the pipeline's stages, and index the profile's tables.
enum class Kind : std::uint8_t {
  copy_in,
  memset,
  kernel,
  copy_out,
  copy_within,  ///< from device to device
  host_function,
  allocate,  ///< stream-ordered, or an allocation node
  release,
};

/// The number of kinds in the profile's tables.
inline constexpr std::size_t stage_kinds = 4;

/// Their names in the tables of a file.
inline constexpr std::array<const char*, stage_kinds> stage_names{"copy in", "memset", "kernel",
                                                                  "copy out"};

/// Returns the index of a stage's kind in the tables.
constexpr std::size_t index_of(Kind stage) { return static_cast<std::size_t>(stage); }

/// The stages' kinds in the order of the tables.
inline constexpr std::array<Kind, stage_kinds> all_stages{Kind::copy_in, Kind::memset, Kind::kernel,
                                                          Kind::copy_out};

/// The size of a kernel, on which its cost depends.
struct KernelSize {
  bool reduces = false;       ///< fewer outputs than inputs: atomic additions
  std::uint64_t words = 0;    ///< input elements
  std::uint64_t outputs = 0;  ///< output elements
  std::uint64_t blocks = 0;   ///< in the grid
  std::uint32_t rounds = 0;   ///< of mix per element; 0: only moves bytes
  bool operator==(const KernelSize&) const = default;
};

/// The time of a kernel alone, in microseconds, and its share of the SMs beside others, at most 1.
struct KernelTime {
  double us, share;
};

}  // namespace trilane
