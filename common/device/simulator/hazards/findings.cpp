#include "common/device/simulator/hazards/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace trilane::simulator {

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
    case Hazard::api_in_host_function: break;
  }
  return "API in host function";
}

std::string describe(const Range& range, Place place) {
  return fmt::format("{:#x}-{:#x} ({} bytes of {} memory)", range.begin, range.end, range.size(),
                     name_of(place));
}

void Findings::add(Hazard hazard, std::string text, const Operation* other, const Range& range,
                   Place place) {
  if (is_full()) return;
  // Adjacent bytes often have the same error.
  for (Finding& same : added_) {
    if (same.range.end != range.begin || same.hazard != hazard || same.text != text) continue;
    same.range.end = range.end;
    return;
  }
  added_.push_back({hazard, std::move(text), other == nullptr ? "" : other->lane, range, place});
}

void Findings::keep_one_of_each_since(std::size_t first) {
  std::set<std::pair<Hazard, std::string>> said;
  const auto is_repeated = [&](const Finding& one) {
    return !said.emplace(one.hazard, one.text).second;
  };
  const auto begin = added_.begin() + static_cast<std::ptrdiff_t>(first);
  added_.erase(std::remove_if(begin, added_.end(), is_repeated), added_.end());
}

void Findings::report_added(const std::string& culprit, const std::string& lane) {
  for (const Finding& found : added_) {
    const auto [begin, end] = found.range;
    if (!reported_.emplace(found.hazard, begin, end, lane, found.other_lane).second) continue;
    report(found.hazard,
           fmt::format("{} {}: {}", culprit, found.text, describe(found.range, found.place)));
  }
  added_.clear();
}

void Findings::clear() {
  reports_.clear();
  reported_.clear();
}

}  // namespace trilane::simulator
