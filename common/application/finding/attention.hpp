// Decides how closely calls are looked at during a search.
#pragma once

#include "common/application/finding/iteration_finder.hpp"

namespace trilane {

/// The part of a call that is read at a glance.
struct CallGlance {
  CallKind kind = CallKind::other;
  std::uint32_t function = 0;
  std::uint64_t kernel = 0, stream = 0;  ///< handles
  std::uint64_t thread = 0;
  bool waits = false;  ///< as in ObservedCall
};

/// A close look at a call costs more than CUPTI. So if the first calls do not repeat, calls are
/// only glanced at until the same functions and kernels have come three times in a row, and not by
/// chance.
class Attention {
 public:
  /// Takes each call. Returns true if the next one should be looked at closely.
  bool is_close_after(std::uint32_t function, std::uint64_t kernel, bool waits) {
    const std::uint64_t call = mixed(mixed(0, function), kernel);
    ++calls_;
    const auto found = finder_.add(call, waits, calls_ >= ask_from_);
    if (found && found->repeats * found->calls >= fewest_calls) {
      // As long as it has repeated: comparing it again then takes two steps a call.
      const std::uint64_t more = std::max(repetitions_more, found->repeats) * found->calls;
      close_until_ = std::max(close_until_, calls_ + more);
      ask_from_ = calls_ + more / 2;
    }
    return calls_ < close_until_;
  }

 private:
  static constexpr std::uint64_t repetitions = 3, repetitions_more = 8;
  static constexpr std::uint64_t first_calls = 32'768, fewest_calls = 64;

  IterationFinder finder_{repetitions};
  std::uint64_t calls_ = 0, close_until_ = first_calls, ask_from_ = 0;
};

}  // namespace trilane
