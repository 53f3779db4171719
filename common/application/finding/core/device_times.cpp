#include <algorithm>
#include <unordered_map>

#include "common/application/finding/core/digest.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

struct Span {
  double start_us, end_us;
};

/// Returns one span for each call: a graph's operations share the number of its launch.
std::unordered_map<std::uint32_t, Span> by_correlation(std::span<const DeviceTime> times) {
  std::unordered_map<std::uint32_t, Span> spans;
  for (const DeviceTime& time : times) {
    const auto [at, added] = spans.emplace(time.correlation, Span{time.start_us, time.end_us});
    at->second.start_us = std::min(at->second.start_us, time.start_us);
    at->second.end_us = std::max(at->second.end_us, time.end_us);
  }
  return spans;
}

}  // namespace

void add_device_times(std::vector<RecordedCall>& calls, const Digest& digest,
                      std::span<const DeviceTime> times) {
  const auto spans = by_correlation(times);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    std::vector<double> starts_us, lengths_us;
    for (const Digest::Traced& traced : digest.traced) {
      const auto span = spans.find(traced.correlations[i]);
      if (span == spans.end()) continue;
      starts_us.push_back(span->second.start_us - traced.start_us);
      lengths_us.push_back(std::max(0.0, span->second.end_us - span->second.start_us));
    }
    if (starts_us.empty()) continue;
    calls[i].device_start_us = median(starts_us);
    calls[i].device_us = median(lengths_us);
  }
}

}  // namespace trilane
