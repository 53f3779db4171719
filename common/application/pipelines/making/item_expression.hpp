// Finds expressions of a chunk's items that have the recorded values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace trilane {

/// A number of each chunk: its value in every chunk but the last, and in the last.
struct ChunkNumber {
  std::uint64_t value = 0, last = 0;
};

/// Returns the plain number if it is the same in all chunks though `items` are not; otherwise "n",
/// "n * 3", "n / 4" or "ceil(n / 256)", whichever has both values. If all chunks have one size, a
/// number that is not a multiple of the items stays plain. Absent if nothing fits.
std::optional<std::string> expression_of(ChunkNumber number, ChunkNumber items);

/// Does the same for the blocks of a grid, but prefers "ceil(n / threads)" and multiples of
/// `threads`.
std::optional<std::string> grid_expression_of(ChunkNumber blocks, ChunkNumber items,
                                              std::uint64_t threads);

}  // namespace trilane
