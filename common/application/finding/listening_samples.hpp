// From calls that were made only to see what listening takes, to that.
#pragma once

#include <optional>
#include <vector>

#include "common/application/iteration/records/recorded_listening.hpp"

namespace trilane {

/// Time stamps of calls that follow each other at once, taken as a listener takes them.
class ListeningSamples {
 public:
  /// So many calls at most; allocates.
  explicit ListeningSamples(std::size_t calls) { stamps_.reserve(calls); }

  void begins(double now_us) {
    if (stamps_.size() < stamps_.capacity()) stamps_.push_back({now_us, 0, 0});
  }
  /// `left_us`: when the listener gives the thread back.
  void ends(double end_us, double left_us) {
    if (stamps_.empty()) return;
    stamps_.back().end_us = end_us;
    stamps_.back().left_us = left_us;
  }

  /// Medians, for some calls are interrupted, of those after the first, which are slower.
  /// `untraced_us` is what the call takes by itself. Absent where too few calls called back.
  std::optional<ListeningCosts> costs(double untraced_us) const;

 private:
  struct Stamps {
    double begin_us, end_us, left_us;
  };
  std::vector<Stamps> stamps_;
};

}  // namespace trilane
