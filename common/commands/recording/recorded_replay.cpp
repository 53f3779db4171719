#include "common/commands/recording/recorded_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "common/application/iteration/recorder_status.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "common/base/json/input_file.hpp"
#include "common/base/text/size.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/processes/merge.hpp"

namespace trilane {
namespace {

constexpr double longest_replay_us = 3600e6, us_in_second = 1e6;
constexpr std::uint32_t most_repeats = 10'000, most_processes = 1000;

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

Environment replay_environment(const Given& given, const std::filesystem::path& file) {
  if (given.has("no-replay")) {
    for (const char* option : {"stop", "time", "processes", "aa", "snapshot"}) {
      given.forbid(option, "there is no replay with --no-replay");
    }
    return {};
  }
  Environment environment{{replay_variable, file}};
  const auto repeats = given.count("aa", 1U, most_repeats);
  if (repeats) environment.emplace_back(replay_repeats_variable, fmt::to_string(*repeats));
  if (const auto us = given.time_us("time", longest_replay_us)) {
    environment.emplace_back(replay_seconds_variable, fmt::to_string(*us / us_in_second));
  } else if (repeats) {
    environment.emplace_back(replay_seconds_variable, "0.2");
  }
  if (const auto bytes = given.read("snapshot", parse_size)) {
    environment.emplace_back(replay_bytes_variable, fmt::to_string(*bytes));
  }
  if (given.has("stop")) environment.emplace_back(replay_stop_variable, "1");
  return environment;
}

std::uint32_t processes_in(const Given& given) {
  const auto processes = given.count("processes", 1U, most_processes);
  if (processes && given.has("aa")) {
    given.forbid("processes", "--aa compares within one process");
  }
  return processes.value_or(1);
}

std::optional<ReplayRecord> replay_in(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  ReplayRecord record = replay_from_json(content_of_input(file));
  if (record.comparison) {
    record.comparison->host_us = record.host_us;
    derive(*record.comparison, "");
  }
  for (Comparison& comparison : record.with_itself) derive(comparison, "");
  return record;
}

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
