#include "common/application/finding/core/issuing_threads.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "common/application/finding/call_fingerprint.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t most_calls = 8192;  // a power of two, for PeriodFinder

struct OwnCalls {
  std::vector<std::uint64_t> fingerprints, waits;  ///< waits: positions
};

bool repeats(const OwnCalls& own, std::uint64_t repetitions) {
  PeriodFinder finder(repetitions, most_calls);
  auto next_wait = own.waits.begin();
  std::uint64_t waits_end = 0;  // after the latest wait
  for (std::uint64_t i = 0; i < own.fingerprints.size(); ++i) {
    if (next_wait != own.waits.end() && *next_wait == i) {
      waits_end = i + 1;
      ++next_wait;
    }
    const std::uint64_t period = finder.add(own.fingerprints[i]);
    if (period > 0 && (own.waits.empty() || waits_end + period > i + 1)) return true;
  }
  return false;
}

}  // namespace

std::uint64_t threads_out_of_order(const CallStore& calls, const IterationFinder& finder,
                                   std::uint64_t repetitions) {
  std::map<std::uint64_t, OwnCalls> threads;
  const std::uint64_t kept = std::min(calls.size() - calls.oldest(), most_calls);
  for (std::uint64_t number = calls.size() - kept; number < calls.size(); ++number) {
    const ObservedCall call = calls.at(number);
    OwnCalls& own = threads[call.thread];
    if (is_host_wait(call)) own.waits.push_back(own.fingerprints.size());
    own.fingerprints.push_back(finder.at(number));
  }
  const bool any = threads.size() > 1 && std::ranges::any_of(threads, [&](const auto& thread) {
                     return repeats(thread.second, repetitions);
                   });
  return any ? threads.size() : 0;
}

}  // namespace trilane
