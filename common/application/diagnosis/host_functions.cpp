#include "common/application/diagnosis/host_functions.hpp"

#include "common/application/diagnosis/traced_costs.hpp"

namespace trilane {
namespace {

bool is_host_function(const RecordedCall& call) { return call.kind == CallKind::host_function; }

/// Adds what orders the call at a place, through host functions, to what is held.
void go_back(const IterationSchedule& schedule, std::size_t place, HeldStart& held) {
  const std::vector<RecordedCall>& calls = schedule.recording().calls;
  for (const Predecessor& one : schedule.order().at(place).after) {
    const std::size_t call = one.place % calls.size();
    if (const auto run = schedule.run_at(one.place)) {
      held.from_us = std::max(held.from_us, run->end_us);
      if (!held.before || run->end_us > held.before->end_us) held.before = run;
    } else if (is_host_function(calls[call]) &&
               std::ranges::find(held.functions, call) == held.functions.end()) {
      held.functions.push_back(call);
      const double earlier_us = one.place < calls.size() ? schedule.period_us() : 0;
      held.from_us = std::max(held.from_us, calls[call].start_us - earlier_us);
      go_back(schedule, one.place, held);
    }
  }
}

}  // namespace

std::vector<HeldStart> starts_held_by_host_functions(const IterationSchedule& schedule) {
  std::vector<HeldStart> all;
  const std::vector<RecordedCall>& calls = schedule.recording().calls;
  if (!schedule.repeats() || std::ranges::none_of(calls, is_host_function)) return all;
  for (const OperationRun& run : schedule.runs()) {
    HeldStart held{.functions = {}, .next = run, .before = {}, .from_us = -HUGE_VAL};
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
