#include "common/application/recorder/listening/graph_costs.hpp"

#include "common/application/recorder/driver/driver_surroundings.hpp"

namespace trilane {
namespace {

/// Free device memory before the thread's call; 0: it is not measured.
thread_local std::size_t free_before = 0;

std::size_t free_now() {
  std::size_t free = 0, all = 0;
  return driver_functions().cuMemGetInfo(&free, &all) == CUDA_SUCCESS ? free : 0;
}

}  // namespace

void GraphCosts::enters(const ListenedCall& what, const void* parameters, bool captures) {
  free_before = 0;
  bool takes = what.graph == GraphCall::made;
  if (what.change == nullptr && unlaunched_ > 0) {
    ObservedCall call;
    what.decode(parameters, call);
    const auto found = live_.find(call.executable);
    takes = found != live_.end() && found->second.launches == 0;
  }
  if (takes && !captures) free_before = free_now();
}

std::uint64_t GraphCosts::taken() {
  const std::size_t before = std::exchange(free_before, 0), now = before == 0 ? 0 : free_now();
  return now == 0 ? 0 : before - std::min(before, now);
}

/// Without a stack it counts where graphs of the same size were made. A handle that is known was
/// released unheard.
void GraphCosts::made(const ObservedCall& call, std::uint64_t nodes, std::uint32_t era) {
  released(call.executable, 0);
  const auto found = std::ranges::find_if(sites_, [&](const Site& one) {
    return call.stack == nullptr ? one.costs.nodes == nodes : one.stack == call.stack;
  });
  Site& site = found == sites_.end() ? sites_.emplace_back(call.stack) : *found;
  const auto before = live_.find(std::exchange(site.latest, call.executable));
  site.costs.again += before != live_.end() && before->second.launches > 0;
  live_[call.executable] = {&site, era};
  ++unlaunched_;
}

void GraphCosts::released(std::uint64_t executable, std::uint32_t era) {
  const auto found = live_.find(executable);
  if (found == live_.end()) return;
  const auto& [site, made_in, launches] = found->second;
  const bool heard = era != 0 && made_in == era;
  ++site->costs.destroyed;
  site->costs.never += heard && launches == 0;
  site->costs.once += heard && launches == 1;
  unlaunched_ -= launches == 0;
  live_.erase(found);
}

void GraphCosts::note(GraphCall what, const ObservedCall& call, std::uint64_t bytes,
                      std::uint64_t nodes, std::uint32_t era) {
  if (what == GraphCall::released) return released(call.executable, era);
  if (what == GraphCall::made) made(call, nodes, era);
  const auto found = live_.find(call.executable);
  if (found == live_.end()) return;
  auto& [site, made_in, launches] = found->second;
  RecordedExecutables& costs = site->costs;
  if (nodes > 0) costs.nodes = nodes;
  costs.bytes += bytes;
  const auto count = [&](std::uint64_t& calls, double& us) {
    ++calls;
    us += call.end_us - call.begin_us;
  };
  if (what == GraphCall::made) count(costs.made, costs.instantiate_us);
  if (what == GraphCall::updated) count(costs.updates, costs.update_us);
  if (what == GraphCall::node_set || what == GraphCall::lost) count(costs.sets, costs.set_us);
  if (what != GraphCall::launched) return;
  count(costs.launches, costs.launch_us);
  unlaunched_ -= launches == 0;
  costs.reused += launches++ > 0 && site->latest != call.executable;
}

void GraphCosts::add_to(RecordedResources& recorded, StackNumbers& stacks) const {
  for (const Site& site : sites_) {
    RecordedExecutables& one = recorded.executables.emplace_back(site.costs);
    if (site.stack != nullptr) one.stack = stacks.number_of(*site.stack, recorded.source);
  }
}

}  // namespace trilane
