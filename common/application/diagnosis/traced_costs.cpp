#include "common/application/diagnosis/traced_costs.hpp"

#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

constexpr double longest_return_us = 15;
/// If no wait of the recording had to wait; measured on an H200: 0.5 to 2.3.
constexpr double usual_return_us = 1;
/// An operation that starts this long after it could have was held up, and not by the tracer, which
/// makes a kernel occupy its stream about 5 us longer.
constexpr double held_up_us = 6;
/// Times are medians, so successive operations may seem to overlap a little.
constexpr double jitter_us = 1;

/// Returns the untraced gap as calibrated on an H200 (common/device/profile/h200.json,
/// stream.latency_us), in us:
/// - a kernel: 0.5 to 1.1 after a kernel or memset, 2.0 after a copy in, 3.0 after one out;
/// - a copy: 6.1 to 6.3 after a kernel, 0.2 to 0.3 after one in the same direction;
/// - a copy out after one in: 7.5; a copy in after one out: 0.6.
double usual_gap_us(RecordedEngine before, RecordedEngine after) {
  if (before == after) return is_copy(before) ? 0.3 : 1;
  if (!is_copy(after)) return 2;
  if (!is_copy(before)) return 6;
  return after == RecordedEngine::copy_out ? 7.5 : 0.6;
}

bool is_host_function(const RecordedCall& call) { return call.kind == CallKind::host_function; }

/// Adds what orders the call at a place, through host functions, to what is held.
void go_back(const IterationSchedule& schedule, std::size_t place, HeldStart& held) {
  const std::vector<RecordedCall>& calls = schedule.recording().calls;
  for (const Predecessor& one : schedule.order().at(place).after) {
    const std::size_t call = one.place % calls.size();
    if (const auto run = schedule.run_at(one.place)) {
      held.from_us = std::max(held.from_us, run->end_us);
      if (!held.before || run->end_us > held.before->end_us) held.before = run;
    } else if (is_host_function(calls[call]) && !includes(held.functions, call)) {
      held.functions.push_back(call);
      const double earlier_us = one.place < calls.size() ? schedule.period_us() : 0;
      held.from_us = std::max(held.from_us, calls[call].start_us - earlier_us);
      go_back(schedule, one.place, held);
    }
  }
}

}  // namespace

TracedCosts::TracedCosts(const IterationSchedule& schedule)
    : recording_(schedule.recording()),
      schedule_(schedule),
      returns_us_(recording_.calls.size()),
      holds_us_(recording_.calls.size()),
      held_up_by_(recording_.calls.size()) {
  time_host_functions();
  time_launches();
  time_gaps();
  time_waits();
  watch_engines();
}

void TracedCosts::time_host_functions() {
  for (const HeldStart& held : starts_held_by_host_functions(schedule_)) {
    held_.insert(held.next.call);
    for (const std::size_t call : held.functions) {
      const double us = held.us() / static_cast<double>(held.functions.size());
      holds_us_[call] = std::max(holds_us_[call], us);
    }
  }
}

/// Takes the least latency of each kind among launches that nothing held up. If all of a kind were
/// held up, the least is too long, so it is limited to that of other kinds.
void TracedCosts::time_launches() {
  double least_us = longest_latency_us;
  std::map<Launch, double> too_long_us;
  for (const OperationRun& run : schedule_.runs()) {
    if (held_.contains(run.call)) continue;
    const auto before = schedule_.last_before(run.call, 0, HUGE_VAL);
    const auto engine = schedule_.on_engine_before(run);
    const bool at_once = (!before || before->end_us <= run.issued_us) &&
                         (!engine || engine->end_us <= run.issued_us);
    const double us = std::clamp(run.start_us - run.issued_us, 0.0, longest_latency_us);
    auto& least = at_once ? launches_us_ : too_long_us;
    const auto known = least.emplace(launch_of(run.call), us).first;
    known->second = std::min(known->second, us);
    if (at_once) least_us = std::min(least_us, us);
  }
  for (const auto& [launch, us] : too_long_us) {
    launches_us_.emplace(launch, std::min(us, least_us));
  }
}

void TracedCosts::time_gaps() {
  for (const OperationRun& run : schedule_.runs()) {
    const auto before = schedule_.last_before(run.call, 0, HUGE_VAL);
    if (!before) continue;
    const Engines engines{schedule_.engine(before->call), schedule_.engine(run.call)};
    const double us = std::max(0.0, run.start_us - before->end_us);
    const auto known = gaps_us_.emplace(engines, us).first;
    known->second = std::min(known->second, us);
  }
}

std::optional<double> TracedCosts::awaited_us(std::size_t call) const {
  const bool own = host_wait_of(recording_.calls[call], recording_) == HostWait::itself;
  const auto run = own ? schedule_.run_of(call, 0) : schedule_.last_before(call, 0, HUGE_VAL);
  return run ? std::optional(run->end_us) : std::nullopt;
}

/// A call that only waits takes as long to return as others of its kind; others take more.
void TracedCosts::time_waits() {
  std::vector<double> seen_us;
  for (std::size_t i = 0; i < recording_.calls.size(); ++i) {
    const RecordedCall& call = recording_.calls[i];
    const double returned = call.start_us + call.host_us;
    const double awaited = awaited_us(i).value_or(-HUGE_VAL);
    if (only_waits(call.kind)) {
      if (awaited > call.start_us) seen_us.push_back(returned - awaited);
    } else {
      returns_us_[i] = std::clamp(returned - std::max(call.start_us, awaited), 0.0,
                                  call.call_us.value_or(call.host_us));
    }
  }
  const double us = seen_us.empty() ? usual_return_us : median(seen_us);
  for (std::size_t i = 0; i < recording_.calls.size(); ++i) {
    if (!only_waits(recording_.calls[i].kind)) continue;
    returns_us_[i] = std::clamp(us, 0.0, longest_return_us);
  }
}

void TracedCosts::watch_engines() {
  std::map<RecordedEngine, double> busy_until;
  for (const OperationRun& run : schedule_.steady_runs()) {
    const RecordedEngine engine = schedule_.engine(run.call);
    double& until = busy_until.emplace(engine, run.start_us).first->second;
    if (run.start_us < until - jitter_us) overlapping_.insert(engine);
    until = std::max(until, run.end_us);
  }
  for (const OperationRun& run : schedule_.runs()) held_up_by_[run.call] = holder_of(run);
}

std::optional<std::size_t> TracedCosts::holder_of(const OperationRun& run) const {
  const auto holder = schedule_.on_engine_before(run);
  const auto before = schedule_.last_before(run.call, 0, HUGE_VAL);
  const double ready =
      std::max(run.issued_us + launch_us(run.call), before ? before->end_us : -HUGE_VAL);
  if (!holder || holder->end_us < ready + held_up_us) return std::nullopt;
  const double back = -schedule_.repetition_of(*holder);
  if (back > 1 || (back == 0 && holder->call >= run.call)) return std::nullopt;
  return holder->call + (back == 0 ? recording_.calls.size() : 0);
}

double TracedCosts::launch_us(std::size_t call) const {
  const auto known = launches_us_.find(launch_of(call));
  return known == launches_us_.end() ? 0 : known->second;
}

double TracedCosts::gap_us(RecordedEngine before, RecordedEngine after, double share) const {
  const double usual = usual_gap_us(before, after);
  const auto known = gaps_us_.find({before, after});
  const double traced = known == gaps_us_.end() ? usual : known->second;
  const double least = std::min(usual, traced);
  return before == after ? least : std::lerp(least, std::max(usual, traced), share);
}

std::vector<HeldStart> starts_held_by_host_functions(const IterationSchedule& schedule) {
  std::vector<HeldStart> all;
  const std::vector<RecordedCall>& calls = schedule.recording().calls;
  if (!schedule.repeats() || std::ranges::none_of(calls, is_host_function)) return all;
  for (const OperationRun& run : schedule.runs()) {
    HeldStart held{.next = run, .from_us = -HUGE_VAL};
    go_back(schedule, calls.size() + run.call, held);
    if (held.functions.empty()) continue;
    if (run.issued_us > held.from_us) held.from_us = run.issued_us + schedule.latency_us();
    if (held.us() > 0) all.push_back(held);
  }
  return all;
}

std::vector<double> host_function_costs_us(const IterationSchedule& schedule) {
  std::vector<double> costs_us(schedule.recording().calls.size());
  const std::vector<HeldStart> all = starts_held_by_host_functions(schedule);
  if (all.empty()) return costs_us;
  const TracedCosts costs(schedule);
  for (const HeldStart& held : all) {
    const auto& before = held.before;
    const double gap_us =
        before ? costs.gap_us(schedule.engine(before->call), schedule.engine(held.next.call), 0)
               : 0;
    const double us =
        std::max(0.0, held.us() - gap_us) / static_cast<double>(held.functions.size());
    for (const std::size_t call : held.functions) costs_us[call] = std::max(costs_us[call], us);
  }
  return costs_us;
}

}  // namespace trilane
