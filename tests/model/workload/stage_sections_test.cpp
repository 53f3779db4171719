// Stages of a pass that copies in batches, and the resulting plan.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "common/model/variant/graph_plan.hpp"
#include "common/model/workload/steps/stage_runs.hpp"
#include "tests/model/workload/made_up_pipeline.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(stage_sections_)

namespace {

constexpr Stage in = Stage::copy_in, set = Stage::clear, kernel = Stage::transform,
                out = Stage::copy_out;

/// Returns 4 chunks of 8 bytes on 2 lanes, with one buffer and these stages.
Workload of(const std::vector<Stage>& stages) {
  Pipeline pipeline;
  pipeline.chunks = 4;
  pipeline.items = pipeline.last_items = 8;
  pipeline.buffers = {made_up_buffer("buffer", Element::uint8, "n")};
  for (const Stage stage : stages) {
    const auto kernels = static_cast<std::uint32_t>(pipeline.kernels.size());
    pipeline.stages.push_back(made_up_stage(stage, "", 0, stage == kernel ? kernels : 0));
    if (stage == kernel) pipeline.kernels.push_back(made_up_kernel("kernel", {}));
  }
  Workload workload = workload_of("stages", pipeline);
  workload.lanes = 2;
  return workload;
}

/// Returns "in2 work3 out1": what each section does, and its number of runs.
std::string sections(const Workload& workload) {
  std::string text;
  for (const StageSection& section : stage_sections(workload)) {
    const char* const name = !section.copies                    ? "work"
                             : section.runs.front().stage == in ? "in"
                                                                : "out";
    text += (text.empty() ? "" : " ") + std::string(name) + std::to_string(section.runs.size());
  }
  return text;
}

std::uint64_t node(const Plan& plan, const std::string& name) {
  return std::ranges::find(plan.nodes, name, &Count::name)->value;
}

}  // namespace

BOOST_AUTO_TEST_CASE(copies_one_way_go_together_and_all_between_them) {
  BOOST_TEST(sections(of({in, set, kernel, out})) == "in1 work2 out1");
  BOOST_TEST(sections(of({in, in, kernel, set, kernel, kernel, out, out})) == "in2 work3 out2");
  BOOST_TEST(sections(of({in, kernel, out, kernel, out})) == "in1 work1 out1 work1 out1");
  BOOST_TEST(sections(of({set, in, out, in})) == "work1 in1 out1 in1");
  BOOST_TEST(sections({.name = "own", .bytes = 64, .chunk_bytes = 16, .result_bytes = 16}) ==
             "in1 work2 out1");
}

BOOST_AUTO_TEST_CASE(steps_of_a_section_are_those_of_all_its_chunks) {
  const Workload workload = of({in, in, set, kernel, kernel, out});
  const Job job(workload, nullptr, nullptr);
  const std::vector<StageSection> found = stage_sections(workload);
  BOOST_REQUIRE(found.size() == 3u);
  BOOST_TEST(found[0].runs.size() == 2u);
  BOOST_TEST(found[1].runs.size() == 2u);
  BOOST_TEST(steps_of(job, found[1].runs[1]).size() == 8u);
  for (const StageSection& section : found) {
    for (const StageRun& run : section.runs) {
      for (const Step& step : steps_of(job, run)) BOOST_TEST((step.stage == run.stage));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_plan_has_a_batch_and_a_graph_for_each) {
  const Plan plan = batch_plan(of({in, kernel, out, set, kernel, out}));
  BOOST_TEST(calls_of(plan, "cudaMemcpyBatchAsync") == 3u);
  BOOST_TEST(calls_of(plan, "cudaGraphLaunch") == 2u);
  BOOST_TEST(node(plan, "memcpy nodes") == 0u);
  BOOST_TEST(node(plan, "memset nodes") == 1u);
  BOOST_TEST(node(plan, "kernel nodes") == 8u);
  BOOST_TEST(node(plan, "roots") == 2u + 1);         // 2 lanes; the memset
  BOOST_TEST(node(plan, "edges") == 2u + (2 + 2));   // in lanes; from the memset and in lanes
  BOOST_TEST(node(plan, "longest path") == 2u + 3);  // 2 kernels of a lane; with the memset
}

BOOST_AUTO_TEST_CASE(a_pass_of_nothing_but_copies_has_no_graph) {
  const Plan plan = batch_plan(of({in, out}));
  BOOST_TEST(calls_of(plan, "cudaMemcpyBatchAsync") == 2u);
  BOOST_TEST(calls_of(plan, "cudaGraphLaunch") == 0u);
  BOOST_TEST(!launches_graph(plan.model));
}

BOOST_AUTO_TEST_SUITE_END()
