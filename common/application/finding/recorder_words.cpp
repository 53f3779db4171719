// Makes a recording of a recorder's state, and the words in it.
#include "common/application/finding/call_fingerprint.hpp"
#include "common/application/finding/recorder_state.hpp"
#include "common/application/iteration/call_traits.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t most_shown_calls = 1000, fewest_run_calls = 20, most_behind_run = 8;

std::string repeating(std::uint64_t calls) {
  return calls == 1 ? "one call repeats" : fmt::format("{} calls repeat", calls);
}

/// Explains an iteration that has to repeat the first number of times again.
std::string why_none(std::uint64_t calls, std::uint64_t needed) {
  return fmt::format("{}, and that many must repeat {} times", repeating(calls), 2 * needed);
}

std::string why_none(const BrokenPeriod& broken, bool lasts, std::uint64_t needed) {
  if (lasts && broken.repeats >= needed) {
    return fmt::format("{} {} times, but {} waits: without a wait, {} calls are needed",
                       repeating(broken.calls), broken.repeats,
                       broken.calls == 1 ? "never" : "none", IterationFinder::calls_without_wait);
  }
  if (lasts) {
    return fmt::format("{} {} times, and {} are needed", repeating(broken.calls), broken.repeats,
                       needed);
  }
  const std::string differs =
      broken.calls == 1 ? "another follows" : fmt::format("call {} of them differs", broken.at);
  return fmt::format("{} {} times; then {}", repeating(broken.calls), broken.repeats, differs);
}

}  // namespace

void RecorderState::note_refusal(const ObservedCall& call) {
  auto& [refusal, lasts] = refusals_[{call.function, call.refusal}];
  lasts = call.lasts;
  if (refusal.count++ > 0) return;
  refusal.call = facts_.driver_name(call.function);
  refusal.reason = call.refusal;
}

std::string RecorderState::words_of(std::uint64_t call) const {
  if (call >= store_.size()) return "the end of the range";
  const bool kept = store_.oldest() <= call;
  return kept ? facts_.in_words(store_.at(call)) : "a call that is no longer kept";
}

BrokenPeriod RecorderState::in_words(const NearestPeriod& broken) const {
  const auto& [calls, repeats, at, expected, got, lasts] = broken;
  return {calls, repeats, at, words_of(expected), words_of(got)};
}

ApplicationRecording RecorderState::recording(std::uint64_t more_iterations,
                                              std::vector<double> watched_us,
                                              const RecordedThreads& alone) const {
  const bool more = !kept_repetitions().all.empty() && listening() != ListeningStage::watch;
  ApplicationRecording recording = more      ? iteration_in(digest_of_kept())
                                   : digest_ ? iteration_in(*digest_)
                                             : nothing_found();
  recording.application = settings_.application;
  recording.range = settings_.range;
  recording.iterations += more_iterations;
  recording.watched_us = std::move(watched_us);
  if (cupti_us_ > 0) recording.cupti_us = cupti_us_;
  recording.captures = captures_.recorded();
  recording.queried = last_query_ > recording.calls_before;
  put_threads(alone, recording);
  for (const auto& [call, noted] : refusals_) {
    const auto is_this = [&](const RecordedCall& one) {
      return one.name == noted.refusal.call && one.refusal == noted.refusal.reason;
    };
    const bool counts = noted.lasts || recording.found == Found::none ||
                        std::ranges::any_of(recording.calls, is_this);
    if (counts) recording.refusals.push_back(noted.refusal);
  }
  return recording;
}

ApplicationRecording RecorderState::iteration_in(const Digest& digest) const {
  ApplicationRecording recording = digest.recording;
  recording.found = by_range() ? Found::range : recording.unequal ? Found::in_kind : Found::repeats;
  if (recording.unequal) {
    recording.unequal->others = others_;
  } else if (others_ > 0) {
    recording.breaks = others_;
  }
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
  const bool timed =
      any_call(recording, [](const auto& call) { return call.device_us.has_value(); });
  if (timed || lengths_us_.size() != recording.calls.size()) return recording;
  for (std::size_t i = 0; i < lengths_us_.size(); ++i) {
    recording.calls[i].device_us = lengths_us_[i];
  }
  return recording;
}

/// Returns the last steps that repeat in kind, if kept and no exact repetition only lacks time.
std::optional<ApplicationRecording> RecorderState::similar_at_the_end() const {
  if (by_range() || !why_none_.empty() || !latest_steps_) return std::nullopt;
  const FoundPeriod& period = *latest_steps_;
  const std::uint64_t calls = period.calls;
  if (period.first < store_.oldest()) return std::nullopt;
  const auto nearest = finder_.nearest();
  const bool lacks_time = nearest && nearest->lasts &&
                          nearest->calls < SimilarSteps::calls_before &&
                          nearest->calls * nearest->repeats >= calls * period.repeats;
  if (lacks_time) return std::nullopt;
  Repetitions last{.calls = calls, .in_kind = true};
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

/// Returns true if a repetition holds work for the device: a row of frees is no loop.
bool RecorderState::has_work(const PeriodRun& run) const {
  for (std::uint64_t call = run.from; call < run.from + run.period; ++call) {
    const CallRole role = role_of(store_.at(call).kind);
    if (role == CallRole::work || role == CallRole::graph_launch) return true;
  }
  return false;
}

/// Returns the longest run of calls without a wait, preferably with work, for a program's end.
std::optional<PeriodRun> RecorderState::longest_without_wait() const {
  std::optional<PeriodRun> longest;
  std::pair<bool, double> most;  // it has work, and its time
  const auto us = [&](std::uint64_t first, std::uint64_t end) {
    return store_.at(end - 1).end_us - store_.at(first).begin_us;
  };
  std::uint64_t from = store_.oldest();
  for (std::uint64_t call = from; call < store_.size(); ++call) {
    if (!is_host_wait(store_.at(call)) && call + 1 < store_.size()) continue;
    const std::uint64_t first = std::exchange(from, call + 1);
    if (call - first < fewest_run_calls || std::pair(true, us(first, call + 1)) <= most) continue;
    PeriodFinder finder(settings_.repetitions, IterationFinder::most_calls, settings_.repetitions);
    for (std::uint64_t one = first; one <= call; ++one) finder.add(finder_.at(one));
    auto run = finder.nearest();
    if (!run || run->length() < fewest_run_calls) continue;
    run->from += first;
    run->at += first;
    const std::pair found(has_work(*run), us(run->from, end_behind(*run)));
    if (run->length() > IterationFinder::calls_without_wait || found <= most) continue;
    longest = run;
    most = found;
  }
  return longest;
}

/// Returns the end of the run, or of the wait a few calls behind it.
std::uint64_t RecorderState::end_behind(const PeriodRun& run) const {
  const std::uint64_t most = std::min(run.at + most_behind_run, store_.size());
  for (std::uint64_t call = run.at; call < most; ++call) {
    if (is_host_wait(store_.at(call))) return call + 1;
  }
  return run.at;
}

/// Returns the longest run or last segment of calls, and what came nearest to an iteration.
ApplicationRecording RecorderState::nothing_found() const {
  if (auto similar = similar_at_the_end()) return *similar;
  std::optional<PeriodRun> run;
  if (!by_range() && because_of_threads().empty()) run = longest_without_wait();
  const std::uint64_t end = run ? end_behind(*run) : store_.size();
  const std::uint64_t calls =
      run ? end - run->from : std::min(end - store_.oldest(), most_shown_calls);
  const std::uint64_t first = end - calls;
  ApplicationRecording recording;
  if (calls > 0) {
    const Repetition segment{first, end_before(first), store_.at(end - 1).end_us, false};
    recording = digest_of(store_, memory_, facts_, {calls, {segment}}).recording;
    recording.iteration_us.clear();  // the segment is no iteration
  }
  recording.calls_before = first;
  recording.iterations = run ? run->whole() : ranges_;
  recording.why_none = why_none_;
  recording.broken = broken_;
  const auto nearest = finder_.nearest();
  if (run) {
    const std::uint64_t differs = std::min(run->from + run->period * run->whole(), end - 1);
    recording.broken = in_words({run->period, run->whole(), 0, run->from, differs});
    recording.why_none = why_none(*recording.broken, true, settings_.repetitions);
  } else if (!by_range() && nearest) {
    recording.broken = in_words(*nearest);
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
  if (glances_)
    recording.why_none += fmt::format("; {} later calls were only glanced at", glanced_);
  return recording;
}

void RecorderState::put_threads(const RecordedThreads& alone,
                                ApplicationRecording& recording) const {
  const std::uint32_t others = std::max(threads_.ignored(), alone.others);
  if (!recording.issuing && others == 0) return;
  RecordedThreads& issuing = recording.issuing ? *recording.issuing : recording.issuing.emplace();
  issuing.thread = threads_.only_number();
  issuing.others = others;
  issuing.alike = threads_.alike();
  issuing.alone_us = alone.alone_us;
}

/// Returns the reason to put before what came nearest; empty if it is not the threads.
std::string RecorderState::because_of_threads(Parting reason) const {
  if (settings_.thread > threads_.seen()) {
    return fmt::format("thread {} was asked for, and {} called the driver: ", settings_.thread,
                       threads_.seen());
  }
  if (!thread_that_repeats(store_, finder_, settings_.repetitions, reason)) return "";
  return fmt::format("calls come from {} threads, in an order that differs: ", threads_.seen());
}

}  // namespace trilane
