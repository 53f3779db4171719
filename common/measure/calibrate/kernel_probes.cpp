#include "common/measure/calibrate/bed.hpp"
#include "kernels/transform.hpp"

namespace trilane {
namespace {

constexpr std::array<std::uint64_t, 11> each_words{1 << 8,  1 << 10, 1 << 12, 1 << 14,
                                                   1 << 16, 1 << 17, 1 << 18, 1 << 19,
                                                   1 << 20, 1 << 21, 1 << 22};
constexpr std::array<std::uint64_t, 6> reduce_words{1 << 10, 1 << 12, 1 << 14,
                                                    1 << 18, 1 << 20, 1 << 22};
constexpr std::array<std::uint64_t, 4> reduce_outputs{1, 1 << 5, 1 << 10, 1 << 15};

/// Returns rounds that make a kernel last 100 us or more, so that constants and gaps hardly matter.
std::uint32_t many_rounds(std::uint64_t words) {
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>((1ull << 30) / words, 256, 12'000));
}

constexpr std::uint32_t in_a_row = 12;  // kernels

/// Returns the share of the SMs that a kernel occupies: its time per kernel beside others over its
/// time alone. If n kernels run as fast as one, the share is only known to be at most 1/n. The
/// number of blocks then decides: 8 blocks of 256 threads fill an SM.
double share_of(double beside, double alone, std::uint64_t blocks, int multiprocessors) {
  const double share = std::min(1.0, beside / alone);
  const double least = 1.0 / Bed::lanes;
  constexpr double blocks_per_sm = 8;
  const double filled = static_cast<double>(blocks) / (blocks_per_sm * multiprocessors);
  return share > 1.1 * least ? share : std::min(share, filled);
}

/// Returns the gap between two kernels that are queued on one stream.
double gap_us(Bed& bed, const Profile& profile) {
  constexpr std::uint64_t fewest_words = 4;
  const double step = bed.in_a_row_us(in_a_row, bed.kernel(0, fewest_words, fewest_words, 1));
  return std::max(0.0, step - profile.engine.kernel_spacing_us);
}

KernelCost measure(Bed& bed, const Profile& profile, double gap, std::uint64_t words,
                   std::uint64_t outputs) {
  const KernelLaunch launch = transform_launch(nullptr, nullptr, words, outputs, 0, 1);
  const std::uint32_t many = many_rounds(words);
  const double one = bed.in_a_row_us(in_a_row, bed.kernel(0, words, outputs, 1));
  const double long_one = bed.in_a_row_us(in_a_row, bed.kernel(0, words, outputs, many));
  const double beside_others = bed.on_lanes_us(
      in_a_row, [&](std::uint32_t lane) { return bed.kernel(lane, words, outputs, many); });
  return {.reduces = outputs < words,
          .words = words,
          .outputs = outputs,
          .blocks = launch.grid.x,
          .us = std::max(0.0, one - gap),
          .round_us = std::max(0.0, (long_one - one) / (many - 1)),
          .share = share_of(beside_others, long_one, launch.grid.x, profile.multiprocessors)};
}

}  // namespace

void measure_kernels(Bed& bed, Profile& profile) {
  const double gap = gap_us(bed, profile);
  for (std::uint64_t words : each_words) {
    profile.kernels.push_back(measure(bed, profile, gap, words, words));
  }
  for (std::uint64_t words : reduce_words) {
    for (std::uint64_t outputs : reduce_outputs) {
      if (outputs < words) profile.kernels.push_back(measure(bed, profile, gap, words, outputs));
    }
  }
}

}  // namespace trilane
