#include "common/device/simulator/hazards/findings.hpp"

#include <fmt/format.h>

#include <utility>

namespace trilane::simulator {

void Findings::add(Hazard hazard, std::string text, const Operation* other, const Range& range,
                   Place place) {
  // Adjacent bytes often have the same mistake.
  for (Finding& same : added_) {
    if (same.hazard != hazard || same.text != text || same.range.end != range.begin) continue;
    same.range.end = range.end;
    return;
  }
  added_.push_back({hazard, std::move(text), other == nullptr ? "" : other->lane, range, place});
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
