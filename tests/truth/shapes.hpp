// The presets and the launch shapes of the plain programs, in plain C++.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>

namespace plain {

/// A pass: `chunks` chunks of `in_bytes`, each with a result of `out_bytes`, dealt to `lanes`
/// lanes; `depth` kernels of `rounds` rounds on each chunk.
struct Preset {
  const char* name;
  unsigned chunks;
  std::uint64_t in_bytes, out_bytes;
  unsigned lanes, depth, rounds;

  std::uint64_t in_words() const { return in_bytes / 4; }
  std::uint64_t out_words() const { return out_bytes / 4; }
  std::uint64_t all_in() const { return chunks * in_bytes; }
  std::uint64_t all_out() const { return chunks * out_bytes; }
};

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
  return Preset{words, unsigned(chunks), in, out, unsigned(lanes), unsigned(depth),
                unsigned(rounds)};
}

inline unsigned ceil_div(std::uint64_t value, std::uint64_t by) {
  return static_cast<unsigned>((value + by - 1) / by);
}

/// Threads of a block, except in fused_reduce.
inline constexpr unsigned block = 256;

/// Returns the blocks of transform_each: a thread takes four words.
inline unsigned each_blocks(std::uint64_t words) { return ceil_div(ceil_div(words, 4), block); }

/// Returns the threads of transform_reduce: about 2^18, a multiple of the outputs.
inline std::uint64_t reduce_threads(const Preset& p) {
  return std::clamp<std::uint64_t>((1 << 18) / p.out_words(), 1,
                                   ceil_div(p.in_words(), p.out_words())) *
         p.out_words();
}

/// Returns the blocks of copy_bytes and clear_bytes: a thread takes 16 bytes at a time.
inline unsigned move_blocks(std::uint64_t bytes) {
  return std::min(ceil_div(ceil_div(bytes, 16), block), 64u);
}

/// Return the sides of a block of fused_reduce: outputs, and threads that share an output's words.
inline unsigned fused_outputs(const Preset& p) {
  return static_cast<unsigned>(std::min<std::uint64_t>(32, p.out_words()));
}
inline unsigned fused_groups(const Preset& p) {
  return std::clamp(ceil_div(p.in_words(), p.out_words()), 1u, 1024 / fused_outputs(p));
}

}  // namespace plain
