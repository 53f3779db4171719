#include <fmt/format.h>

#include "common/base/text/size.hpp"
#include "common/explain/report/report.hpp"
#include "common/explain/report/report_parts.hpp"

namespace trilane {
namespace {

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

}  // namespace

Page plan_page(const Workload& workload, const std::string& variant, const Plan& plan) {
  return {Heading{workload.label() + ", " + variant, workload.shape()},
          Table{{"plan", ">" + variant}, rows_of(workload, plan)}};
}

}  // namespace trilane
