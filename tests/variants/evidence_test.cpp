// The parts of each execution model, counted by the runtime and compared with literal numbers: a
// graph that is captured from submit, the recorded graphs, and every runtime call of a pass.
#include "common/measure/gpu/recording.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "tests/variants/call_counter.hpp"
#include "tests/variants/shapes.hpp"

BOOST_AUTO_TEST_SUITE(evidence)

using Facts = std::map<std::string, std::uint64_t>;

/// 5 chunks on 2 lanes, 3 kernels each: lane 0 has 3 chunks, lane 1 has 2.
Workload counted_shape() { return shape("counted", 4 * 512 + 100, 512, 64, 2, 3); }

Facts named(const std::vector<Count>& counts) {
  Facts facts;
  for (const Count& count : counts) facts[count.name] = count.value;
  return facts;
}

struct GraphShape {
  std::uint64_t roots, edges, longest_path;
};

Facts graph(std::uint64_t kernels, std::uint64_t copies, std::uint64_t memsets,
            const GraphShape& shape, std::uint64_t allocations = 0) {
  return {{"kernel nodes", kernels},
          {"memcpy nodes", copies},
          {"memset nodes", memsets},
          {"alloc nodes", allocations},
          {"free nodes", allocations},
          {"other nodes", 0},
          {"roots", shape.roots},
          {"edges", shape.edges},
          {"longest path", shape.longest_path}};
}

Facts with(Facts facts, const Facts& more) {
  facts.insert(more.begin(), more.end());
  return facts;
}

/// 5 x (2 copies, 1 memset, 3 kernels) in two chains of 18 and 12.
const Facts plain_graph = graph(15, 10, 5, {.roots = 2, .edges = 28, .longest_path = 18});

/// The same with the two further kernels of each chunk after programmatic edges.
const Facts early_graph = with(plain_graph, {{"programmatic edges", 10}});

/// As plain_graph, with an allocation and a free per chunk, in two chains of 24 and 16.
const Facts pool_graph = graph(15, 10, 5, {.roots = 2, .edges = 38, .longest_path = 24}, 5);

/// plain_graph built node by node. Edges: in each chunk 2 into the first kernel, 2 from kernel to
/// kernel, 1 into the copy out; between chunks of a lane 2, three times. Longest path: 3 x (clear,
/// 3 kernels, copy out).
const Facts built_graph = graph(15, 10, 5, {.roots = 4, .edges = 31, .longest_path = 15});

/// One copy in, one memset, 5 x 3 kernels in two chains of 9 and 6, one copy out. Edges: 1 to the
/// memset, 2 into the chains, 8 and 5 in them, 2 out of them, 1 past them.
const Facts coalesced_graph = graph(15, 2, 1, {.roots = 1, .edges = 19, .longest_path = 12});

/// One memset, 5 x 3 kernels in two chains of 9 and 6. Edges: 2 into the chains, 8 and 5 in them.
const Facts batch_graph = graph(15, 0, 1, {.roots = 1, .edges = 15, .longest_path = 10});

/// 5 x 6 kernels in two chains of 18 and 12.
const Facts kernel_graph = graph(30, 0, 0, {.roots = 2, .edges = 28, .longest_path = 18});

/// 5 kernels in two chains of 3 and 2.
const Facts fused_graph = graph(5, 0, 0, {.roots = 2, .edges = 3, .longest_path = 3});

const std::map<std::string, Facts> graph_of{
    {"graph", plain_graph},          {"graph_early", early_graph},
    {"graph_built", built_graph},    {"graph_update", plain_graph},
    {"graph_set", built_graph},      {"graph_coalesced", coalesced_graph},
    {"batch", batch_graph},          {"graph_pool", pool_graph},
    {"graph_kernels", kernel_graph}, {"graph_fused", fused_graph}};

const Facts calls_of_stages{
    {"cudaMemcpyAsync", 10}, {"cudaMemsetAsync", 5}, {"cudaLaunchKernel", 15}};
const Facts fork_and_join{{"cudaEventRecord", 3}, {"cudaStreamWaitEvent", 4}};
const Facts calls_of_streams = with(calls_of_stages, fork_and_join);
const Facts calls_of_pool =
    with(calls_of_streams, {{"cudaMallocFromPoolAsync", 5}, {"cudaFreeAsync", 5}});
const Facts one_launch{{"cudaGraphLaunch", 1}};

const std::map<std::string, Facts> calls_of_a_pass{
    {"serial", with(calls_of_stages, {{"cudaStreamSynchronize", 30}})},
    {"streams", calls_of_streams},
    {"engines", with(calls_of_stages, {{"cudaEventRecord", 19}, {"cudaStreamWaitEvent", 22}})},
    {"threads", calls_of_streams},
    {"graph", one_launch},
    {"graph_early", one_launch},
    {"graph_built", one_launch},
    {"graph_update", with(calls_of_streams, {{"cudaStreamBeginCapture", 1},
                                             {"cudaStreamEndCapture", 1},
                                             {"cudaGraphExecUpdate", 1},
                                             {"cudaGraphDestroy", 1},
                                             {"cudaGraphLaunch", 1}})},
    {"graph_set", with(one_launch, {{"cudaGraphExecMemcpyNodeSetParams1D", 10},
                                    {"cudaGraphExecMemsetNodeSetParams", 5},
                                    {"cudaGraphExecKernelNodeSetParams", 15}})},
    {"graph_coalesced", one_launch},
    {"batch", with(one_launch, {{"cudaMemcpyBatchAsync", 2}})},
    {"streams_kernels", with(fork_and_join, {{"cudaLaunchKernel", 30}})},
    {"graph_kernels", one_launch},
    {"graph_fused", one_launch},
    {"fused", {{"cudaLaunchKernel", 1}}},
    {"pool", calls_of_pool},
    {"pool_trim", calls_of_pool},
    {"malloc",
     with(calls_of_streams, {{"cudaMalloc", 5}, {"cudaFree", 5}, {"cudaStreamSynchronize", 5}})},
    {"graph_pool", one_launch},
};

/// The variant on its own buffers.
struct Constructed {
  explicit Constructed(const std::string& name, const Workload& shape = counted_shape())
      : workload(shape),
        in(make_pinned_buffer(layout_of(workload).in_bytes)),
        out(make_pinned_buffer(layout_of(workload).out_bytes)),
        job(workload, in.get(), out.get()),
        variant(find_variant(name).make(job)) {}

  Workload workload;
  PinnedBuffer in, out;
  Job job;
  std::unique_ptr<Variant> variant;
};

void test_equal(const Facts& got, const Facts& wanted) {
  for (const auto& [name, value] : wanted) {
    BOOST_TEST(got.contains(name), name);
    if (got.contains(name)) BOOST_TEST(got.at(name) == value, name << " is " << got.at(name));
  }
}

BOOST_AUTO_TEST_CASE(a_captured_submit_has_the_nodes_of_its_model) {
  for (const auto& [name, wanted] : {std::pair{"streams", plain_graph},
                                     {"pool", pool_graph},
                                     {"pool_trim", pool_graph},
                                     {"streams_kernels", kernel_graph}}) {
    BOOST_TEST_CONTEXT(name) {
      const Constructed made(name);
      const Graph graph = capture([&](cudaStream_t origin) { made.variant->submit(origin); });
      test_equal(named(graph_facts(graph.get())), wanted);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_recorded_variant_has_the_nodes_of_its_model) {
  for (const auto& [name, wanted] : graph_of) {
    BOOST_TEST_CONTEXT(name) {
      const Constructed made(name);
      test_equal(named(made.variant->evidence()), wanted);
    }
  }
}

BOOST_AUTO_TEST_CASE(
    chunks_that_are_apart_take_a_copy_of_rows_and_one_more_for_a_short_last_chunk) {
  Facts rows = coalesced_graph;
  Facts rows_and_last = rows;  // one more copy in each direction, and an edge and a node of the
                               // path for each
  rows_and_last["memcpy nodes"] += 2;
  rows_and_last["edges"] += 2;
  rows_and_last["longest path"] += 2;
  Facts as_long_results = rows;  // the last chunk has a result of the same size
  as_long_results["memcpy nodes"] += 1;
  as_long_results["edges"] += 1;
  as_long_results["longest path"] += 1;
  for (const auto& [last_words, wanted] :
       {std::pair{512u, rows}, {100u, as_long_results}, {20u, rows_and_last}}) {
    BOOST_TEST_CONTEXT(last_words) {
      const Workload gaps = apart(shape("gaps", 4 * 512 + last_words, 512, 64, 2, 3), 8);
      test_equal(named(Constructed("graph_coalesced", gaps).variant->evidence()), wanted);
      BOOST_TEST((named(find_variant("graph_coalesced").plan(gaps).nodes) == wanted));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_pool_is_set_up_by_its_policy) {
  const PoolPolicy all[]{{},
                         {.threshold = 0, .follow_events = false},
                         {.threshold = 1 << 20, .opportunistic = true},
                         {.internal = true, .per_lane = true},
                         {.per_lane = true, .allocations = 2}};
  for (const PoolPolicy& policy : all) {
    Workload workload = counted_shape();
    workload.pool = policy;
    const VariantEntry& entry = find_variant("pool");
    CudaBench bench(workload, {entry}, 1);
    bench.set_up(0);
    BOOST_TEST(bench.check(0, 1) == "");
    bench.new_input();
    BOOST_TEST(bench.check(0, 3) == "");
    const Plan plan = entry.plan(workload);
    const auto missed = mismatches(plan.facts, bench.evidence(0));
    BOOST_TEST(missed.empty(), (missed.empty() ? "" : missed.front()));
    const Facts facts = named(bench.evidence(0)), calls = named(plan.calls);
    BOOST_TEST(facts.at("pools") == (policy.per_lane ? 2u : 1u));
    BOOST_TEST(facts.at("release threshold") == policy.threshold);
    BOOST_TEST(facts.at("reuse after events") == (policy.follow_events ? 1u : 0u));
    BOOST_TEST(facts.at("reuse opportunistic") == (policy.opportunistic ? 1u : 0u));
    BOOST_TEST(facts.at("reuse by added order") == (policy.internal ? 1u : 0u));
    BOOST_TEST(calls.at("cudaMallocFromPoolAsync") == 5u * policy.allocations);
    BOOST_TEST(calls.at("cudaFreeAsync") == 5u * policy.allocations);
    bench.tear_down(0);
  }
}

BOOST_AUTO_TEST_CASE(a_variant_with_a_policy_of_its_own_keeps_to_it) {
  for (const auto& [name, threshold] :
       {std::pair{"pool_trim", std::uint64_t{0}}, {"graph_pool", UINT64_MAX}}) {
    BOOST_TEST_CONTEXT(name) {
      const Facts facts = named(Constructed(name).variant->evidence());
      BOOST_TEST(facts.at("release threshold") == threshold);
      BOOST_TEST(facts.at("reuse opportunistic") == 0u);
      BOOST_TEST(facts.at("pools") == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(streams_are_as_many_as_lanes) {
  for (const char* name : {"streams", "threads", "graph", "graph_early", "graph_update",
                           "graph_coalesced", "batch", "pool", "pool_trim", "malloc", "graph_pool",
                           "streams_kernels", "graph_kernels", "graph_fused"}) {
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(named(Constructed(name).variant->evidence()).at("streams") == 2u);
    }
  }
  BOOST_TEST(named(Constructed("engines").variant->evidence()).at("streams") == 3u);
}

BOOST_AUTO_TEST_CASE(plans_are_the_literal_table) {
  for (const auto& [name, wanted] : calls_of_a_pass) {
    BOOST_TEST_CONTEXT(name) {
      const Facts planned = named(find_variant(name).plan(counted_shape()).calls);
      BOOST_TEST((planned == wanted));
    }
  }
  for (const auto& [name, wanted] : graph_of) {
    BOOST_TEST((named(find_variant(name).plan(counted_shape()).nodes) == wanted), name);
  }
}

BOOST_AUTO_TEST_CASE(the_runtime_calls_of_a_pass_are_those_of_the_plan) {
  if (!can_count_calls()) {
    const char* required = std::getenv("TRILANE_REQUIRE_GPU");
    BOOST_TEST_MESSAGE("left out: libcupti.so.13 cannot be loaded");
    BOOST_TEST((required == nullptr || std::string(required) != "1"));
    return;
  }
  for (const VariantEntry& entry : registry()) {
    BOOST_TEST_CONTEXT(entry.name) {
      BOOST_TEST_REQUIRE(calls_of_a_pass.contains(entry.name), "the table misses a variant");
      const Constructed made(entry.name);
      const Stream origin = make_stream();
      made.variant->submit(origin.get());  // one-time work of the first pass does not belong to a
                                           // pass
      check(cudaStreamSynchronize(origin.get()));
      const Facts calls = count_calls([&] { made.variant->submit(origin.get()); });
      check(cudaStreamSynchronize(origin.get()));
      test_equal(calls, calls_of_a_pass.at(entry.name));
      BOOST_TEST(calls.size() == calls_of_a_pass.at(entry.name).size());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
