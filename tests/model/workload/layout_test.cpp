// Places of buffers, which stages wait for which others or start early, and batches of copies.
#include "common/model/workload/buffer_layout.hpp"

#include "common/model/variant/graph_plan.hpp"
#include "common/model/workload/steps.hpp"
#include "tests/framework.hpp"
#include "tests/model/workload/made_up_pipeline.hpp"

BOOST_AUTO_TEST_SUITE(layout)

using Places = std::vector<std::vector<std::uint32_t>>;
using Flags = std::vector<bool>;

Workload own(std::uint32_t depth) {
  Workload workload = presets().front();
  workload.depth = depth;
  return workload;
}

/// Uses the fake pipeline, whose fourth and fifth stage are kernels.
Flags with_early(bool first, bool second) {
  Pipeline pipeline = made_up_pipeline();
  pipeline.kernels[0].early = first;
  pipeline.kernels[1].early = second;
  return early_places(workload_of("made up", pipeline));
}

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

BOOST_AUTO_TEST_CASE(sizes_of_a_pipeline_are_sums_over_its_copies) {
  const Workload workload = made_up_workload();
  BOOST_TEST(workload.chunks() == 3u);
  BOOST_TEST(workload.chunk_bytes == 10u + 20);
  BOOST_TEST(workload.bytes == 2 * 30u + 4 + 8);
  BOOST_TEST(workload.result_bytes == 44u);
  BOOST_TEST(workload.result_total() == 2 * 44u + 20);
  BOOST_TEST(workload.depth == 2u);
  BOOST_TEST(workload.operations() == 18u);
}

BOOST_AUTO_TEST_CASE(inputs_lie_before_the_rest_of_a_chunk_and_all_are_aligned) {
  const Layout l = layout_of(made_up_workload());
  BOOST_TEST(l.buffers[0].scratch_offset == 0u);
  BOOST_TEST(l.buffers[1].scratch_offset == 256u);
  BOOST_TEST(l.split == 512u);
  BOOST_TEST(l.buffers[2].scratch_offset == 512u);
  BOOST_TEST(l.buffers[3].scratch_offset == 768u);
  BOOST_TEST(l.scratch_bytes == 1024u);
}

BOOST_AUTO_TEST_CASE(two_allocations_of_a_chunk_need_inputs_and_others) {
  const PoolPolicy together{}, apart{.allocations = 2};
  const Workload both = made_up_workload();
  BOOST_TEST(allocations_of_pass(both, together) == 3u);
  BOOST_TEST(allocations_of_pass(both, apart) == 6u);
  BOOST_TEST(allocations_of_pass(own(1), apart) == 2u * own(1).chunks());
  Layout layout = layout_of(both);
  layout.split = 0;  // no inputs
  BOOST_TEST(allocations_per_chunk(layout, apart) == 1u);
  layout.split = layout.scratch_bytes;  // nothing else
  BOOST_TEST(allocations_per_chunk(layout, apart) == 1u);
}

BOOST_AUTO_TEST_CASE(each_input_has_a_region_on_the_host_that_starts_on_a_page) {
  const Layout l = layout_of(made_up_workload());
  BOOST_TEST(*l.buffers[0].in_start == 0u);
  BOOST_TEST(*l.buffers[1].in_start == 4096u);
  BOOST_TEST(l.in_bytes == 4096u + 2 * 20 + 8);
  BOOST_TEST(!l.buffers[0].out_start);
  BOOST_TEST(!l.buffers[2].in_start);
  BOOST_TEST(*l.buffers[3].out_start == 0u);
  BOOST_TEST(l.out_bytes == 2 * 44u + 20);
  BOOST_TEST(l.bytes(3, 1) == 44u);
  BOOST_TEST(l.bytes(3, 2) == 20u);
}

BOOST_AUTO_TEST_CASE(a_stride_leaves_gaps_behind_every_buffer) {
  Workload workload = made_up_workload();
  workload.stride = workload.chunk_bytes + 12;
  const Layout l = layout_of(workload);
  BOOST_TEST(l.buffers[0].stride == 22u);
  BOOST_TEST(l.buffers[3].stride == 56u);
  BOOST_TEST(l.out_bytes == 2 * 56u + 20);
}

BOOST_AUTO_TEST_CASE(steps_follow_the_file_chunk_by_chunk) {
  const Workload workload = made_up_workload();
  std::vector<std::byte> in(layout_of(workload).in_bytes), out(layout_of(workload).out_bytes);
  const Job job(workload, in.data(), out.data());
  BOOST_TEST_REQUIRE(job.steps.size() == 18u);
  const Step& copy = job.steps[6 + 1];
  BOOST_TEST((copy.stage == Stage::copy_in && copy.chunk == 1u && copy.buffer == 1u));
  BOOST_TEST((copy.host_in == in.data() + 4096 + 20));
  BOOST_TEST(copy.in_bytes == 20u);
  const Step& last = job.steps.back();
  BOOST_TEST((last.last && !last.first && last.host_out == out.data() + 2 * 44));
  BOOST_TEST(last.out_bytes == 20u);
  BOOST_TEST(job.steps[12].first);
}

BOOST_AUTO_TEST_CASE(the_own_pipeline_needs_the_order_of_its_data) {
  const StageOrder order = order_of(own(3));
  BOOST_TEST((order.within == Places{{}, {}, {0, 1}, {2}, {3}, {4}}));
  BOOST_TEST((order.across == Places{{4}, {5}, {}, {}, {}, {}}));
}

BOOST_AUTO_TEST_CASE(a_pipeline_needs_the_order_of_what_its_kernels_declare) {
  const StageOrder order = order_of(made_up_workload());
  BOOST_TEST((order.within == Places{{}, {}, {}, {0, 1}, {2, 3}, {4}}));
  // The inputs wait for mix, the memset for the copy out, mix for finish, which reads mid.
  BOOST_TEST((order.across == Places{{3}, {3}, {5}, {4}, {}, {}}));
}

BOOST_AUTO_TEST_CASE(engines_wait_only_for_other_engines) {
  const EngineOrder own_order = engine_order_of(own(3));
  BOOST_TEST(own_order.records() == 3u);
  BOOST_TEST(own_order.waits_within() == 2u);
  BOOST_TEST(own_order.waits_across() == 2u);
  const EngineOrder order = engine_order_of(made_up_workload());
  // mix for the later copy in; the copy out for finish; both copies in and the memset across.
  BOOST_TEST((order.within == Places{{}, {}, {}, {1}, {}, {4}}));
  BOOST_TEST((order.across == Places{{3}, {3}, {5}, {}, {}, {}}));
  BOOST_TEST(order.records() == 4u);
}

BOOST_AUTO_TEST_CASE(runs_join_kernels_only) {
  const std::vector<StageRun> runs = stage_runs(made_up_workload());
  BOOST_TEST_REQUIRE(runs.size() == 5u);
  BOOST_TEST((runs[3].stage == Stage::transform && runs[3].first == 3u && runs[3].count == 2u));
  // Chunks are padded on the device, and the last one is shorter: two copies of each buffer.
  BOOST_TEST(copies_of_pass(made_up_workload()) == 6u);
  BOOST_TEST(copies_of_pass(own(1)) == 2u);
}

BOOST_AUTO_TEST_CASE(all_kernels_but_a_chunks_first_are_early) {
  BOOST_TEST((early_places(own(1)) == Flags{0, 0, 0, 0}));
  BOOST_TEST((early_places(own(3)) == Flags{0, 0, 0, 1, 1, 0}));
}

BOOST_AUTO_TEST_CASE(kernels_of_a_file_are_early_if_it_says_so_and_a_kernel_is_in_front) {
  BOOST_TEST((with_early(false, false) == Flags{0, 0, 0, 0, 0, 0}));
  BOOST_TEST((with_early(true, false) == Flags{0, 0, 0, 0, 0, 0}));
  BOOST_TEST((with_early(false, true) == Flags{0, 0, 0, 0, 1, 0}));
  BOOST_TEST((with_early(true, true) == Flags{0, 0, 0, 0, 1, 0}));
}

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
