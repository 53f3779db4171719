#include "common/model/workload/pipeline/conflicts.hpp"

namespace trilane {
namespace {

constexpr std::uint64_t bit(std::uint32_t stage) { return std::uint64_t{1} << stage; }
static_assert(most_stages <= 64);

std::vector<std::uint32_t> waited_for(const Pipeline& pipeline, std::uint32_t stage) {
  const StageSpec& later = pipeline.stages[stage];
  if (later.states_order) return later.after;
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < stage; ++i) {
    if (conflict(pipeline, pipeline.stages[i], later)) found.push_back(i);
  }
  return found;
}

}  // namespace

bool is_copied(const Pipeline& pipeline, Stage way, std::uint32_t buffer) {
  return std::ranges::any_of(pipeline.stages, [&](const StageSpec& stage) {
    return stage.stage == way && stage.buffer == buffer;
  });
}

std::vector<BufferUse> uses_of(const Pipeline& pipeline, const StageSpec& stage) {
  switch (stage.stage) {
    case Stage::copy_in:
    case Stage::clear: return {{stage.buffer, false, true}};
    case Stage::copy_out: return {{stage.buffer, true, false}};
    case Stage::transform: break;
  }
  std::vector<BufferUse> uses;
  for (const Argument& argument : pipeline.kernels[stage.kernel].arguments) {
    const bool reads = is_read(argument.kind), writes = is_written(argument.kind);
    if (reads || writes) uses.push_back({argument.buffer, reads, writes});
  }
  return uses;
}

bool conflict(const Pipeline& pipeline, const StageSpec& earlier, const StageSpec& later) {
  const std::vector<BufferUse> others = uses_of(pipeline, later);
  return std::ranges::any_of(uses_of(pipeline, earlier), [&](const BufferUse& one) {
    return std::ranges::any_of(others, [&](const BufferUse& other) {
      return one.buffer == other.buffer && (one.writes || other.writes);
    });
  });
}

std::vector<std::vector<std::uint32_t>> needed_order(const Pipeline& pipeline) {
  std::vector<std::vector<std::uint32_t>> order;
  std::vector<std::uint64_t> before;  // of each stage so far
  for (std::uint32_t i = 0; i < pipeline.stages.size(); ++i) {
    std::vector<std::uint32_t> candidates = waited_for(pipeline, i);
    std::ranges::sort(candidates, std::greater{});
    std::uint64_t reached = 0;
    std::vector<std::uint32_t>& direct = order.emplace_back();
    for (const std::uint32_t candidate : candidates) {
      // Later stages come first, and none waits for a later one, so no kept stage is reached later.
      if ((reached & bit(candidate)) != 0) continue;
      reached |= bit(candidate) | before[candidate];
      direct.push_back(candidate);
    }
    std::ranges::reverse(direct);
    before.push_back(reached);
  }
  return order;
}

std::vector<std::uint64_t> stages_before(const std::vector<std::vector<std::uint32_t>>& order) {
  std::vector<std::uint64_t> before;
  for (const std::vector<std::uint32_t>& direct : order) {
    std::uint64_t reached = 0;
    for (const std::uint32_t stage : direct) reached |= bit(stage) | before[stage];
    before.push_back(reached);
  }
  return before;
}

}  // namespace trilane
