#include "common/device/simulator/hazards/hazard_report.hpp"

#include <fmt/format.h>

namespace trilane::simulator {

namespace {

const char* name_of(Place place) {
  switch (place) {
    case Place::device: return "device";
    case Place::pool: return "pool";
    case Place::graph: return "graph";
    case Place::pinned: return "pinned";
    case Place::registered: return "registered";
    case Place::pageable: return "pageable";
  }
  return "";
}

}  // namespace

std::string name_of(Hazard hazard) {
  switch (hazard) {
    case Hazard::unordered: return "unordered";
    case Hazard::uninitialised_read: return "uninitialised read";
    case Hazard::use_before_allocation: return "use before allocation";
    case Hazard::use_after_free: return "use after free";
    case Hazard::free_before_last_use: return "free before last use";
    case Hazard::double_free: return "double free";
    case Hazard::host_touched: return "host touched";
    case Hazard::outside: return "outside";
    case Hazard::never_finishes: return "never finishes";
    case Hazard::api_in_host_function: return "API in host function";
  }
  return "";
}

std::string describe(const Range& range, Place place) {
  return fmt::format("{:#x}-{:#x} ({} bytes of {} memory)", range.begin, range.end, range.size(),
                     name_of(place));
}

}  // namespace trilane::simulator
