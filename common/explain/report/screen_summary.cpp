#include "common/explain/report/screen_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "common/base/text/layout.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/report/report.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

struct Tally {
  std::vector<std::string> failed, not_run, not_supported;  // "graph on launch: why"
  std::size_t ok = 0, unchecked = 0;
};

Tally tally_of(const Results& results) {
  Tally tally;
  for (const Comparison& comparison : results.comparisons) {
    for (const Measurement& m : comparison.measurements) {
      std::string name = fmt::format("{} on {}", m.variant, comparison.workload.label());
      if (!m.message.empty()) name += ": " + m.message;
      switch (m.status) {
        case Status::ok:
          ++tally.ok;
          tally.unchecked += m.checked_passes == 0;
          break;
        case Status::failed:
        case Status::out_of_memory: tally.failed.push_back(name); break;
        case Status::not_run: tally.not_run.push_back(name); break;
        case Status::not_supported: tally.not_supported.push_back(name); break;
      }
    }
  }
  return tally;
}

/// Variants that are not supported on the same workloads.
struct LeftOut {
  std::vector<std::size_t> workloads;
  std::vector<std::string> variants;
};

/// Returns each variant that some workload does not support, those of most workloads first.
std::vector<LeftOut> variants_left_out(const std::vector<Comparison>& comparisons) {
  std::vector<LeftOut> single;
  for (std::size_t workload = 0; workload < comparisons.size(); ++workload) {
    for (const Measurement& m : comparisons[workload].measurements) {
      if (m.status != Status::not_supported) continue;
      const auto is_it = [&](const LeftOut& one) { return one.variants.front() == m.variant; };
      auto found = std::ranges::find_if(single, is_it);
      if (found == single.end()) found = single.insert(found, {{}, {m.variant}});
      found->workloads.push_back(workload);
    }
  }
  std::vector<LeftOut> groups;
  for (const LeftOut& one : single) {
    auto found = std::ranges::find(groups, one.workloads, &LeftOut::workloads);
    if (found == groups.end()) found = groups.insert(found, {one.workloads, {}});
    found->variants.push_back(one.variants.front());
  }
  std::ranges::stable_sort(groups, std::greater{},
                           [](const LeftOut& group) { return group.workloads.size(); });
  return groups;
}

/// Returns "on 5 of 6 workloads: fused; on 2 of 6: batch and graph_early", or the variants alone if
/// there is one workload.
std::string left_out_text(const std::vector<Comparison>& comparisons) {
  const std::size_t all = comparisons.size();
  std::string text;
  for (const LeftOut& group : variants_left_out(comparisons)) {
    const std::string variants = shortened(group.variants);
    if (all == 1) return ": " + variants;
    text += fmt::format("{} on {} of {}: {}", text.empty() ? "" : ";", group.workloads.size(),
                        text.empty() ? counted(all, "workload") : std::to_string(all), variants);
  }
  return text;
}

/// Returns the first name, and how many more there are.
std::string first_of(const std::vector<std::string>& names) {
  const std::size_t more = names.size() - 1;
  return more == 0 ? names.front() : fmt::format("({} more) {}", more, names.front());
}

std::string machine(const Context& context) {
  if (!context.simulated.empty()) return fmt::format("Simulated {}", context.simulated);
  std::vector<std::string> parts;
  const auto add = [&](const char* before, const char* name) {
    const std::string value = value_of(context.gpu, name);
    if (!value.empty()) parts.push_back(before + value);
  };
  add("", "name");
  add("driver ", "driver_version");
  add("CUDA ", "cuda_runtime_version");
  return parts.empty() ? "Unknown GPU" : fmt::format("{}", fmt::join(parts, ", "));
}

/// Says whether the results were right, as far as there were any.
std::string outcome(const Results& results) {
  const Tally tally = tally_of(results);
  std::string text;
  if (tally.ok == 0) {
    text = " Nothing was timed.";
  } else if (tally.unchecked > 0) {
    text = results.context.simulated.empty() ? " Results were not checked."
                                             : " Predicted, not checked.";
  } else if (tally.failed.empty()) {
    text = " Every result was right.";
  } else {
    text = " All other results were right.";
  }
  if (tally.not_supported.size() == 1) {
    text += fmt::format(" Not supported: {}.", tally.not_supported.front());
  } else if (!tally.not_supported.empty()) {
    text += fmt::format(" Not supported{}.", left_out_text(results.comparisons));
  }
  return text;
}

std::string mode_words(const Comparison& comparison) {
  switch (comparison.mode) {
    case Mode::latency: return "";
    case Mode::throughput:
      if (comparison.batch == 1) return ", latency, because passes are too long to queue two";
      return fmt::format(", throughput in batches of {}", counted(comparison.batch, "pass"));
  }
  return "";
}

}  // namespace

Page alarms(const Results& results, std::size_t most) {
  const Tally tally = tally_of(results);
  Page page;
  if (!tally.failed.empty()) page.push_back(limited("FAILED", first_of(tally.failed), most));
  std::string cut;
  for (const Comparison& comparison : results.comparisons) {
    if (comparison.stopped == "interrupted") cut = "The run was interrupted.";
    if (comparison.stopped == "lost") cut = "An error left the GPU unusable and ended the run.";
  }
  if (!tally.not_run.empty()) {
    cut += fmt::format("{}Not run: {}.", cut.empty() ? "" : " ", first_of(tally.not_run));
  }
  if (!cut.empty()) page.push_back(limited("CUT SHORT", cut, most));
  return page;
}

Paragraph summary(const Results& results) {
  if (results.comparisons.empty()) return {machine(results.context) + ": nothing was run."};
  std::size_t variants = 0;
  std::uint32_t processes = 1;
  double seconds = 0;
  for (const Comparison& comparison : results.comparisons) {
    variants = std::max(variants, comparison.measurements.size());
    processes = std::max(processes, comparison.processes);
    seconds += comparison.seconds;
  }
  const std::size_t workloads = results.comparisons.size();
  std::string shape;
  if (workloads == 1) {
    const Comparison& comparison = results.comparisons.front();
    shape = comparison.workload.label() +
            (does_least_work(comparison) ? ", kernels of 1 round, " : ", ");
  } else if (one_name(results.comparisons)) {
    shape = fmt::format("{} in {} ways, ", results.comparisons.front().workload.name, workloads);
  } else {
    shape = counted(workloads, "workload") + ", ";
  }
  const std::string taken = std::ranges::any_of(results.comparisons, is_predicted)
                                ? ""
                                : fmt::format(", {:.{}f} s", seconds, seconds < 9.95 ? 1 : 0);
  const bool replayed = results.comparisons.front().workload.origin() == Origin::recording;
  const std::string text =
      fmt::format("{}: {}{}{}{}{}.{}", machine(results.context), shape,
                  counted(variants, replayed ? "candidate" : "variant"),
                  processes > 1 ? ", " + counted(processes, "process") : "",
                  mode_words(results.comparisons.front()), taken, outcome(results));
  constexpr std::size_t most_lines = 2;
  return {clipped(text, most_lines * (screen_width - 5))};
}

}  // namespace trilane
