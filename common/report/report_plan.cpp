#include <fmt/format.h>

#include "common/report/report.hpp"
#include "common/text/markdown.hpp"
#include "common/text/size.hpp"

namespace trilane {
namespace {

using Rows = std::vector<std::vector<std::string>>;

const char* yes_no(bool flag) { return flag ? "yes" : "no"; }

Rows rows_of(const Workload& workload, const Plan& plan) {
  Rows rows{{"bytes in", format_bytes(workload.bytes)},
            {"bytes out", format_bytes(workload.result_total())},
            {"device memory for chunks", format_bytes(plan.scratch_bytes)},
            {"streams", fmt::to_string(plan.streams)},
            {"host threads besides the caller", fmt::to_string(plan.host_threads)},
            {"submit waits for the device", yes_no(plan.blocks)},
            {"needs memory pools", yes_no(plan.needs_pools)},
            {"kernels read and write host memory", yes_no(plan.maps_host)}};
  rows.push_back({"runtime calls a pass", fmt::to_string(total_calls(plan))});
  for (const Count& call : plan.calls) {
    rows.push_back({fmt::format("- {}", call.name), fmt::to_string(call.value)});
  }
  if (plan.nodes.empty()) return rows;
  rows.push_back({"graph nodes", fmt::to_string(graph_nodes_of(plan.model, workload))});
  for (const Count& node : plan.nodes) {
    rows.push_back({fmt::format("- {}", node.name), fmt::to_string(node.value)});
  }
  return rows;
}

}  // namespace

std::string plan_table(const Workload& workload, const std::string& variant, const Plan& plan) {
  return markdown_heading(workload.label() + ", " + variant, workload.shape()) + '\n' +
         markdown_table(
             {{{"plan", Align::left}, {variant, Align::right}}, rows_of(workload, plan)});
}

}  // namespace trilane
