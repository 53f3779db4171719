#include "common/model/workload/steps/engine_order.hpp"

#include <algorithm>
#include <array>

namespace trilane {
namespace {

/// Returns the latest stage on each of the other engines.
StagePlaces on_others(const StagePlaces& places, const std::vector<Stage>& kinds,
                      std::uint32_t own) {
  std::array<const std::uint32_t*, engines> latest{};
  for (const std::uint32_t& place : places) {
    const std::uint32_t engine = engine_of(kinds[place]);
    if (engine == own) continue;
    if (latest[engine] == nullptr || *latest[engine] < place) latest[engine] = &place;
  }
  StagePlaces found;
  for (const std::uint32_t* place : latest) {
    if (place != nullptr) found.push_back(*place);
  }
  return found;
}

std::uint64_t sum(const std::vector<StagePlaces>& all) {
  std::uint64_t count = 0;
  for (const StagePlaces& places : all) count += places.size();
  return count;
}

}  // namespace

std::uint32_t engine_of(Stage stage) {
  switch (stage) {
    case Stage::copy_in: return 0;
    case Stage::clear:
    case Stage::transform: return 1;
    case Stage::copy_out: break;
  }
  return 2;
}

std::uint64_t EngineOrder::records() const {
  return static_cast<std::uint64_t>(std::ranges::count(recorded, true));
}
std::uint64_t EngineOrder::waits_within() const { return sum(within); }
std::uint64_t EngineOrder::waits_across() const { return sum(across); }

EngineOrder engine_order_of(const Workload& workload) {
  const StageOrder order = order_of(workload);
  const std::vector<Stage> kinds = kinds_of(workload);
  EngineOrder found;
  found.recorded.resize(kinds.size());
  for (std::size_t place = 0; place < kinds.size(); ++place) {
    const std::uint32_t engine = engine_of(kinds[place]);
    found.within.push_back(on_others(order.within[place], kinds, engine));
    found.across.push_back(on_others(order.across[place], kinds, engine));
    for (const StagePlaces* waits : {&found.within.back(), &found.across.back()}) {
      for (const std::uint32_t other : *waits) found.recorded[other] = true;
    }
  }
  return found;
}

}  // namespace trilane
