#include "common/application/finding/issuing_threads.hpp"

#include "common/application/finding/call_fingerprint.hpp"

namespace trilane {
namespace {

/// Returns true if the driver took the calls of two threads in the order in which they ended.
bool are_in_order(const ObservedCall& earlier, const ObservedCall& later) {
  if (earlier.thread == later.thread || later.begin_us >= earlier.end_us) return true;
  if (is_host_wait(earlier) || is_host_wait(later)) return false;
  return later.begin_us >= earlier.begin_us || later.stream != earlier.stream;
}

constexpr std::uint64_t most_calls = 8192;  // a power of two, for PeriodFinder

/// Calls of one thread, or of all.
class OwnCalls {
 public:
  explicit OwnCalls(std::uint64_t repetitions) : finder_(repetitions, most_calls) {}

  void add(std::uint64_t fingerprint, bool waits) {
    ++size_;
    if (waits) waits_end_ = size_;
    const std::uint64_t period = finder_.add(fingerprint);
    if (period > 0 && waits_end_ + period > size_) repeated_ = size_;
  }
  /// Returns true if they repeated lately: not only while the program set up.
  bool repeat() const { return repeated_ > 0 && size_ - repeated_ <= size_ / 8; }
  bool repeat_now() const { return repeated_ == size_; }
  std::uint64_t size() const { return size_; }

 private:
  PeriodFinder finder_;
  std::uint64_t size_ = 0;
  std::uint64_t waits_end_ = 0, repeated_ = 0;  ///< calls up to the latest wait, and repetition
};

}  // namespace

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
  ignored_[latest_number_ - 1].any = true;
  return false;
}

void IssuingThreads::found(const CallStore& store, std::uint64_t first) {
  work_.clear();
  for (; first < store.size(); ++first) work_.insert(work_fingerprint(store.at(first)));
}

void IssuingThreads::compare(const ObservedCall& call) {
  if (call.kind == CallKind::query) return;
  Ignored& thread = ignored_[latest_number_ - 1];
  (work_.contains(work_fingerprint(call)) ? thread.same : thread.other) = true;
}

void IssuingThreads::follow(std::uint64_t thread) {
  if (is_wanted() || only_ == thread) return;
  only_ = thread;
  ignored_.clear();
  in_a_row_ = 0;
}

bool IssuingThreads::join() {
  if (!repeat_together_ || std::exchange(joined_, true)) return false;
  follow_all();
  return true;
}

std::uint32_t IssuingThreads::number_of(std::uint64_t thread) const {
  const auto at = std::ranges::find(threads_, thread);
  return at == threads_.end() ? 0 : static_cast<std::uint32_t>(at - threads_.begin()) + 1;
}

bool take_turns(const CallStore& store, const Repetitions& repetitions) {
  HandleNumbers latest;
  std::vector<std::uint32_t> expected;
  const std::uint64_t first = repetitions.all.back().first;
  for (std::uint64_t i = 0; i < repetitions.calls; ++i) {
    expected.push_back(latest.of(store.at(first + i).thread).first);
  }
  return std::ranges::all_of(repetitions.all, [&](const Repetition& repetition) {
    HandleNumbers turns;
    for (std::uint64_t i = 0; i < repetitions.calls; ++i) {
      const std::uint64_t number = repetition.first + i;
      const ObservedCall call = store.at(number);
      for (std::uint64_t k = number; k-- > repetitions.all.front().first;) {
        const ObservedCall earlier = store.at(k);
        if (earlier.end_us <= call.begin_us) break;  // and so do those before it
        if (!are_in_order(earlier, call)) return false;
      }
      if (turns.of(call.thread).first != expected[i]) return false;
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

std::optional<std::uint64_t> thread_that_repeats(const CallStore& calls,
                                                 const IterationFinder& finder,
                                                 std::uint64_t repetitions, Parting reason) {
  OwnCalls all(repetitions);
  std::map<std::uint64_t, OwnCalls> threads;
  const std::uint64_t kept = std::min(calls.size() - calls.oldest(), most_calls);
  for (std::uint64_t number = calls.size() - kept; number < calls.size(); ++number) {
    const ObservedCall call = calls.at(number);
    all.add(finder.at(number), is_host_wait(call));
    threads.try_emplace(call.thread, repetitions)
        .first->second.add(finder.at(number), is_host_wait(call));
  }
  if (threads.size() < 2 || (reason == Parting::long_search && all.repeat()) ||
      (reason == Parting::broken_order &&
       !threads.at(calls.at(calls.size() - 1).thread).repeat_now())) {
    return std::nullopt;
  }
  std::optional<std::uint64_t> best;
  for (const auto& [thread, own] : threads) {
    if (own.repeat() && (!best || own.size() > threads.at(*best).size())) best = thread;
  }
  return best;
}

}  // namespace trilane
