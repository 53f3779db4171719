#include "common/application/prediction/ways/ways.hpp"

#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"

namespace trilane {
namespace {

using Clock = std::array<std::uint32_t, planned_engines>;

void join(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

std::uint32_t number_of(RecordedEngine engine) {
  if (engine == RecordedEngine::copy_in) return 0;
  return engine == RecordedEngine::copy_out ? 1 : 2;
}

struct Issued {
  std::uint32_t call = 0, engine = 0;
  Clock done{};  ///< by engine the number of the last operation, from 1; including itself
};

struct Access {
  std::size_t operation;  ///< index among the issued operations
  UsedRange range;
};

class Planner {
 public:
  explicit Planner(const ApplicationRecording& recording) : recording_(recording) {}

  /// Walks through the iteration twice, because the first one has no predecessor.
  std::vector<EngineStep> plan() {
    std::vector<EngineStep> steps;
    for (int repetition = 0; repetition < 2; ++repetition) {
      steps.clear();
      for (std::uint32_t i = 0; i < recording_.calls.size(); ++i) {
        if (is_simulated(recording_.calls[i])) steps.push_back(operation(i));
        if (ends_segment(recording_.calls[i], recording_)) steps.push_back(wait(i));
      }
    }
    for (EngineStep& step : steps) {
      step.needed = step.operation && needed_.contains(step.call);
    }
    return steps;
  }

 private:
  using ByEngine = std::array<std::vector<Access>, planned_engines>;
  /// The latest operation of each engine that must come before, if any.
  using Latest = std::array<std::optional<std::size_t>, planned_engines>;

  void look_for(const UsedRange& range, const ByEngine& accesses, const Clock& clock,
                Latest& latest) const {
    for (std::size_t engine = 0; engine < planned_engines; ++engine) {
      for (auto access = accesses[engine].rbegin(); access != accesses[engine].rend(); ++access) {
        const bool known = issued_[access->operation].done[engine] <= clock[engine];
        const bool later_found = latest[engine] && *latest[engine] >= access->operation;
        if (known || later_found) break;
        if (conflict(access->range, range)) latest[engine] = access->operation;
      }
    }
  }

  /// Returns what a call must follow because of its data, by engine.
  Latest before(const RecordedCall& call, const Clock& clock) {
    Latest latest;
    const auto consider = [&](std::size_t engine, std::optional<std::size_t> operation) {
      const bool counts = operation && issued_[*operation].done[engine] > clock[engine];
      if (counts && (!latest[engine] || *latest[engine] < *operation)) latest[engine] = operation;
    };
    for (std::size_t engine = 0; engine < planned_engines; ++engine) {
      consider(engine, call.uses.empty() ? last_[engine] : uses_all_[engine]);
    }
    for (const UsedRange& range : call.uses) {
      look_for(range, memory_[range.memory], clock, latest);
    }
    return latest;
  }

  EngineStep operation(std::uint32_t i) {
    const RecordedCall& call = recording_.calls[i];
    EngineStep step{.call = i, .engine = number_of(engine_of(call, recording_))};
    Clock clock = host_;
    if (const auto& last = last_[step.engine]) join(clock, issued_[*last].done);
    Latest latest = before(call, clock);
    std::ranges::sort(latest, std::greater{});  // a later one may imply an earlier one
    for (const auto& one : latest) {
      if (!one) continue;
      const Issued& issued = issued_[*one];
      if (issued.done[issued.engine] <= clock[issued.engine]) continue;
      join(clock, issued.done);
      step.after_calls.push_back(issued.call);
      needed_.insert(issued.call);
    }
    add(call, step.engine, clock, i);
    return step;
  }

  void add(const RecordedCall& call, std::uint32_t engine, Clock clock, std::uint32_t i) {
    clock[engine] = ++counts_[engine];
    last_[engine] = issued_.size();
    if (call.uses.empty()) uses_all_[engine] = issued_.size();
    for (const UsedRange& range : call.uses) {
      memory_[range.memory][engine].push_back({issued_.size(), range});
    }
    issued_.push_back({i, engine, clock});
  }

  /// Waits on the engine of the latest operation, which follows many others.
  EngineStep wait(std::uint32_t i) {
    EngineStep step{
        .call = i, .engine = issued_.empty() ? 2 : issued_.back().engine, .operation = false};
    const Clock done = issued_.empty() ? host_ : issued_.back().done;
    for (std::uint32_t engine = 0; engine < planned_engines; ++engine) {
      if (counts_[engine] > std::max(done[engine], host_[engine])) step.join.push_back(engine);
    }
    host_ = counts_;
    return step;
  }

  const ApplicationRecording& recording_;
  std::vector<Issued> issued_;
  std::map<std::uint32_t, ByEngine> memory_;
  Latest last_{}, uses_all_{};
  Clock counts_{}, host_{};
  std::set<std::uint32_t> needed_;  // calls
};

}  // namespace

std::vector<EngineStep> engine_plan(const ApplicationRecording& recording) {
  return Planner(recording).plan();
}

}  // namespace trilane
