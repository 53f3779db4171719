#include "common/application/finding/recorder_state.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t most_times = 4'000'000;
/// Calls after which the calls of a single thread are searched, if several threads make them.
constexpr std::uint64_t first_choice = 4096;
/// A thread counts as gone if others have made this many calls meanwhile, and four iterations'.
constexpr std::uint64_t most_ignored = 10'000;
constexpr std::uint64_t most_others_in_row = 16;

}  // namespace

RecorderState::RecorderState(Surroundings& surroundings, RecorderSettings settings)
    : settings_(std::move(settings)),
      memory_(surroundings),
      facts_(surroundings),
      finder_(settings_.repetitions),
      store_(settings_.most_bytes),
      window_(store_, settings_.repetitions, by_range()),
      threads_(settings_.thread),
      next_choice_(first_choice) {}

bool RecorderState::take(const ObservedCall& call) {
  const MemoryBlock freed = memory_.note(call);
  if (call.refusal != nullptr) note_refusal(call);
  if (!threads_.counts(call.thread)) {
    facts_.learn_stream(call.kind, call.stream);  // a replay needs it idle
    if (stage_ == Stage::confirming) threads_.compare(call);
    note_ignored();
    return false;
  }
  // The number of queries is not part of a program's iteration.
  if (call.kind == CallKind::query) {
    last_query_ = store_.size();
    return false;
  }
  const bool only_glanced = glances_;
  attend(call.function, call.launch.function, is_host_wait(call));
  if (only_glanced) {
    ++glanced_;
    facts_.learn_stream(call.kind, call.stream);
    return false;
  }
  facts_.learn(call);
  const std::uint64_t fingerprint = fingerprint_of(call);
  store_.add(call, freed);
  const bool wanted =
      stage_ == Stage::searching && !by_range() && !alignment_.under_way() && window_.is_due();
  const auto period = finder_.add(fingerprint, is_host_wait(call), wanted);
  if (by_range()) {
    const bool too_long = store_.size() - traced_from_ > SearchWindow::most_calls;
    if (stage_ == Stage::tracing && too_long) be_done();  // the range may not come again
    return false;
  }
  if (stage_ != Stage::searching) return follow(call.end_us);
  search(call, period);
  if (stage_ == Stage::searching && store_.size() >= next_choice_ && !alignment_.under_way()) {
    threads_.only() == 0 ? static_cast<void>(search_one_thread(Parting::long_search))
                         : search_all_threads();
  }
  return false;
}

void RecorderState::glance(const CallGlance& call) {
  facts_.learn_stream(call.kind, call.stream);
  threads_.counts(call.thread);
  if (call.kind == CallKind::query) return;
  ++glanced_;
  attend(call.function, call.kernel, call.waits);
}

/// Decides how closely the next call is looked at. The calls of several threads always are, since
/// those of one may repeat among the others.
void RecorderState::attend(std::uint32_t function, std::uint64_t kernel, bool waits) {
  if (stage_ != Stage::searching || by_range()) return;
  const bool close = attention_.is_close_after(function, kernel, waits) || threads_.seen() > 1 ||
                     alignment_.under_way();
  if (close && glances_) {  // unknown calls lie between those in the store and the next one
    fingerprints_.resume();
    search_steps_again();
  }
  glances_ = !close;
}

/// Returns true if the calls of one thread repeat, and those of all do not, or may.
bool RecorderState::search_one_thread(Parting reason) {
  next_choice_ = std::max(first_choice, 2 * store_.size());
  if (by_range() || !threads_.may_part()) return false;
  const auto thread = thread_that_repeats(store_, finder_, settings_.repetitions, reason);
  if (!thread) return false;
  threads_.follow(*thread);
  fingerprints_.resume();  // other threads' events are no longer counted
  search_steps_again();
  return true;
}

void RecorderState::search_all_threads() {
  if (threads_.is_wanted()) return;
  if (threads_.ignored() > 0) fingerprints_.resume();
  threads_.follow_all();
  search_steps_again();
  next_choice_ = std::max(first_choice, 2 * store_.size());
}

bool RecorderState::join_threads() {
  if (!threads_.join()) return false;
  search_all_threads();
  search_again();
  return true;
}

void RecorderState::search_again() {
  repetitions_.all.clear();
  window_.open();
  stage_ = Stage::searching;
  search_steps_again();
}

void RecorderState::search_steps_again() {
  similar_.reset();
  latest_steps_.reset();
  searched_from_ = store_.size();
}

/// Searches again if the thread that is followed makes no more calls.
void RecorderState::note_ignored() {
  const bool follows = stage_ == Stage::searching || stage_ == Stage::confirming;
  if (!follows || threads_.ignored_in_a_row() < most_ignored + 4 * repetitions_.calls) return;
  search_all_threads();
  if (stage_ == Stage::confirming) search_again();
}

/// Event records in unseen iterations are unknown during tracing. A wait for one of them counts as
/// the expected call if function and stream are the same.
std::uint64_t RecorderState::fingerprint_of(const ObservedCall& call) {
  const auto kind_of = [this](std::uint64_t address) { return memory_.kind_of(address); };
  const bool unseen = stage_ == Stage::tracing && !by_range() && fingerprints_.lacks_record(call);
  const std::uint64_t fingerprint = fingerprints_.of(call, kind_of);
  if (!unseen) return fingerprint;
  const std::uint64_t before = finder_.size() - repetitions_.calls;
  if (before < store_.oldest()) return fingerprint;
  const ObservedCall& expected = store_.peek(before);
  const bool same = expected.function == call.function && expected.stream == call.stream;
  return same ? finder_.at(before) : fingerprint;
}

void RecorderState::search(const ObservedCall& call, const std::optional<FoundPeriod>& period) {
  const std::optional<FoundPeriod> similar = similar_steps(call);
  if (alignment_.under_way()) {
    const std::uint64_t latest = finder_.size() - 1, before = latest - alignment_.calls();
    const bool repeats = repetitions_.in_kind ? kind_fingerprint(store_.at(latest)) ==
                                                    kind_fingerprint(store_.at(before))
                                              : finder_.at(latest) == finder_.at(before);
    if (const auto cut = alignment_.next(repeats)) found(*cut);
  } else if (period && is_all_heard(*period) && window_.has(period->calls)) {
    const bool kept = store_.size() - store_.oldest() >= period->calls;
    if (!kept) return found(*period);  // which says so
    repetitions_.in_kind = false;
    if (const auto cut = alignment_.begin(*period, store_)) found(*cut);
  } else if (similar) {
    repetitions_.in_kind = true;
    if (const auto cut = alignment_.begin(*similar, store_)) found(*cut);
  }
}

/// Returns true unless calls of a thread that is ignored now are among those of the period, or some
/// lie before or between them that were only glanced at.
bool RecorderState::is_all_heard(const FoundPeriod& period) const {
  const std::uint64_t calls = settings_.repetitions * period.calls;
  const std::uint64_t heard = store_.size() - searched_from_;
  return (threads_.only() == 0 || heard >= calls) && (glanced_ == 0 || heard > calls);
}

/// Returns the similar steps that end with the latest call, once no exact iteration is to be
/// expected.
std::optional<FoundPeriod> RecorderState::similar_steps(const ObservedCall& latest) {
  const std::uint64_t size = store_.size();
  if (!similar_) similar_.emplace(settings_.repetitions);
  const auto steps = similar_->add(latest, size - 1, finder_.at(size - 1));
  if (!steps) return std::nullopt;
  const bool alike = steps->first >= store_.oldest() && launch_in_common(store_, *steps);
  if (alike) latest_steps_ = steps;
  const bool late = size - searched_from_ >= SimilarSteps::calls_before;
  const bool grow = size - similar_->run().growing_from >= SimilarSteps::growing_calls;
  const std::uint64_t many = (settings_.repetitions + SimilarSteps::steps_more) * steps->calls;
  if ((!late && !grow) || size - similar_->run().begin < many) return std::nullopt;
  // A few calls of the next step may be needed, too.
  const bool begins = size - store_.oldest() >= (settings_.repetitions + 1) * steps->calls;
  return alike && begins ? steps : std::nullopt;
}

/// The latest repetitions are in the store, unless their arguments are too large.
void RecorderState::found(const FoundPeriod& period) {
  const std::uint64_t end = store_.size();
  const std::uint64_t first = end - settings_.repetitions * period.calls;
  if (first < store_.oldest()) {
    const bool many = settings_.repetitions * period.calls > SearchWindow::most_calls;
    why_none_ = many
                    ? fmt::format("an iteration of {} calls repeats, but {} calls are kept at most",
                                  period.calls, SearchWindow::most_calls)
                    : fmt::format(
                          "an iteration of {} calls repeats, but the arguments of {} repetitions "
                          "take more than {} MiB",
                          period.calls, settings_.repetitions, settings_.most_bytes >> 20);
    return finder_.left();
  }
  repetitions_ = {.calls = period.calls, .in_kind = repetitions_.in_kind};
  similar_.reset();
  others_ = 0;
  unsteady_.clear();
  for (std::uint64_t call = first; call < end; call += period.calls) {
    repetitions_.all.push_back(
        {call, end_before(call), store_.at(call + period.calls - 1).end_us, false});
  }
  calls_before_ = period.first + glanced_;
  iterations_ = period.repeats;
  watch_end_of(end - period.calls, period.calls);
  store_.keep(IterationFinder::most_calls);  // for its further repetitions
  if (const auto thread = sole_thread(store_, first)) threads_.follow(*thread);
  threads_.found(store_, end - period.calls);
  stage_ = Stage::confirming;
  start_following(repetitions_.all.back().end_us);
  if (settings_.confirmed == 0) enough_followed();
}

void RecorderState::start_following(double now_us) {
  followed_ = others_in_row_ = 0;
  lost_ = false;
  followed_from_ = range_first_ = store_.size();
  followed_from_us_ = now_us;
}

ListeningStage RecorderState::listening() const {
  switch (stage_) {
    case Stage::searching:
    case Stage::confirming:
      return hears_runtime() ? ListeningStage::confirm : ListeningStage::search;
    case Stage::tracing: return ListeningStage::trace;
    case Stage::watching:
    case Stage::done: return ListeningStage::watch;
  }
  return ListeningStage::search;
}

/// Returns true while an iteration that was found is confirmed.
bool RecorderState::hears_runtime() const {
  if (!by_range()) return stage_ == Stage::confirming;
  return stage_ == Stage::searching && repetitions_.all.size() >= settings_.repetitions;
}

bool RecorderState::wants_stacks() const {
  return hears_runtime() &&
         (by_range() ? repetitions_.all.size() == settings_.repetitions : followed_ == 0);
}

void RecorderState::trace_devices(double now_us) {
  if (stage_ != Stage::watching || settings_.traced == 0) return;
  times_.clear();
  stage_ = Stage::tracing;
  fingerprints_.resume();
  traced_from_ = store_.size();
  start_following(now_us);
}

void RecorderState::trace_nothing() {
  if (stage_ == Stage::watching) be_done();
}

std::set<std::uint32_t> RecorderState::own_functions() const {
  std::set<std::uint32_t> own;
  const bool others = threads_.only() != 0 && threads_.seen() > 1;
  if (latest() == nullptr || finds_in_kind() || by_range() || others) return own;
  for (const ObservedCall& call : latest()->calls) own.insert(call.function);
  return own;
}

/// Returns the repetitions whose calls are all still in the store: large arguments may have
/// displaced the first. The first traced one takes longer, because the tracer starts.
Repetitions RecorderState::kept_repetitions() const {
  Repetitions kept = repetitions_;
  kept.costs = listening_.value_or(ListeningCosts{});
  const auto first = std::ranges::find(kept.all, true, &Repetition::traced);
  if (std::ranges::count(kept.all, true, &Repetition::traced) > 1) kept.all.erase(first);
  std::erase_if(kept.all, [&](const Repetition& one) { return one.first < store_.oldest(); });
  return kept;
}

/// A value that varied before tracing still varies, even if its calls are no longer kept.
Digest RecorderState::digest_of_kept() const {
  Digest digest = digest_of(store_, memory_, facts_, kept_repetitions());
  if (stage_ == Stage::tracing && digest_) add_earlier(digest, *digest_, facts_);
  return digest;
}

/// Calls between two ranges may have displaced all repetitions.
void RecorderState::digest_what_is_kept() {
  if (!kept_repetitions().all.empty()) digest_ = digest_of_kept();
}

void RecorderState::also_seen(const ObservedIteration& iteration) {
  if (listening() == ListeningStage::watch && digest_) add_repetition(*digest_, iteration, facts_);
}

/// Returns the end of the previous call, which is where an iteration starts; for the very first
/// call, its own beginning.
double RecorderState::end_before(std::uint64_t call) const {
  return call > store_.oldest() ? store_.at(call - 1).end_us : store_.at(call).begin_us;
}

void RecorderState::watch_end_of(std::uint64_t first, std::uint64_t calls) {
  ending_function_ = store_.at(first + calls - 1).function;
  ending_calls_ = 0;
  for (std::uint64_t i = 0; i < calls; ++i) {
    if (store_.at(first + i).function == ending_function_) ++ending_calls_;
  }
}

/// Follows a call of the repetition under way. Returns true if the call ended it.
bool RecorderState::follow(double end_us) {
  const std::uint64_t call = finder_.size() - 1, calls = repetitions_.calls;
  if (repetitions_.in_kind || may_break_off()) {
    if (!follows_with_breaks()) return false;
  } else if (finder_.at(call) != finder_.at(call - calls)) {
    left(call - followed_from_, call - calls, call);
    return false;
  }
  if (call + 1 < followed_from_ + calls) return false;
  repetitions_.all.push_back(
      {followed_from_, followed_from_us_, end_us, stage_ == Stage::tracing, hears_runtime()});
  followed_from_ += calls;
  followed_from_us_ = end_us;
  others_in_row_ = 0;
  ++iterations_;
  const bool tracing = stage_ == Stage::tracing;
  if (++followed_ == (tracing ? settings_.traced : settings_.confirmed)) enough_followed();
  return true;
}

/// Returns true if the iteration being traced may be a step of a loop that ends now and then, when
/// the host has read what it waited for.
bool RecorderState::may_break_off() const {
  const std::uint64_t end = repetitions_.all.back().first + repetitions_.calls;
  return stage_ == Stage::tracing && end > store_.oldest() && is_host_wait(store_.peek(end - 1));
}

/// Returns true if the latest call belongs to a step like the known ones. A step with other calls
/// is left out: the next one begins behind a wait, and the frees that follow it.
bool RecorderState::follows_with_breaks() {
  const std::uint64_t call = store_.size() - 1;
  const ObservedCall latest = store_.at(call);
  const bool frees_behind = may_begin_ && frees(latest.kind);
  if (lost_ && (!may_begin_ || frees_behind)) {
    may_begin_ = frees_behind || is_host_wait(latest);
    if (call - followed_from_ > most_ignored) left(0, repetitions_.all.back().first, call);
    return false;
  }
  if (lost_) {
    followed_from_ = call;
    followed_from_us_ = end_before(call);
    lost_ = false;
  }
  const std::uint64_t expected = repetitions_.all.back().first + call - followed_from_;
  if (expected >= store_.oldest() &&
      (repetitions_.in_kind ? kind_fingerprint(latest) == kind_fingerprint(store_.at(expected))
                            : finder_.at(call) == finder_.at(expected))) {
    return true;
  }
  lost_ = true;
  may_begin_ = is_host_wait(latest);
  ++others_;
  if (++others_in_row_ > most_others_in_row) left(call - followed_from_, expected, call);
  return false;
}

/// If calls wait for events of earlier iterations and these events rotate, all steps of a rotation
/// become the iteration. Each call then names the same event every time, and a replay can wait for
/// it. Returns true if that has to be confirmed.
bool RecorderState::follows_rotation() {
  if (stage_ == Stage::tracing || repetitions_.in_kind) return false;
  const EventRotation rotation = rotation_of(store_, repetitions_);
  unsteady_.clear();
  if (rotation.period == 1) return false;
  const std::uint64_t calls = rotation.period * repetitions_.calls;
  const bool fits = settings_.repetitions * calls <= SearchWindow::most_calls;
  if (rotation.period == 0 || by_range() || !fits) {
    unsteady_ = rotation.lagging;
    return false;
  }
  repetitions_ = joined(repetitions_, rotation.period);
  iterations_ /= rotation.period;
  const Repetition& last = repetitions_.all.back();
  watch_end_of(last.first, repetitions_.calls);
  start_following(last.end_us);
  return settings_.confirmed > 0;
}

/// The store keeps the repetitions until it has the traced ones, too.
void RecorderState::enough_followed() {
  if (follows_rotation()) return;
  digest_what_is_kept();
  if (stage_ == Stage::confirming && !by_range() && digest_ && digest_->recording.threads > 1 &&
      !digest_->recording.issuing->in_turns && search_one_thread(Parting::another_order)) {
    threads_.repeat_together();
    return search_again();
  }
  broken_ = std::nullopt;
  why_none_.clear();
  if (stage_ != Stage::tracing && settings_.traced > 0) {
    stage_ = Stage::watching;
    return;
  }
  traced_all_ = stage_ == Stage::tracing;
  be_done();
}

/// Keeps what was found.
void RecorderState::be_done() {
  store_.clear();
  repetitions_.all.clear();
  stage_ = Stage::done;
}

/// The iteration did not go on. What is known of it stays, in case no other is found.
void RecorderState::left(std::uint64_t at, std::uint64_t expected, std::uint64_t got) {
  const std::uint64_t calls = repetitions_.calls;
  broken_ = in_words({calls, iterations_, at, expected, got});
  const std::string threads =
      because_of_threads(by_range() ? Parting::another_order : Parting::broken_order);
  why_none_ = fmt::format(
      "{}{} had repeated {} times, then {}",
      threads.empty() ? "the loop changed while it was analysed: " : threads,
      calls == 1 ? "one call" : fmt::format("{} calls", calls), iterations_,
      calls == 1 ? "another followed" : fmt::format("they differed from call {} on", at));
  digest_what_is_kept();
  if (stage_ == Stage::tracing) return be_done();
  const bool in_kind = repetitions_.in_kind;
  search_again();
  if (by_range()) return;
  if (!in_kind) finder_.left();
  if (threads_.only() != 0) {
    search_all_threads();
  } else if (!threads.empty()) {
    search_one_thread(Parting::broken_order);
  }
}

void RecorderState::range_ended(double start_us, double end_us) {
  ++ranges_;
  const std::uint64_t calls = store_.size() - range_first_;
  if (calls == 0 || range_first_ < store_.oldest()) {
    why_none_ = calls == 0 ? "the range holds no calls to the driver"
                           : "the range holds more calls than are kept";
    return;
  }
  compare_range(calls);
  if (repetitions_.all.empty()) {
    repetitions_.calls = calls;
    calls_before_ = range_first_;
    iterations_ = 0;
  }
  ++iterations_;
  const bool tracing = stage_ == Stage::tracing;
  repetitions_.all.push_back({range_first_, start_us, end_us, tracing, hears_runtime()});
  const std::uint64_t enough =
      tracing ? settings_.traced : settings_.repetitions + settings_.confirmed;
  const std::uint64_t so_far = tracing ? ++followed_ : repetitions_.all.size();
  if (so_far >= enough) enough_followed();
}

/// Starts over if the range that has ended differs from the one before.
void RecorderState::compare_range(std::uint64_t calls) {
  if (repetitions_.all.empty()) return;
  const std::uint64_t before = repetitions_.all.back().first;
  const std::uint64_t at = first_difference(before, calls);
  if (at == std::max(calls, repetitions_.calls)) return;
  // If this range has one call more, the other one came to its end.
  const std::uint64_t expected = at < repetitions_.calls ? before + at : store_.size();
  if (stage_ == Stage::tracing) return left(at, expected, range_first_ + at);
  broken_ = in_words({repetitions_.calls, iterations_, at, expected, range_first_ + at});
  why_none_ = fmt::format("the ranges hold different calls, first at call {}", at);
  repetitions_.all.clear();
}

/// Returns the first call in which the range that has ended, of `calls` calls, differs from an
/// earlier one. If none differs, returns the shorter one's number of calls.
std::uint64_t RecorderState::first_difference(std::uint64_t before, std::uint64_t calls) const {
  if (before < store_.oldest()) return 0;
  const std::uint64_t both = std::min(calls, repetitions_.calls);
  for (std::uint64_t i = 0; i < both; ++i) {
    if (finder_.at(before + i) != finder_.at(range_first_ + i)) return i;
  }
  return both;
}

void RecorderState::take(std::span<const DeviceTime> times) {
  for (const DeviceTime& time : times) {
    DeviceTime& known = times_.try_emplace(time.correlation, time).first->second;
    known.start_us = std::min(known.start_us, time.start_us);
    known.end_us = std::max(known.end_us, time.end_us);
  }
  if (times_.size() > most_times) times_.clear();
}

}  // namespace trilane
