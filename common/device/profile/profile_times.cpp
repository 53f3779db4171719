#include "common/device/profile/profile.hpp"

namespace trilane {
namespace {

/// The measured figures of a shape; each is interpolated separately.
struct Figures {
  double us = 0, round_us = 0, share = 1;
};

/// Returns the value at `x` on the line through (x0, y0) and (x1, y1) with logarithmic axes. A
/// figure that is not above 0 has no logarithm: y is then linear, and stays at y1 beyond x1.
double on_line(double x, double x0, double y0, double x1, double y1) {
  const double part = std::log(x / x0) / std::log(x1 / x0);
  if (y0 > 0 && y1 > 0) return y0 * std::pow(y1 / y0, part);
  return std::lerp(y0, y1, std::min(part, 1.0));
}

/// One dimension of a kernel's size, of which only some values were measured.
using Axis = std::uint64_t KernelCost::*;

/// The measured values on both sides of a size, or the two largest if it is larger. Below the
/// smallest value, or if there is only one, that is `upper` and there is no `lower`.
struct Neighbours {
  const KernelCost *lower = nullptr, *upper = nullptr;
};

template <typename Chosen>
Neighbours neighbours(const std::vector<KernelCost>& kernels, Axis axis, std::uint64_t size,
                      Chosen chosen) {
  std::map<std::uint64_t, const KernelCost*> by_size;
  for (const KernelCost& kernel : kernels) {
    if (chosen(kernel)) by_size.try_emplace(kernel.*axis, &kernel);
  }
  if (by_size.empty()) return {};
  auto upper = by_size.lower_bound(size);
  if (upper == by_size.end()) --upper;
  return {upper == by_size.begin() ? nullptr : std::prev(upper)->second, upper->second};
}

/// Interpolates between two neighbours; `figures` returns theirs.
template <typename Of>
Figures between(const Neighbours& two, Axis axis, std::uint64_t size, Of figures) {
  if (two.upper == nullptr) return {};
  const Figures high = figures(*two.upper);
  if (two.lower == nullptr) return high;
  const Figures low = figures(*two.lower);
  const auto at = [&](double Figures::*figure) {
    return on_line(static_cast<double>(size), static_cast<double>(two.lower->*axis), low.*figure,
                   static_cast<double>(two.upper->*axis), high.*figure);
  };
  return {at(&Figures::us), at(&Figures::round_us), at(&Figures::share)};
}

}  // namespace

double at_size(const std::vector<SizeCost>& costs, std::uint64_t bytes) {
  if (costs.empty()) return 0;
  auto upper = std::ranges::lower_bound(costs, bytes, {}, &SizeCost::bytes);
  if (upper == costs.end()) --upper;
  if (upper == costs.begin()) return upper->us;
  const SizeCost &low = upper[-1], &high = *upper;
  if (bytes > high.bytes && high.us < low.us) return high.us;
  const double part =
      static_cast<double>(bytes - low.bytes) / static_cast<double>(high.bytes - low.bytes);
  return std::min(std::lerp(low.us, high.us, part), longest_operation_us);
}

KernelTime Profile::kernel_time(const KernelSize& size) const {
  const auto of_kind = [&](const KernelCost& kernel) { return kernel.reduces == size.reduces; };
  const auto for_words = [&](const KernelCost& row) {
    const auto in_row = [&](const KernelCost& kernel) {
      return of_kind(kernel) && kernel.words == row.words;
    };
    return between(neighbours(kernels, &KernelCost::outputs, size.outputs, in_row),
                   &KernelCost::outputs, size.outputs, [](const KernelCost& kernel) {
                     return Figures{kernel.us, kernel.round_us, kernel.share};
                   });
  };
  const Figures found = between(neighbours(kernels, &KernelCost::words, size.words, of_kind),
                                &KernelCost::words, size.words, for_words);
  const double more_rounds = size.rounds > 1 ? size.rounds - 1 : 0;
  const double us = found.us + found.round_us * more_rounds;
  return {std::min(us, longest_operation_us), std::min(found.share, 1.0)};
}

}  // namespace trilane
