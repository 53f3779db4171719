// The workload, its steps, and the plans that follow from it.
#include "common/model/workload/workload.hpp"

#include "common/model/variant/graph_plan.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/workload/steps.hpp"
#include "kernels/mix.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(workload)

/// Returns 10 words in chunks of 4, 4 and 2, results of 3, 3 and 2 words, 2 lanes, 2 kernels.
Workload small(Order order = Order::depth_first) {
  return {.name = "custom",
          .bytes = 40,
          .chunk_bytes = 16,
          .result_bytes = 12,
          .lanes = 2,
          .depth = 2,
          .rounds = 5,
          .order = order};
}

struct Buffers {
  std::array<std::byte, 40> in{};
  std::array<std::byte, 32> out{};
};

using Place = std::pair<std::uint32_t, Stage>;

std::vector<Place> places(const Job& job) {
  std::vector<Place> all;
  for (const Step& step : job.steps) all.emplace_back(step.chunk, step.stage);
  return all;
}

std::uint64_t value(const std::vector<Count>& counts, const std::string& name) {
  for (const Count& count : counts) {
    if (count.name == name) return count.value;
  }
  throw std::out_of_range(name);
}

BOOST_AUTO_TEST_CASE(chunks_cover_input_and_output_without_gap_or_overlap) {
  const Workload shape = small();
  BOOST_TEST(shape.chunks() == 3u);
  BOOST_TEST(shape.result_total() == 32u);
  BOOST_TEST(shape.operations() == 15u);
  std::uint64_t in = 0, out = 0;
  for (std::uint32_t index = 0; index < shape.chunks(); ++index) {
    const Chunk chunk = shape.chunk(index);
    BOOST_TEST(chunk.in_offset == in);
    BOOST_TEST(chunk.out_offset == out);
    BOOST_TEST(chunk.lane == index % 2);
    in += chunk.in_bytes;
    out += chunk.out_bytes;
  }
  BOOST_TEST(in == shape.bytes);
  BOOST_TEST(out == shape.result_total());
  BOOST_TEST(shape.chunk(2).out_bytes == 8u);
}

BOOST_AUTO_TEST_CASE(lanes_beyond_the_chunks_are_not_used) {
  Workload shape = small();
  shape.lanes = 7;
  BOOST_TEST(shape.used_lanes() == 3u);
}

BOOST_AUTO_TEST_CASE(scratch_keeps_the_result_aligned) {
  const Workload shape = small();
  const std::uint64_t result = layout_of(shape).buffers[own_result].scratch_offset;
  BOOST_TEST(result % scratch_alignment == 0u);
  BOOST_TEST(result >= shape.chunk_bytes);
  BOOST_TEST(shape.scratch_bytes() >= result + shape.result_bytes);
}

BOOST_AUTO_TEST_CASE(presets_are_what_the_design_fixes) {
  std::set<std::string> names;
  for (const Workload& preset : presets()) {
    names.insert(preset.name);
    BOOST_TEST(!promise_of(preset.name).value().words.empty());
    BOOST_TEST(preset.bytes % 4 == 0u);
    BOOST_TEST(preset.result_bytes <= preset.chunk_bytes);
  }
  BOOST_TEST((names == std::set<std::string>{"launch", "transfer", "balanced", "compute", "reduce",
                                             "search"}));
  BOOST_TEST(presets()[0].shape() == "64 chunks x 4 KiB, 4 lanes, depth 4, 1 round");
  BOOST_TEST(presets()[4].shape() == "16 chunks x 4 MiB in, 4 KiB out, 4 lanes, depth 1, 1 round");
  BOOST_TEST(!promise_of("custom"));
}

BOOST_AUTO_TEST_CASE(depth_first_finishes_a_chunk_before_the_next) {
  Buffers buffers;
  const Job job(small(), buffers.in.data(), buffers.out.data());
  std::vector<Place> wanted;
  for (std::uint32_t chunk = 0; chunk < 3; ++chunk) {
    for (Stage stage :
         {Stage::copy_in, Stage::clear, Stage::transform, Stage::transform, Stage::copy_out}) {
      wanted.emplace_back(chunk, stage);
    }
  }
  BOOST_TEST((places(job) == wanted));
}

BOOST_AUTO_TEST_CASE(breadth_first_goes_stage_by_stage_through_a_wave_of_lanes) {
  Buffers buffers;
  const Job job(small(Order::breadth_first), buffers.in.data(), buffers.out.data());
  const std::vector<Place> wanted{
      {0, Stage::copy_in},   {1, Stage::copy_in},   {0, Stage::clear},     {1, Stage::clear},
      {0, Stage::transform}, {1, Stage::transform}, {0, Stage::transform}, {1, Stage::transform},
      {0, Stage::copy_out},  {1, Stage::copy_out},  {2, Stage::copy_in},   {2, Stage::clear},
      {2, Stage::transform}, {2, Stage::transform}, {2, Stage::copy_out}};
  BOOST_TEST((places(job) == wanted));
}

BOOST_AUTO_TEST_CASE(steps_carry_their_operands) {
  Buffers buffers;
  const Job job(small(), buffers.in.data(), buffers.out.data());
  const Step& last_kernel = job.steps[13];
  BOOST_TEST(last_kernel.chunk == 2u);
  BOOST_TEST(last_kernel.lane == 0u);
  BOOST_TEST(last_kernel.kernel == 1u);
  BOOST_TEST(last_kernel.rounds == 5u);
  BOOST_TEST(last_kernel.host_in == buffers.in.data() + 32);
  BOOST_TEST(last_kernel.host_out == buffers.out.data() + 24);
  BOOST_TEST(last_kernel.in_bytes == 8u);
  BOOST_TEST(last_kernel.out_bytes == 8u);
}

BOOST_AUTO_TEST_CASE(plans_follow_from_the_workload) {
  const Plan lanes = lanes_plan(small());
  BOOST_TEST(value(lanes.calls, "cudaMemcpyAsync") == 6u);
  BOOST_TEST(value(lanes.calls, "cudaMemsetAsync") == 3u);
  BOOST_TEST(value(lanes.calls, "cudaLaunchKernel") == 6u);
  BOOST_TEST(value(lanes.calls, "cudaEventRecord") == 3u);
  BOOST_TEST(value(lanes.calls, "cudaStreamWaitEvent") == 4u);
  BOOST_TEST(lanes.scratch_bytes == 2 * small().scratch_bytes());

  const Plan graph = recorded(lanes, small());
  BOOST_TEST(value(graph.calls, "cudaGraphLaunch") == 1u);
  BOOST_TEST(graph.calls.size() == 1u);
  BOOST_TEST(value(graph.nodes, "edges") == 13u);  // chains of 10 and 5 nodes
  BOOST_TEST(value(graph.nodes, "longest path") == 10u);

  const Plan pool = with_pool(lanes, small(), PoolPolicy{});
  BOOST_TEST(pool.needs_pools);
  BOOST_TEST(value(pool.calls, "cudaFreeAsync") == 3u);
  const Plan graph_pool = recorded(pool, small());
  BOOST_TEST(value(graph_pool.nodes, "alloc nodes") == 3u);
  BOOST_TEST(value(graph_pool.nodes, "edges") == 19u);
}

BOOST_AUTO_TEST_CASE(a_built_graph_has_the_edges_that_the_data_needs) {
  const Plan built = built_plan(small());
  BOOST_TEST((built.calls == std::vector<Count>{{"cudaGraphLaunch", 1}}));
  BOOST_TEST(value(built.nodes, "kernel nodes") == 6u);
  BOOST_TEST(value(built.nodes, "memcpy nodes") == 6u);
  BOOST_TEST(value(built.nodes, "memset nodes") == 3u);
  BOOST_TEST(value(built.nodes, "alloc nodes") == 0u);
  BOOST_TEST(value(built.nodes, "other nodes") == 0u);
  BOOST_TEST(value(built.nodes, "roots") == 4u);   // copy in and clear of each lane's first chunk
  BOOST_TEST(value(built.nodes, "edges") == 14u);  // 4 in each chunk, 2 from the first to the third
  BOOST_TEST(value(built.nodes, "longest path") == 8u);  // two chunks without their clears
  BOOST_TEST(built.streams == 0u);
  BOOST_TEST(built.scratch_bytes == 2 * small().scratch_bytes());
}

BOOST_AUTO_TEST_CASE(a_set_graph_has_every_node_set_in_other_memory) {
  const Plan set = set_plan(small());
  BOOST_TEST((set.calls == std::vector<Count>{{"cudaGraphLaunch", 1},
                                              {"cudaGraphExecMemcpyNodeSetParams1D", 6},
                                              {"cudaGraphExecMemsetNodeSetParams", 3},
                                              {"cudaGraphExecKernelNodeSetParams", 6}}));
  BOOST_TEST((set.nodes == built_plan(small()).nodes));
  BOOST_TEST(set.scratch_bytes == 4 * small().scratch_bytes());
}

BOOST_AUTO_TEST_CASE(an_updated_graph_is_captured_again_for_every_launch) {
  const Plan updated = updated_plan(small());
  BOOST_TEST((updated.calls == std::vector<Count>{{"cudaGraphLaunch", 1},
                                                  {"cudaMemcpyAsync", 6},
                                                  {"cudaMemsetAsync", 3},
                                                  {"cudaLaunchKernel", 6},
                                                  {"cudaEventRecord", 3},
                                                  {"cudaStreamWaitEvent", 4},
                                                  {"cudaStreamBeginCapture", 1},
                                                  {"cudaStreamEndCapture", 1},
                                                  {"cudaGraphExecUpdate", 1},
                                                  {"cudaGraphDestroy", 1}}));
  BOOST_TEST((updated.nodes == recorded(lanes_plan(small()), small()).nodes));
  BOOST_TEST(updated.streams == 2u);
  BOOST_TEST(updated.scratch_bytes == 4 * small().scratch_bytes());
}

BOOST_AUTO_TEST_CASE(a_coalesced_graph_copies_and_clears_once) {
  const Plan coalesced = coalesced_plan(small());
  BOOST_TEST((coalesced.calls == std::vector<Count>{{"cudaGraphLaunch", 1}}));
  BOOST_TEST(value(coalesced.nodes, "kernel nodes") == 6u);
  BOOST_TEST(value(coalesced.nodes, "memcpy nodes") == 2u);
  BOOST_TEST(value(coalesced.nodes, "memset nodes") == 1u);
  BOOST_TEST(value(coalesced.nodes, "roots") == 1u);
  // Copy in to memset, memset to 2 lanes, 3 and 1 in these, 2 to the copy out, memset to copy out.
  BOOST_TEST(value(coalesced.nodes, "edges") == 10u);
  BOOST_TEST(value(coalesced.nodes, "longest path") == 7u);  // copy, memset, 4 kernels, copy
  BOOST_TEST(coalesced.scratch_bytes == 72u);
}

BOOST_AUTO_TEST_CASE(kernels_that_map_host_memory_take_the_place_of_copies) {
  const Plan kernels = by_kernels(lanes_plan(small()));
  BOOST_TEST(kernels.maps_host);
  BOOST_TEST((kernels.calls == std::vector<Count>{{"cudaLaunchKernel", 15},
                                                  {"cudaEventRecord", 3},
                                                  {"cudaStreamWaitEvent", 4}}));
  BOOST_TEST(kernels.scratch_bytes == 2 * small().scratch_bytes());
  const Plan graph = recorded(kernels, small());
  BOOST_TEST(graph.maps_host);
  BOOST_TEST(value(graph.nodes, "kernel nodes") == 15u);
  BOOST_TEST(value(graph.nodes, "memcpy nodes") == 0u);
  BOOST_TEST(value(graph.nodes, "edges") == 13u);
  BOOST_TEST(!lanes_plan(small()).maps_host);
}

BOOST_AUTO_TEST_CASE(a_fused_chunk_is_one_kernel_without_memory) {
  const Plan fused = fused_plan(small());
  BOOST_TEST(fused.maps_host);
  BOOST_TEST(fused.scratch_bytes == 0u);
  BOOST_TEST(fused.streams == 2u);
  BOOST_TEST((fused.calls == std::vector<Count>{{"cudaLaunchKernel", 3},
                                                {"cudaEventRecord", 3},
                                                {"cudaStreamWaitEvent", 4}}));
  const Plan graph = recorded(fused, small());
  BOOST_TEST(value(graph.nodes, "edges") == 1u);
  BOOST_TEST(value(graph.nodes, "longest path") == 2u);
}

BOOST_AUTO_TEST_CASE(engines_hand_chunks_over_by_events) {
  const Plan engines = engines_plan(small());
  BOOST_TEST(engines.streams == 3u);
  BOOST_TEST((engines.facts == std::vector<Expectation>{{"streams", 3, false}}));
  // Three stages of three chunks, the fork, and three joins.
  BOOST_TEST(value(engines.calls, "cudaEventRecord") == 13u);
  // Two hand-overs in each chunk, two for the third's memory, three forks and three joins.
  BOOST_TEST(value(engines.calls, "cudaStreamWaitEvent") == 14u);
  BOOST_TEST(value(engines.calls, "cudaMemcpyAsync") == 6u);
  BOOST_TEST(engines.scratch_bytes == 2 * small().scratch_bytes());
}

BOOST_AUTO_TEST_CASE(copies_of_pageable_memory_block) {
  Workload pageable = small();
  pageable.host_memory = HostMemory::pageable;
  for (Plan (*plan)(const Workload&) : {stages_plan, lanes_plan, engines_plan}) {
    BOOST_TEST(plan(pageable).blocks);
    for (const HostMemory locked :
         {HostMemory::pinned, HostMemory::write_combined, HostMemory::registered}) {
      Workload workload = small();
      workload.host_memory = locked;
      BOOST_TEST(!plan(workload).blocks, name_of(locked));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_pool_is_held_to_its_policy) {
  const PoolPolicy policy{.threshold = 0,
                          .follow_events = false,
                          .opportunistic = true,
                          .per_lane = true,
                          .allocations = 2};
  const Plan pool = with_pool(stages_plan(small()), small(), policy);
  BOOST_TEST(value(pool.calls, "cudaMallocFromPoolAsync") == 6u);
  BOOST_TEST(value(pool.calls, "cudaFreeAsync") == 6u);
  BOOST_TEST((pool.facts == std::vector<Expectation>{{"pools", 2, false},
                                                     {"release threshold", 0, false},
                                                     {"reuse after events", 0, false},
                                                     {"reuse opportunistic", 1, false},
                                                     {"reuse by added order", 0, false}}));
}

BOOST_AUTO_TEST_CASE(mix_is_a_bijection_that_depends_on_every_round) {
  std::set<std::uint32_t> results, salts;
  for (std::uint32_t word = 0; word < 5000; ++word) results.insert(mix(word, 3));
  BOOST_TEST(results.size() == 5000u);
  // Computed by a separate program, so that the work cannot change unnoticed.
  BOOST_TEST(mix(1, 1) == 0x2c1b3c6du);
  BOOST_TEST(mix(1, 2) == 0x6cc80ec0u);
  BOOST_TEST(mix(0xdeadbeef, 7) == 0x5f0eec12u);
  BOOST_TEST(mix(0, 0) == 0u);
  for (std::uint32_t kernel = 0; kernel < 100; ++kernel) salts.insert(salt(kernel));
  BOOST_TEST(salts.size() == 100u);
  BOOST_TEST(!salts.contains(0));
}

BOOST_AUTO_TEST_SUITE_END()
