// The presets of the plain programs.
#pragma once

#include <cstring>
#include <optional>
#include <sstream>

#include "tests/truth/shapes.hpp"

namespace plain {

inline constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB;
inline constexpr Preset presets[] = {
    {"launch", 64, 4 * KiB, 4 * KiB, 4, 4, 1},     {"transfer", 32, 8 * MiB, 8 * MiB, 4, 1, 1},
    {"balanced", 16, 1 * MiB, 1 * MiB, 4, 1, 400}, {"compute", 8, 2 * MiB, 2 * MiB, 4, 1, 5000},
    {"reduce", 16, 4 * MiB, 4 * KiB, 4, 1, 1},     {"search", 2, 16 * KiB, 4 * KiB, 2, 1, 112000},
};

/// Returns the preset of that name, or a shape "CHUNKS,IN_BYTES,OUT_BYTES,LANES,DEPTH,ROUNDS";
/// nothing if it is neither.
inline std::optional<Preset> preset_of(const char* words) {
  for (const Preset& preset : presets) {
    if (std::strcmp(words, preset.name) == 0) return preset;
  }
  std::istringstream numbers(words);
  std::uint64_t values[6];
  for (std::uint64_t& value : values) {
    char comma = ',';
    if (&value != values) numbers >> comma;
    if (!(numbers >> value) || comma != ',' || value == 0 || value > 1 << 30) return {};
  }
  const auto [chunks, in, out, lanes, depth, rounds] = values;
  if (!numbers.eof() || in % 4 != 0 || out % 4 != 0 || out > in || lanes > chunks) return {};
  return Preset{words,           unsigned(chunks), in, out, unsigned(lanes),
                unsigned(depth), unsigned(rounds)};
}

}  // namespace plain
