#include "common/processes/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "common/analysis/limits/bounds.hpp"
#include "common/analysis/statistics/statistics.hpp"
#include "common/analysis/verdict/break_even.hpp"
#include "common/processes/merge_price.hpp"
#include "common/results/find.hpp"

namespace trilane {

namespace {

using Parts = std::vector<const Comparison*>;

/// Those of one variant, by process; nothing in processes without it.
std::vector<const Measurement*> of_variant(const Parts& parts, const std::string& variant) {
  std::vector<const Measurement*> found;
  for (const Comparison* part : parts) {
    found.push_back(find_variant(*part, variant));
  }
  return found;
}

bool is_ok(const Measurement* m) { return m && m->status == Status::ok && !m->samples.empty(); }

double median_of(const std::vector<const Measurement*>& all, double Measurement::*field) {
  std::vector<double> values;
  for (const Measurement* m : all) {
    if (is_ok(m)) values.push_back(m->*field);
  }
  return values.empty() ? 0 : median(values);
}

std::vector<const Price*> prices_of(const std::vector<const Measurement*>& all) {
  std::vector<const Price*> prices;
  for (const Measurement* m : all) {
    if (is_ok(m) && m->price) prices.push_back(&*m->price);
  }
  return prices;
}

/// The first that failed speaks for all; otherwise the first that was measured does.
Measurement merged(const std::vector<const Measurement*>& all) {
  const auto failed = std::ranges::find_if(
      all, [](const Measurement* m) { return m && m->status == Status::failed; });
  const auto measured = std::ranges::find_if(all, is_ok);
  const auto chosen = failed != all.end() ? failed : measured != all.end() ? measured : all.begin();
  Measurement result = **chosen;
  if (failed != all.end()) {
    result.message = fmt::format("process {}: {}", chosen - all.begin() + 1, result.message);
  }
  result.samples.clear();
  result.checked_passes = 0;
  for (std::uint32_t process = 0; process < all.size(); ++process) {
    if (!all[process]) continue;
    result.checked_passes += all[process]->checked_passes;
    for (Sample sample : all[process]->samples) {
      sample.process = process;
      result.samples.push_back(sample);
    }
  }
  for (auto field :
       {&Measurement::setup_us, &Measurement::first_pass_us, &Measurement::teardown_us}) {
    result.*field = median_of(all, field);
  }
  result.price = merged(prices_of(all));
  return result;
}

/// Of several reasons to stop the gravest.
std::string stopped(const Parts& parts) {
  for (const char* reason : {"lost", "error", "interrupted", "time"}) {
    if (std::ranges::find(parts, reason, &Comparison::stopped) != parts.end()) return reason;
  }
  return parts.front()->stopped;
}

std::optional<Limit> lowest(const Parts& parts) {
  std::optional<Limit> limit;
  for (const Comparison* part : parts) {
    if (part->limit && !(limit && limit->bound_us <= part->limit->bound_us)) limit = part->limit;
  }
  return limit;
}

Comparison merged(const Parts& parts) {
  Comparison result = *parts.front();
  result.processes = static_cast<std::uint32_t>(parts.size());
  result.stopped = stopped(parts);
  result.limit = lowest(parts);
  result.rounds = 0;
  result.seconds = 0;
  for (const Comparison* part : parts) {
    if (part->workload.label() != result.workload.label() ||
        part->workload.bytes != result.workload.bytes) {
      throw std::invalid_argument(fmt::format("{} and {} in one comparison", part->workload.label(),
                                              result.workload.label()));
    }
    result.rounds += part->rounds;
    result.seconds += part->seconds;
  }
  for (Measurement& m : result.measurements) m = merged(of_variant(parts, m.variant));
  summarise(result);
  find_break_even(result);
  find_bounds(result);
  return result;
}

}  // namespace

Context merged_context(std::span<const Results> all) {
  if (all.empty()) throw std::invalid_argument("results of no process");
  Context context = all.front().context;
  const Context& last = all.back().context;
  context.finished = last.finished;
  context.gpu_after = last.gpu_after;
  for (const Results& results : all.subspan(1)) {
    for (auto list : {&Context::other_processes, &Context::notes}) {
      for (const std::string& line : results.context.*list) {
        auto& lines = context.*list;
        if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
      }
    }
  }
  return context;
}

Results merged(std::span<const Results> all) {
  Results result;
  result.context = merged_context(all);
  const auto most = std::ranges::max_element(
      all, {}, [](const Results& results) { return results.comparisons.size(); });
  for (std::size_t i = 0; i < most->comparisons.size(); ++i) {
    Parts parts;
    for (const Results& results : all) {
      if (i < results.comparisons.size()) parts.push_back(&results.comparisons[i]);
    }
    result.comparisons.push_back(merged(parts));
  }
  return result;
}

}  // namespace trilane
