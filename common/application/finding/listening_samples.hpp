// Computes the cost of listening from calls made only to measure it.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "common/application/iteration/application_recording.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {

/// Time stamps of back-to-back calls, taken as a listener takes them.
class ListeningSamples {
 public:
  /// Allocates space for at most this many calls.
  explicit ListeningSamples(std::size_t calls) { stamps_.reserve(calls); }

  void begins(double now_us) {
    if (stamps_.size() < stamps_.capacity()) stamps_.push_back({now_us, 0, 0});
  }
  /// `left_us`: when the listener returns control to the thread.
  void ends(double end_us, double left_us) {
    if (stamps_.empty()) return;
    stamps_.back().end_us = end_us;
    stamps_.back().left_us = left_us;
  }

  /// Returns medians, because some calls are interrupted, without the first calls, which are
  /// slower. `untraced_us` is the duration of the call by itself. Absent if too few calls called
  /// back.
  std::optional<ListeningCosts> costs(double untraced_us) const {
    if (stamps_.size() < fewest_calls) return std::nullopt;
    std::vector<double> between_us, within_us;
    for (std::size_t i = stamps_.size() / 4; i < stamps_.size(); ++i) {
      between_us.push_back(stamps_[i].begin_us - stamps_[i - 1].left_us);
      within_us.push_back(stamps_[i].end_us - stamps_[i].begin_us);
    }
    return ListeningCosts{.between_us = std::max(0.0, median(between_us)),
                          .within_us = std::max(0.0, median(within_us) - untraced_us)};
  }

 private:
  static constexpr std::size_t fewest_calls = 40;
  struct Stamps {
    double begin_us, end_us, left_us;
  };
  std::vector<Stamps> stamps_;
};

}  // namespace trilane
