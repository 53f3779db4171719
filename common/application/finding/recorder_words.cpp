// Makes a recording of a recorder's state, and the words in it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "common/application/finding/call_fingerprint.hpp"
#include "common/application/finding/recorder_state.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t most_shown_calls = 1000;

/// Explains an iteration that has to repeat the first number of times again.
std::string why_none(std::uint64_t calls, std::uint64_t needed) {
  return fmt::format("{} calls repeat, and that many must repeat {} times", calls, 2 * needed);
}

std::string why_none(const BrokenPeriod& broken, bool lasts, std::uint64_t needed) {
  if (lasts && broken.repeats >= needed) {
    return fmt::format(
        "{} calls repeat {} times, but none waits: without a wait, {} calls are needed",
        broken.calls, broken.repeats, IterationFinder::calls_without_wait);
  }
  if (lasts) {
    return fmt::format("{} calls repeat {} times, and {} are needed", broken.calls, broken.repeats,
                       needed);
  }
  return fmt::format("{} calls repeat {} times; then call {} of them differs", broken.calls,
                     broken.repeats, broken.at);
}

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

/// Returns the number of threads that made the latest calls if only their common order differs: the
/// calls of at least one thread repeat once the others' are left out. Otherwise returns 0. If the
/// thread waits, its repeating calls must include a wait. Checks the last 8,192 calls, and takes
/// some milliseconds.
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

}  // namespace

void RecorderState::note_refusal(const ObservedCall& call) {
  Refusal& refusal = refusals_[{call.function, call.refusal}];
  if (refusal.count++ > 0) return;
  refusal.call = facts_.driver_name(call.function);
  refusal.reason = call.refusal;
}

/// The runtime's function may become known only later.
void RecorderState::capture_ended(const std::optional<BrokenCapture>& broken) {
  if (!captures_) captures_.emplace();
  ++captures_->ended;
  if (!broken) return;
  const auto [known, is_new] =
      failed_captures_.try_emplace({broken->function, broken->code}, captures_->failed.size());
  if (is_new) {
    captures_->failed.push_back({.call = facts_.driver_name(broken->function),
                                 .runtime = {},
                                 .kind = broken->kind,
                                 .code = broken->code});
  }
  FailedCapture& failed = captures_->failed[known->second];
  ++failed.count;
  if (failed.runtime.empty()) failed.runtime = facts_.runtime_name(broken->runtime);
}

std::string RecorderState::words_of(std::uint64_t call) const {
  if (call >= store_.size()) return "the end of the range";
  const bool kept = store_.oldest() <= call;
  return kept ? facts_.in_words(store_.at(call)) : "a call that is no longer kept";
}

BrokenPeriod RecorderState::broken(std::uint64_t calls, std::uint64_t repeats, std::uint64_t at,
                                   std::uint64_t expected, std::uint64_t got) const {
  return {calls, repeats, at, words_of(expected), words_of(got)};
}

ApplicationRecording RecorderState::recording(std::uint64_t more_iterations,
                                              std::vector<double> watched_us) const {
  const bool more = !kept_repetitions().all.empty() && listening() != ListeningStage::watch;
  ApplicationRecording recording = more      ? iteration_in(digest_of_kept())
                                   : digest_ ? iteration_in(*digest_)
                                             : nothing_found();
  recording.application = settings_.application;
  recording.range = settings_.range;
  recording.iterations += more_iterations;
  recording.watched_us = std::move(watched_us);
  if (cupti_us_ > 0) recording.cupti_us = cupti_us_;
  recording.captures = captures_;
  recording.queried = last_query_ > recording.calls_before;
  for (const auto& [call, refusal] : refusals_) recording.refusals.push_back(refusal);
  return recording;
}

ApplicationRecording RecorderState::iteration_in(const Digest& digest) const {
  ApplicationRecording recording = digest.recording;
  recording.found = by_range() ? Found::range : recording.unequal ? Found::in_kind : Found::repeats;
  if (recording.unequal) recording.unequal->others = others_;
  recording.calls_before = calls_before_;
  recording.iterations = by_range() ? ranges_ : iterations_;
  recording.recorded = recording.iteration_us.size();
  recording.listening = listening_;
  recording.broken = broken_;
  recording.why_none = by_range() && broken_ ? because_of_threads() + why_none_ : why_none_;
  for (const std::uint64_t call : unsteady_) {
    std::string& refusal = recording.calls[call].refusal;
    if (refusal.empty()) {
      refusal = "it waits for an event of an earlier iteration, and for a different one each time";
    }
  }
  if (settings_.with_data) recording.data = digest.data;
  add_device_times(recording.calls, digest, times_);
  return recording;
}

/// Returns the last steps that repeat in kind, among the calls that are kept. Returns none if an
/// exact repetition only lacks time.
std::optional<ApplicationRecording> RecorderState::similar_at_the_end() const {
  if (by_range() || !why_none_.empty()) return std::nullopt;
  SimilarSteps steps(settings_.repetitions);
  std::map<std::uint64_t, FoundPeriod> latest;  // by length
  for (std::uint64_t call = store_.oldest(); call < store_.size(); ++call) {
    if (const auto found = steps.add(store_.at(call), call, finder_.at(call)))
      latest[found->calls] = *found;
  }
  std::erase_if(latest, [&](const auto& one) { return !launch_in_common(store_, one.second); });
  const auto behind = [](const auto& one, const auto& other) {
    return one.second.first + one.second.calls < other.second.first + other.second.calls;
  };
  const auto found = std::ranges::max_element(latest, behind);
  if (found == latest.end()) return std::nullopt;
  const auto& [calls, period] = *found;
  const auto nearest = finder_.nearest();
  const bool lacks_time = nearest && nearest->lasts &&
                          nearest->calls < SimilarSteps::calls_before &&
                          nearest->calls * nearest->repeats >= calls * period.repeats;
  if (lacks_time) return std::nullopt;
  Repetitions last{.calls = calls, .all = {}, .in_kind = true};
  for (std::uint64_t i = 0; i < period.repeats; ++i) {
    const std::uint64_t first = period.first + i * calls;
    last.all.push_back({first, end_before(first), store_.at(first + calls - 1).end_us, false});
  }
  ApplicationRecording recording = digest_of(store_, memory_, facts_, last).recording;
  recording.found = Found::in_kind;
  recording.calls_before = last.all.front().first;
  recording.iterations = recording.recorded = recording.iteration_us.size();
  return recording;
}

/// Returns the last segment of calls, and what came nearest to an iteration.
ApplicationRecording RecorderState::nothing_found() const {
  if (auto similar = similar_at_the_end()) return *similar;
  const std::uint64_t calls = std::min(store_.size() - store_.oldest(), most_shown_calls);
  const std::uint64_t first = store_.size() - calls;
  ApplicationRecording recording;
  if (calls > 0) {
    const Repetition last{first, end_before(first), store_.at(store_.size() - 1).end_us, false};
    recording = digest_of(store_, memory_, facts_, {calls, {last}}).recording;
    recording.iteration_us.clear();  // the segment is no iteration
  }
  recording.calls_before = first;
  recording.iterations = ranges_;
  recording.why_none = why_none_;
  recording.broken = broken_;
  const auto nearest = finder_.nearest();
  if (!by_range() && nearest) {
    recording.broken =
        broken(nearest->calls, nearest->repeats, nearest->at, nearest->expected, nearest->got);
    if (why_none_.empty()) {
      recording.why_none = nearest->lasts && nearest->calls == window_.waits_for()
                               ? why_none(window_.waits_for(), settings_.repetitions)
                               : why_none(*recording.broken, nearest->lasts, settings_.repetitions);
    }
  }
  if (recording.why_none.empty()) {
    recording.why_none = calls == 0   ? "no call to the driver was seen"
                         : by_range() ? "the range did not end"
                                      : "no sequence of calls repeats";
  }
  if (!by_range() && why_none_.empty()) {
    recording.why_none = because_of_threads() + recording.why_none;
  }
  return recording;
}

/// Returns the reason to put before what came nearest; empty if it is not the threads.
std::string RecorderState::because_of_threads() const {
  const std::uint64_t threads = threads_out_of_order(store_, finder_, settings_.repetitions);
  if (threads == 0) return "";
  return fmt::format("calls come from {} threads, in an order that differs: ", threads);
}

}  // namespace trilane
