// The trace of one pass contains all that the plan says, and all stages of each chunk.
#include "tests/device/simulator/timing/traced_passes.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(tracer_variants)

namespace {

using Counts = std::map<std::string, std::uint64_t>;

/// Returns "copy in", "memset"; "transform" for "transform_reduce".
std::string stage_of(const TracedOperation& operation) {
  return operation.name.substr(0, operation.name.find('_'));
}

struct Stages {
  Counts of_chunk, of_pass;
};

Stages stages_of(const std::string& variant, const Workload& workload) {
  const std::uint64_t depth = workload.depth;
  if (variant == "fused") return {{}, {{"fused", 1}}};
  if (variant == "graph_fused") return {{{"fused", 1}}, {}};
  if (variant == "graph_coalesced") {
    const std::vector<BufferPlace> buffers = layout_of(workload).buffers;
    return {{{"transform", depth}},
            {{"copy in", copies_together(workload, buffers[own_input])},
             {"memset", 1},
             {"copy out", copies_together(workload, buffers[own_result])}}};
  }
  if (variant == "batch") {
    return {{{"transform", depth}}, {{"copy in", 1}, {"memset", 1}, {"copy out", 1}}};
  }
  if (variant.ends_with("_kernels")) {
    return {{{"copy", 2}, {"clear", 1}, {"transform", depth}}, {}};
  }
  return {{{"copy in", 1}, {"memset", 1}, {"transform", depth}, {"copy out", 1}}, {}};
}

/// Returns copies, memsets and kernels by the plan: nodes of its graph, or calls.
Counts planned(const Plan& plan) {
  Counts counts;
  const std::uint64_t batches = calls_of(plan, "cudaMemcpyBatchAsync");
  for (const auto& [name, value] : plan.nodes.empty() ? plan.calls : plan.nodes) {
    if (name == "memcpy nodes" || name == "cudaMemcpyAsync") counts["copies"] = value + batches;
    if (name == "memset nodes" || name == "cudaMemsetAsync") counts["memsets"] = value;
    if (name == "kernel nodes" || name == "cudaLaunchKernel") counts["kernels"] = value;
  }
  std::erase_if(counts, [](const auto& count) { return count.second == 0; });
  return counts;
}

Counts counted(const std::vector<TracedOperation>& operations) {
  Counts counts;
  for (const TracedOperation& operation : operations) {
    switch (operation.activity) {
      case Activity::copy_in:
      case Activity::copy_out: ++counts["copies"]; break;
      case Activity::memset: ++counts["memsets"]; break;
      case Activity::kernel: ++counts["kernels"]; break;
    }
  }
  return counts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(operations_and_calls_are_those_of_the_plan) {
  for_all_passes([](const TracedPass& pass) {
    const Plan plan = pass.entry.plan(pass.workload);
    BOOST_TEST((counted(pass.records.operations) == planned(plan)));
    Counts wanted{
        {"cudaEventRecord", 2}, {"cudaStreamSynchronize", 1}, {"cudaEventElapsedTime", 1}};
    for (const auto& [name, value] : plan.calls) wanted[name] += value;
    Counts calls;
    for (const TracedCall& call : pass.records.calls) ++calls[call.name];
    BOOST_TEST((calls == wanted));
    BOOST_TEST(pass.records.lost == 0u);
  });
}

BOOST_AUTO_TEST_CASE(every_chunk_has_each_of_its_stages_once_and_on_its_lane) {
  for_all_passes([](const TracedPass& pass) {
    std::map<std::uint32_t, Counts> seen;
    for (const TracedOperation& operation : pass.records.operations) {
      const auto [chunk, lane] = operation.label;
      ++seen[chunk][stage_of(operation)];
      BOOST_TEST(lane == (chunk == Label::none ? Label::none : pass.workload.chunk(chunk).lane));
    }
    const auto [of_chunk, of_pass] = stages_of(pass.entry.name, pass.workload);
    BOOST_TEST((seen[Label::none] == of_pass));
    for (std::uint32_t chunk = 0; chunk < pass.workload.chunks(); ++chunk) {
      BOOST_TEST((seen[chunk] == of_chunk), "chunk " << chunk);
    }
    BOOST_TEST(seen.size() == pass.workload.chunks() + 1);
  });
}

BOOST_AUTO_TEST_CASE(each_node_of_a_graph_runs_once) {
  for_all_passes([](const TracedPass& pass) {
    std::set<std::uint64_t> nodes;
    for (const TracedOperation& operation : pass.records.operations) {
      nodes.insert(operation.graph_node);
    }
    const Plan plan = pass.entry.plan(pass.workload);
    const std::uint64_t batches = calls_of(plan, "cudaMemcpyBatchAsync");
    const std::size_t in_graphs = plan.nodes.empty() ? 0 : pass.records.operations.size() - batches;
    const bool some_outside = plan.nodes.empty() || batches > 0;
    BOOST_TEST(nodes.contains(0) == some_outside);
    BOOST_TEST(nodes.size() == in_graphs + some_outside);
  });
}

BOOST_AUTO_TEST_CASE(calls_come_from_as_many_host_threads_as_planned) {
  for_all_passes([](const TracedPass& pass) {
    std::set<std::uint64_t> threads;
    for (const TracedCall& call : pass.records.calls) threads.insert(call.thread);
    const std::uint32_t made = pass.entry.plan(pass.workload).host_threads;
    BOOST_TEST(threads.size() == made + 1);
  });
}

// So the same seed gives the same trace in every process, whichever thread started first.
BOOST_AUTO_TEST_CASE(host_threads_are_numbered_by_lane) {
  for_all_passes([](const TracedPass& pass) {
    if (pass.entry.plan(pass.workload).host_threads == 0) return;
    std::map<std::uint32_t, std::uint64_t> thread_of;
    for (const TracedCall& call : pass.records.calls) {
      if (call.label.lane != Label::none) thread_of.emplace(call.label.lane, call.thread);
    }
    for (const auto& [lane, thread] : thread_of) {
      BOOST_TEST(thread == thread_of.at(0) + lane, "lane " << lane);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
