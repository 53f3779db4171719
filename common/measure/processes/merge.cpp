#include "common/measure/processes/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "common/explain/analysis/derive.hpp"
#include "common/measure/processes/merge_members.hpp"
#include "common/model/results/find.hpp"

namespace trilane {

namespace {

using merging::Member;

/// Returns one variant's measurements, by process; nullptr for processes without it.
std::vector<const Measurement*> of_variant(const Parts<Comparison>& parts,
                                           const std::string& variant) {
  std::vector<const Measurement*> found;
  for (const Comparison* part : parts) found.push_back(find_variant(*part, variant));
  return found;
}

bool has_samples(const Comparison* part) {
  return std::ranges::any_of(part->measurements,
                             [](const Measurement& m) { return !m.samples.empty(); });
}

struct ComparisonRules {
  const Parts<Comparison>& parts;

  /// Requires equal workloads. Rounds may differ, because with --kernel-time each process finds its
  /// own.
  void operator()(Member<&Comparison::workload>, const Workload& first) const {
    for (const Comparison* part : parts) {
      const Workload& other = part->workload;
      if (other.label() == first.label() && other.bytes == first.bytes) continue;
      throw std::invalid_argument(
          fmt::format("cannot merge {} with {}", other.label(), first.label()));
    }
  }
  void operator()(Member<&Comparison::processes>, std::uint32_t& processes) const {
    const auto last = std::ranges::find_if(parts.rbegin(), parts.rend(), has_samples);
    const auto measured = static_cast<std::uint32_t>(parts.rend() - last);
    processes = measured > 0 ? measured : static_cast<std::uint32_t>(parts.size());
  }
  /// Takes the smallest: with long passes, processes may queue different numbers.
  void operator()(Member<&Comparison::batch>, std::uint32_t& batch) const {
    for (const Comparison* part : parts) batch = std::min(batch, part->batch);
  }
  /// Takes the most severe reason.
  void operator()(Member<&Comparison::stopped>, std::string& stopped) const {
    for (const char* reason : {"time", "interrupted", "error", "lost"}) {
      if (std::ranges::find(parts, reason, &Comparison::stopped) != parts.end()) stopped = reason;
    }
  }
  /// Takes the one with the lowest bound.
  void operator()(Member<&Comparison::limit>, std::optional<Limit>& lowest) const {
    for (const Comparison* part : parts) {
      const auto& limit = part->limit;
      if (limit && !(lowest && lowest->bound_us <= limit->bound_us)) lowest = limit;
    }
  }
  /// Joins the times of all, and takes the mean of CUPTI's overhead.
  void operator()(Member<&Comparison::watched>, std::optional<Watched>& watched) const {
    watched = std::nullopt;
    double cupti_us = 0, processes = 0;
    for (std::uint32_t process = 0; process < parts.size(); ++process) {
      const std::optional<Watched>& part = parts[process]->watched;
      if (!part) continue;
      if (!watched) watched.emplace();
      cupti_us += part->cupti_us;
      ++processes;
      for (WatchedTime time : part->times) {
        time.process = process;
        watched->times.push_back(time);
      }
    }
    if (watched) watched->cupti_us = cupti_us / processes;
  }
  void operator()(Member<&Comparison::measurements>, std::vector<Measurement>& all) const {
    for (Measurement& m : all) m = merged_variant(of_variant(parts, m.variant));
  }
};

Comparison merged(const Parts<Comparison>& parts) {
  Comparison result = *parts.front();
  merge_members(result, parts, ComparisonRules{parts});
  return result;
}

}  // namespace

Context merged(const Parts<Context>& all) {
  if (all.empty()) throw std::invalid_argument("no results to merge");
  Context context = *all.front();
  merge_members(context, all);
  return context;
}

Results merged(std::span<const Results> all) {
  static_assert(boost::pfr::tuple_size_v<Results> == 4, "merge the new member here");
  Results result{.context = merged_context(all), .answers = {}, .doubts = {}, .comparisons = {}};
  const auto most = std::ranges::max_element(
      all, {}, [](const Results& results) { return results.comparisons.size(); });
  for (std::size_t i = 0; i < most->comparisons.size(); ++i) {
    Parts<Comparison> parts;
    for (const Results& results : all) {
      if (i < results.comparisons.size()) parts.push_back(&results.comparisons[i]);
    }
    derive(result.comparisons.emplace_back(merged(parts)), result.context.simulated);
  }
  derive_answers(result);
  return result;
}

}  // namespace trilane
