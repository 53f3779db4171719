// What each execution model is made of, counted by the runtime and held against literal numbers:
// a graph that is captured from submit, the recorded graphs, and every runtime call of a pass.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <map>

#include "common/gpu/recording.hpp"
#include "common/harness/cuda_bench.hpp"
#include "tests/gpu/call_counter.hpp"
#include "tests/gpu/shapes.hpp"

using namespace trilane;

namespace {

using Facts = std::map<std::string, std::uint64_t>;

/// 5 chunks on 2 lanes, 3 kernels each: lane 0 has 3 chunks, lane 1 has 2.
Workload counted_shape() { return shape("counted", 4 * 512 + 100, 512, 64, 2, 3); }

Facts named(const std::vector<Count>& counts) {
  Facts facts;
  for (const Count& count : counts) facts[count.name] = count.value;
  return facts;
}

/// 5 x (2 copies, 1 memset, 3 kernels) in two chains of 18 and 12.
const Facts plain_graph{{"kernel nodes", 15}, {"memcpy nodes", 10}, {"memset nodes", 5},
                        {"alloc nodes", 0},   {"free nodes", 0},    {"other nodes", 0},
                        {"roots", 2},         {"edges", 28},        {"longest path", 18}};

/// The same with an allocation and a free per chunk, in two chains of 24 and 16.
const Facts pool_graph{{"kernel nodes", 15}, {"memcpy nodes", 10}, {"memset nodes", 5},
                       {"alloc nodes", 5},   {"free nodes", 5},    {"other nodes", 0},
                       {"roots", 2},         {"edges", 38},        {"longest path", 24}};

const std::map<std::string, Facts> calls_of_a_pass{
    {"serial",
     {{"cudaMemcpyAsync", 10},
      {"cudaMemsetAsync", 5},
      {"cudaLaunchKernel", 15},
      {"cudaStreamSynchronize", 30}}},
    {"streams",
     {{"cudaMemcpyAsync", 10},
      {"cudaMemsetAsync", 5},
      {"cudaLaunchKernel", 15},
      {"cudaEventRecord", 3},
      {"cudaStreamWaitEvent", 4}}},
    {"graph", {{"cudaGraphLaunch", 1}}},
    {"pool",
     {{"cudaMemcpyAsync", 10},
      {"cudaMemsetAsync", 5},
      {"cudaLaunchKernel", 15},
      {"cudaEventRecord", 3},
      {"cudaStreamWaitEvent", 4},
      {"cudaMallocFromPoolAsync", 5},
      {"cudaFreeAsync", 5}}},
    {"malloc",
     {{"cudaMemcpyAsync", 10},
      {"cudaMemsetAsync", 5},
      {"cudaLaunchKernel", 15},
      {"cudaEventRecord", 3},
      {"cudaStreamWaitEvent", 4},
      {"cudaMalloc", 5},
      {"cudaFree", 5},
      {"cudaStreamSynchronize", 5}}},
    {"graph_pool", {{"cudaGraphLaunch", 1}}},
};

/// The variant on buffers of its own.
struct Constructed {
  explicit Constructed(const std::string& name)
      : workload(counted_shape()),
        in(make_pinned_buffer(workload.bytes)),
        out(make_pinned_buffer(workload.result_total())),
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

}  // namespace

BOOST_AUTO_TEST_SUITE(evidence)

BOOST_AUTO_TEST_CASE(a_captured_submit_has_the_nodes_of_its_model) {
  for (const auto& [name, wanted] : {std::pair{"streams", plain_graph}, {"pool", pool_graph}}) {
    BOOST_TEST_CONTEXT(name) {
      const Constructed made(name);
      const Graph graph = capture([&](cudaStream_t origin) { made.variant->submit(origin); });
      test_equal(named(graph_facts(graph.get())), wanted);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_recorded_variant_has_the_nodes_of_its_model) {
  for (const auto& [name, wanted] : {std::pair{"graph", plain_graph}, {"graph_pool", pool_graph}}) {
    BOOST_TEST_CONTEXT(name) {
      const Constructed made(name);
      test_equal(named(made.variant->evidence()), wanted);
    }
  }
}

BOOST_AUTO_TEST_CASE(streams_are_as_many_as_lanes) {
  for (const char* name : {"streams", "graph", "pool", "malloc", "graph_pool"}) {
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(named(Constructed(name).variant->evidence()).at("streams") == 2u);
    }
  }
}

BOOST_AUTO_TEST_CASE(plans_are_the_literal_table) {
  for (const auto& [name, wanted] : calls_of_a_pass) {
    BOOST_TEST_CONTEXT(name) {
      const Facts planned = named(find_variant(name).plan(counted_shape()).calls);
      BOOST_TEST((planned == wanted));
    }
  }
  BOOST_TEST((named(find_variant("graph").plan(counted_shape()).nodes) == plain_graph));
  BOOST_TEST((named(find_variant("graph_pool").plan(counted_shape()).nodes) == pool_graph));
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
      made.variant->submit(origin.get());  // what only the first pass does is not a pass
      check(cudaStreamSynchronize(origin.get()));
      const Facts calls = count_calls([&] { made.variant->submit(origin.get()); });
      check(cudaStreamSynchronize(origin.get()));
      test_equal(calls, calls_of_a_pass.at(entry.name));
      BOOST_TEST(calls.size() == calls_of_a_pass.at(entry.name).size());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
