#include "common/explain/analysis/trace/intervals.hpp"

namespace trilane {

Intervals::Intervals(std::vector<Interval> any) {
  std::ranges::sort(any);
  for (const Interval& next : any) {
    if (!(next.second > next.first)) continue;
    if (all_.empty() || next.first > all_.back().second) {
      all_.push_back(next);
    } else {
      all_.back().second = std::max(all_.back().second, next.second);
    }
  }
}

double Intervals::length() const {
  double sum = 0;
  for (const auto& [begin, end] : all_) sum += end - begin;
  return sum;
}

Intervals Intervals::operator&(const Intervals& other) const {
  Intervals both;
  for (auto a = all_.begin(), b = other.all_.begin(); a != all_.end() && b != other.all_.end();) {
    const double begin = std::max(a->first, b->first), end = std::min(a->second, b->second);
    if (end > begin) both.all_.emplace_back(begin, end);
    ++(a->second < b->second ? a : b);
  }
  return both;
}

}  // namespace trilane
