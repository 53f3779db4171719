#include "common/application/finding/issuing_threads.hpp"

#include <map>

#include "common/application/finding/call_fingerprint.hpp"

namespace trilane {

bool IssuingThreads::counts(std::uint64_t thread) {
  if (thread != latest_ || latest_number_ == 0) {
    if (number_of(thread) == 0) threads_.push_back(thread);
    latest_ = thread;
    latest_number_ = number_of(thread);
    if (latest_number_ == wanted_) only_ = thread;
  }
  const bool counted = wanted_ != 0 ? latest_number_ == wanted_ : only_ == 0 || only_ == thread;
  in_a_row_ = counted ? 0 : in_a_row_ + 1;
  if (counted) return true;
  if (ignored_.size() < threads_.size()) ignored_.resize(threads_.size());
  ignored_[latest_number_ - 1] = true;
  return false;
}

void IssuingThreads::follow(std::uint64_t thread) {
  if (is_wanted() || only_ == thread) return;
  only_ = thread;
  ignored_.clear();
  in_a_row_ = 0;
}

std::uint32_t IssuingThreads::number_of(std::uint64_t thread) const {
  const auto at = std::ranges::find(threads_, thread);
  return at == threads_.end() ? 0 : static_cast<std::uint32_t>(at - threads_.begin()) + 1;
}

bool take_turns(const CallStore& store, const Repetitions& repetitions) {
  Turns latest;
  std::vector<std::uint32_t> expected;
  const std::uint64_t first = repetitions.all.back().first;
  for (std::uint64_t i = 0; i < repetitions.calls; ++i) {
    expected.push_back(latest.of(store.at(first + i).thread));
  }
  return std::ranges::all_of(repetitions.all, [&](const Repetition& repetition) {
    Turns turns;
    ObservedCall before;
    for (std::uint64_t i = 0; i < repetitions.calls; ++i) {
      const ObservedCall call = store.at(repetition.first + i);
      const bool overlaps = i > 0 && call.thread != before.thread && call.begin_us < before.end_us;
      if (overlaps || turns.of(call.thread) != expected[i]) return false;
      before = call;
    }
    return true;
  });
}

std::optional<std::uint64_t> sole_thread(const CallStore& store, std::uint64_t first) {
  const std::uint64_t thread = store.at(first).thread;
  for (std::uint64_t call = first + 1; call < store.size(); ++call) {
    if (store.at(call).thread != thread) return std::nullopt;
  }
  return thread;
}

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
    if (period > 0 && waits_end + period > i + 1) return true;
  }
  return false;
}

}  // namespace

std::optional<std::uint64_t> thread_that_repeats(const CallStore& calls,
                                                 const IterationFinder& finder,
                                                 std::uint64_t repetitions) {
  std::map<std::uint64_t, OwnCalls> threads;
  const std::uint64_t kept = std::min(calls.size() - calls.oldest(), most_calls);
  for (std::uint64_t number = calls.size() - kept; number < calls.size(); ++number) {
    const ObservedCall call = calls.at(number);
    OwnCalls& own = threads[call.thread];
    if (is_host_wait(call)) own.waits.push_back(own.fingerprints.size());
    own.fingerprints.push_back(finder.at(number));
  }
  if (threads.size() < 2) return std::nullopt;
  std::optional<std::uint64_t> best;
  for (const auto& [thread, own] : threads) {
    const bool more = !best || own.fingerprints.size() > threads.at(*best).fingerprints.size();
    if (more && repeats(own, repetitions)) best = thread;
  }
  return best;
}

}  // namespace trilane
