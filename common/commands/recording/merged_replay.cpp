#include "common/commands/recording/merged_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "common/explain/analysis/derive.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/processes/merge.hpp"

namespace trilane {
namespace {

template <typename Of>
double median_of(const std::vector<ReplayRecord>& records, Of of) {
  std::vector<double> values;
  for (const ReplayRecord& record : records) values.push_back(of(record));
  return median(values);
}

/// Throws unless the numbers of calls, operations and bytes are the same.
void ensure_same(const Comparison& first, const Comparison& other) {
  const std::optional<RecordedCalls>& one = first.workload.recorded;
  const std::optional<RecordedCalls>& two = other.workload.recorded;
  if (one == two) return;
  throw std::invalid_argument(fmt::format(
      "one has {} calls that copy {} bytes, another {} that copy {}, or other operations",
      one->calls, one->in_bytes + one->out_bytes, two->calls, two->in_bytes + two->out_bytes));
}

/// Merges the lists; for memory that is uncertain in several processes, keeps the largest number of
/// differing bytes.
void unite(std::vector<UncertainMemory>& all, const std::vector<UncertainMemory>& more) {
  for (const UncertainMemory& memory : more) {
    const auto known = std::ranges::find(all, memory.memory, &UncertainMemory::memory);
    if (known == all.end()) {
      all.push_back(memory);
    } else {
      known->bytes = std::max(known->bytes, memory.bytes);
    }
  }
}

}  // namespace

ReplayRecord merged_replay(const std::vector<ReplayRecord>& records) {
  if (records.empty()) throw std::invalid_argument("no replays to merge");
  ReplayRecord all = records.front();
  if (records.size() == 1) return all;
  std::vector<Results> results;
  for (const ReplayRecord& record : records) {
    ensure_same(*records.front().comparison, *record.comparison);
    results.emplace_back().comparisons = {*record.comparison};
    unite(all.uncertain, record.uncertain);
    all.overlaps = all.overlaps || record.overlaps;
    all.beside_cupti = all.beside_cupti || record.beside_cupti;
  }
  all.comparison = merged(results).comparisons.front();
  all.host_us = median_of(records, [](const ReplayRecord& record) { return record.host_us; });
  all.cupti_us = median_of(records, [](const ReplayRecord& record) { return record.cupti_us; });
  all.comparison->host_us = all.host_us;
  derive(*all.comparison, "");
  return all;
}

}  // namespace trilane
