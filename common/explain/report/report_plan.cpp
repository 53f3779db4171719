#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/report/report.hpp"
#include "common/explain/statistics/interval.hpp"
#include "common/model/workload/buffer_layout.hpp"
#include "common/model/workload/pipeline/conflicts.hpp"

namespace trilane {
namespace {

using TableRows = std::vector<std::vector<std::string>>;

const char* yes_no(bool flag) { return flag ? "yes" : "no"; }

TableRows rows_of(const Workload& workload, const Plan& plan) {
  TableRows rows{{"bytes in", format_bytes(workload.bytes)},
                 {"bytes out", format_bytes(workload.result_total())},
                 {"device memory for chunks", format_bytes(plan.scratch_bytes)},
                 {"streams", fmt::to_string(plan.streams)},
                 {"host threads besides the caller", fmt::to_string(plan.host_threads)},
                 {"submit waits for the device", yes_no(plan.blocks)},
                 {"needs memory pools", yes_no(plan.needs_pools)},
                 {"kernels read and write host memory", yes_no(plan.maps_host)}};
  const auto add = [&](const char* head, std::uint64_t total, const std::vector<Count>& parts) {
    rows.push_back({head, fmt::to_string(total)});
    for (const Count& part : parts) {
      rows.push_back({"- " + part.name, fmt::to_string(part.value)});
    }
  };
  add("runtime calls a pass", total_calls(plan), plan.calls);
  if (!plan.nodes.empty()) add("graph nodes", graph_nodes_of(plan.model, workload), plan.nodes);
  return rows;
}

std::string role_of(const BufferPlace& place) {
  if (place.in_start && place.out_start) return "input, output";
  return place.in_start ? "input" : place.out_start ? "output" : "scratch";
}

std::string check_of(const BufferSpec& buffer, const BufferPlace& place) {
  if (!place.out_start) return "";
  const std::string against = buffer.reference.empty() ? "serial" : buffer.reference;
  switch (buffer.check) {
    case Check::exact: return against + ", every byte";
    case Check::tolerance: return fmt::format("{}, within {}", against, buffer.tolerance);
    case Check::none: return "not checked";
  }
  return "";
}

std::string fill_of(const BufferSpec& buffer, const BufferPlace& place) {
  if (!place.in_start) return "";
  return buffer.fill == Fill::file ? buffer.fill_file : name_of(buffer.fill);
}

Table buffers_of(const Workload& workload) {
  const Pipeline& pipeline = *workload.pipeline;
  const Layout layout = layout_of(workload);
  TableRows rows;
  for (std::size_t i = 0; i < pipeline.buffers.size(); ++i) {
    const BufferSpec& buffer = pipeline.buffers[i];
    const BufferPlace& place = layout.buffers[i];
    rows.push_back(
        {buffer.name, role_of(place),
         fmt::format("{} x {}", place.bytes / size_of(buffer.element), name_of(buffer.element)),
         format_bytes(place.bytes), fill_of(buffer, place), check_of(buffer, place)});
  }
  return {{"buffer of a chunk", "is", ">elements", ">bytes", "filled with", "checked against"},
          rows};
}

std::string size_text(const std::uint64_t (&size)[3]) {
  if (size[2] > 1) return fmt::format("{} x {} x {}", size[0], size[1], size[2]);
  return size[1] > 1 ? fmt::format("{} x {}", size[0], size[1]) : fmt::to_string(size[0]);
}

std::string arguments_of(const Pipeline& pipeline, const KernelSpec& kernel) {
  std::vector<std::string> words;
  for (const Argument& argument : kernel.arguments) {
    switch (argument.kind) {
      case ArgumentKind::in:
      case ArgumentKind::out:
      case ArgumentKind::inout:
        words.push_back(
            fmt::format("{} {}", name_of(argument.kind), pipeline.buffers[argument.buffer].name));
        break;
      case ArgumentKind::size: words.push_back(argument.expression); break;
      case ArgumentKind::chunk_number:
      case ArgumentKind::chunk_offset: words.push_back(name_of(argument.kind)); break;
      case ArgumentKind::value:
        words.push_back(argument.value != 0 ? fmt::to_string(argument.value)
                                            : fmt::to_string(argument.whole));
        break;
    }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

Table stages_of(const Pipeline& pipeline) {
  const Extents extents = extents_of(pipeline, pipeline.items);
  const auto order = needed_order(pipeline);
  TableRows rows;
  for (std::size_t place = 0; place < pipeline.stages.size(); ++place) {
    const StageSpec& stage = pipeline.stages[place];
    std::vector<std::string> after;
    for (const std::uint32_t other : order[place]) after.push_back(pipeline.stages[other].name);
    std::vector<std::string> row{stage.name, fmt::format("{}", fmt::join(after, ", ")), "", "", ""};
    if (stage.stage == Stage::transform) {
      const Extents::Launch& launch = extents.kernels[stage.kernel];
      row[2] = size_text(launch.grid);
      row[3] = size_text(launch.block);
      row[4] = arguments_of(pipeline, pipeline.kernels[stage.kernel]);
    }
    rows.push_back(std::move(row));
  }
  return {{"stage of a chunk", "after", ">grid", ">block", "arguments"}, rows};
}

constexpr double nominal = 0.95;
constexpr double rounding = 1e-9;  // intervals of simulated times may have no width

struct AaTally {
  std::string workload;
  std::size_t held = 0, found = 0, undecided = 0;
  std::vector<double> estimates = {}, half_widths = {};
};

void count(AaTally& tally, const Comparison& comparison) {
  const auto& ratio = comparison.measurements.back().ratio;
  if (!ratio || !decides(*ratio)) {
    ++tally.undecided;
    return;
  }
  tally.held += ratio->low <= 1 + rounding && 1 - rounding <= ratio->high;
  tally.found += ratio->low > 1;
  tally.estimates.push_back(ratio->estimate);
  tally.half_widths.push_back(half_width(*ratio));
}

std::vector<AaTally> tallies(const Results& results) {
  std::vector<AaTally> all;
  for (const Comparison& comparison : results.comparisons) {
    const std::string label = comparison.workload.label();
    if (all.empty() || all.back().workload != label) all.push_back({.workload = label});
    count(all.back(), comparison);
  }
  return all;
}

std::vector<std::string> row_of(const AaTally& tally, bool slowed) {
  const std::size_t compared = tally.estimates.size();
  if (compared == 0) return {tally.workload, "-", "-", "-", "-"};
  const std::size_t hits = slowed ? tally.found : tally.held;
  const auto [low, high] = clopper_pearson(hits, compared);
  return {tally.workload, fmt::format("{} of {}", hits, compared),
          fmt::format("{} to {}", percent(low, 1), percent(high, 1)),
          slowed ? fmt::format("{:.4f}", median(tally.estimates))
                 : fmt::format("{:.3f}", binomial_test(hits, compared, nominal)),
          percent(median(tally.half_widths), 2)};
}

Heading heading(const Comparison& first, const std::string& simulated) {
  const Measurement &one = first.measurements.front(), &other = first.measurements.back();
  std::string text = fmt::format("{} against {}", one.variant, other.variant);
  if (first.slow_down > 0) text += ", slowed down by " + percent(first.slow_down);
  text += simulated.empty() ? ", intervals of this process" : ", simulated " + simulated;
  return {"A/A", text};
}

}  // namespace

Page plan_page(const Workload& workload, const std::string& variant, const Plan& plan) {
  return {Heading{workload.label() + ", " + variant, workload.shape()},
          Table{{"plan", ">" + variant}, rows_of(workload, plan)}};
}

Page pipeline_page(const Workload& workload) {
  const Pipeline& pipeline = *workload.pipeline;
  Page page;
  page.push_back(Heading{workload.label(), workload.shape()});
  std::string items =
      fmt::format("{} of {}", counted(workload.chunks(), "chunk"), counted(pipeline.items, "item"));
  if (pipeline.last_items != pipeline.items) {
    items += fmt::format(", the last of {}", pipeline.last_items);
  }
  page.push_back(Paragraph{items + "."});
  page.push_back(buffers_of(workload));
  page.push_back(stages_of(pipeline));
  if (pipeline.fused) {
    page.push_back(
        Paragraph{fmt::format("Fused: {} does a whole chunk on mapped host memory ({}).",
                              pipeline.fused->name, arguments_of(pipeline, *pipeline.fused))});
  }
  return page;
}

Page aa_page(const Results& results) {
  if (results.comparisons.empty()) return {};
  const Comparison& first = results.comparisons.front();
  const bool slowed = first.slow_down > 0;
  Table table{{"workload", slowed ? ">found" : ">held the truth", ">95% interval",
               slowed ? ">median ratio" : ">p against 95%", ">half width"},
              {}};
  Page undecided;
  for (const AaTally& tally : tallies(results)) {
    table.rows.push_back(row_of(tally, slowed));
    if (tally.undecided == 0) continue;
    undecided.push_back(
        Bullet{fmt::format("{}: {} more without an interval.", tally.workload, tally.undecided)});
  }
  Page page{heading(first, results.context.simulated), std::move(table)};
  append(page, std::move(undecided));
  return page;
}

}  // namespace trilane
