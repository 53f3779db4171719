// Knobs on a workload: the stride of chunks on the host, all of them on a pipeline file's, and pool
// policies.
#include "common/model/workload/knobs.hpp"

#include <type_traits>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/model/workload/buffer_layout.hpp"
#include "tests/base/refusal.hpp"
#include "tests/model/workload/made_up_pipeline.hpp"

BOOST_AUTO_TEST_SUITE(knobs)

/// Returns 4 chunks of 1 KiB with results of 256 bytes.
Workload base() {
  return {.name = "custom", .bytes = 4096, .chunk_bytes = 1024, .result_bytes = 256};
}

/// Returns 3 chunks of 100 doubles, the last one of 50, each copied in and out again.
Workload of_doubles() {
  Pipeline pipeline;
  pipeline.file = "doubles.json";
  pipeline.chunks = 3;
  pipeline.items = 100;
  pipeline.last_items = 50;
  pipeline.buffers = {made_up_buffer("doubles", Element::float64, "n")};
  pipeline.stages = {made_up_stage(Stage::copy_in, "in", 0),
                     made_up_stage(Stage::copy_out, "out", 0)};
  return workload_of("doubles", pipeline);
}

using Knob = std::optional<std::uint64_t> Knobs::*;

Knobs of(Knob knob, std::uint64_t value) {
  Knobs knobs;
  knobs.*knob = value;
  return knobs;
}

Knobs of(Knob one, std::uint64_t value, Knob other, std::uint64_t other_value) {
  Knobs knobs = of(one, value);
  knobs.*other = other_value;
  return knobs;
}

std::string refused(const Workload& workload, const Knobs& knobs) {
  return refusal<UsageError>([&] { turned(workload, knobs); });
}

/// Applies a knob. A chunk of 10 items has 30 bytes of input: 10 and 20.
template <typename Value>
Workload with(std::optional<Value> Knobs::*knob, std::type_identity_t<Value> value) {
  Knobs knobs;
  knobs.*knob = value;
  return turned(made_up_workload(), knobs);
}

BOOST_AUTO_TEST_CASE(inputs_and_results_get_the_same_gap) {
  const Workload apart = turned(base(), of(&Knobs::stride, 1100));
  BOOST_TEST(apart.stride.value() == 1100u);
  const Layout layout = layout_of(apart);
  BOOST_TEST(layout.buffers[own_input].stride == 1100u);
  BOOST_TEST(layout.buffers[own_result].stride == 256u + 76);
  BOOST_TEST(layout.in_bytes == 3 * 1100u + 1024);
  BOOST_TEST(layout.out_bytes == 3 * (256u + 76) + 256);
  BOOST_TEST(apart.bytes == 4096u);
}

BOOST_AUTO_TEST_CASE(a_stride_as_long_as_a_chunk_is_none) {
  BOOST_TEST(!turned(base(), of(&Knobs::stride, 1024)).stride.has_value());
  BOOST_TEST(!turned(base(), {}).stride.has_value());
}

BOOST_AUTO_TEST_CASE(a_gap_stays_when_chunks_change) {
  const Workload apart = turned(base(), of(&Knobs::stride, 1100));
  BOOST_TEST(turned(apart, of(&Knobs::chunk_size, 64)).stride.value() == 64u + 76);
  BOOST_TEST(turned(apart, of(&Knobs::chunk_size, 8192)).stride.value() == 8192u + 76);
  BOOST_TEST(turned(apart, of(&Knobs::chunks, 7)).stride.value() == 1100u);
  BOOST_TEST(turned(apart, of(&Knobs::size, 512)).stride.value() == 512u + 76);
  BOOST_TEST(turned(apart, of(&Knobs::chunk_size, 64, &Knobs::stride, 128)).stride.value() == 128u);
  BOOST_TEST(flaw_of(turned(apart, of(&Knobs::chunk_size, 64))) == "");
}

BOOST_AUTO_TEST_CASE(chunks_neither_overlap_nor_reach_too_far) {
  BOOST_TEST(refused(base(), of(&Knobs::stride, 1020)) ==
             "--stride 1020: is less than a chunk of 1KiB; give that or more");
  BOOST_TEST(refused(base(), of(&Knobs::chunk_size, 2048, &Knobs::stride, 1024)) ==
             "--stride 1KiB: is less than a chunk of 2KiB; give that or more");
  const std::uint64_t most = max_size / 4;
  BOOST_TEST(turned(base(), of(&Knobs::stride, most)).stride.value() == most);
  BOOST_TEST(
      refused(base(), of(&Knobs::stride, most + 4)).starts_with("4 chunks with --stride 2882"));
  BOOST_TEST(
      refused(base(), of(&Knobs::stride, most + 4)).ends_with("--stride of at most 262144TiB"));
}

BOOST_AUTO_TEST_CASE(files_hold_strides_that_the_knob_can_give) {
  const auto flaw = [](std::uint64_t stride) {
    Workload workload = base();
    workload.stride = stride;
    return flaw_of(workload);
  };
  BOOST_TEST(flaw(1028) == "");
  BOOST_TEST(flaw(max_size / 4) == "");
  for (const std::uint64_t wrong : {std::uint64_t{0}, std::uint64_t{1020}, std::uint64_t{1024},
                                    std::uint64_t{1030}, max_size / 4 + 4, UINT64_MAX - 3}) {
    BOOST_TEST(flaw(wrong) == "has a stride of " + std::to_string(wrong) + " bytes");
  }
}

BOOST_AUTO_TEST_CASE(chunks_of_a_pipeline_file_have_gaps_that_keep_elements_aligned) {
  const Workload apart = turned(of_doubles(), of(&Knobs::stride, 816));
  BOOST_TEST(apart.stride.value() == 816u);
  BOOST_TEST(layout_of(apart).in_bytes == 2 * 816u + 400);
  BOOST_TEST(turned(apart, of(&Knobs::chunk_size, 400)).stride.value() == 416u);
  BOOST_TEST(flaw_of(apart) == "");
  BOOST_TEST(refused(of_doubles(), of(&Knobs::stride, 804)) ==
             "--stride '804': leaves 4 bytes between chunks of doubles.json, and its elements of 8 "
             "bytes would not be aligned; give 808");
  BOOST_TEST(refused(of_doubles(), of(&Knobs::stride, 796)) ==
             "--stride 796: is less than a chunk of 800; give that or more");
  Workload far = apart;
  far.stride = UINT64_MAX - 7;
  BOOST_TEST(flaw_of(far) == "has chunks too far apart");
}

BOOST_AUTO_TEST_CASE(without_knobs_nothing_changes) {
  BOOST_TEST((turned(made_up_workload(), {}) == made_up_workload()));
}

BOOST_AUTO_TEST_CASE(a_chunk_has_the_items_whose_input_fits) {
  const Workload workload = with(&Knobs::chunk_size, 60);
  BOOST_TEST(workload.pipeline->items == 20u);
  BOOST_TEST(workload.pipeline->chunks == 3u);
  BOOST_TEST(workload.pipeline->last_items == 20u);
  BOOST_TEST(workload.chunk_bytes == 60u);
  BOOST_TEST(with(&Knobs::chunk_size, 64).pipeline->items == 21u);  // 21 and 40 bytes
}

BOOST_AUTO_TEST_CASE(a_size_changes_the_number_of_chunks) {
  const Workload workload = with(&Knobs::size, 100);
  BOOST_TEST(workload.pipeline->chunks == 4u);
  BOOST_TEST(workload.pipeline->items == 10u);
  BOOST_TEST(workload.pipeline->last_items == 3u);  // 3 and 4 bytes
  BOOST_TEST(with(&Knobs::chunks, 8).pipeline->chunks == 8u);
}

BOOST_AUTO_TEST_CASE(lanes_and_order_are_knobs_and_kernels_are_not) {
  BOOST_TEST(with(&Knobs::lanes, 5).lanes == 5u);
  BOOST_TEST((with(&Knobs::order, Order::breadth_first).order == Order::breadth_first));
  BOOST_CHECK_THROW(with(&Knobs::depth, 2), UsageError);
  BOOST_CHECK_THROW(with(&Knobs::rounds, 2), UsageError);
  BOOST_CHECK_THROW(with(&Knobs::result_size, 4), UsageError);
  BOOST_CHECK_THROW(with(&Knobs::chunk_size, 4), UsageError);  // b has no element for one item
}

BOOST_AUTO_TEST_CASE(a_flaw_of_a_stored_pipeline_is_found) {
  BOOST_TEST(flaw_of(made_up_workload()) == "");
  const auto flaw = [](auto change) {
    Workload workload = made_up_workload();
    change(*workload.pipeline);
    return flaw_of(workload);
  };
  BOOST_TEST(flaw([](Pipeline& p) { p.stages[3].kernel = 7; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.stages[0].buffer = 9; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.kernels[0].arguments[0].buffer = 4; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.buffers[0].count = "n / 0"; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.last_items = 11; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.chunks = 0; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.items = 11; }) != "");  // other sizes than the workload's
  BOOST_TEST(flaw([](Pipeline& p) { p.stages[4].after = {4}; }) != "");
  BOOST_TEST(flaw([](Pipeline& p) { p.kernels.pop_back(); }) != "");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(pool_policy)

PoolPolicy policy(const std::string& text) {
  const auto policies = parse_policies("--pool", text);
  BOOST_REQUIRE_EQUAL(policies.size(), 1u);
  BOOST_TEST(policies.front().name == text);
  return policies.front().policy;
}

std::string refused(const std::string& text) {
  return refusal<UsageError>([&] { parse_policies("--pool", text); });
}

BOOST_AUTO_TEST_CASE(default_is_the_runtimes_and_kept_the_own_one) {
  // As cudaMemPoolCreate documents a new pool.
  BOOST_TEST(
      (policy("default") ==
       PoolPolicy{.threshold = 0, .follow_events = true, .opportunistic = true, .internal = true}));
  BOOST_TEST((policy("kept") == PoolPolicy{}));
}

BOOST_AUTO_TEST_CASE(every_setting_arrives_alone) {
  BOOST_TEST((policy("threshold=0") == PoolPolicy{.threshold = 0}));
  BOOST_TEST((policy("threshold=64M") == PoolPolicy{.threshold = 64 << 20}));
  BOOST_TEST((policy("threshold=4100") == PoolPolicy{.threshold = 4100}));
  BOOST_TEST((policy("events=off") == PoolPolicy{.follow_events = false}));
  BOOST_TEST((policy("opportunistic=on") == PoolPolicy{.opportunistic = true}));
  BOOST_TEST((policy("internal=on") == PoolPolicy{.internal = true}));
  BOOST_TEST((policy("pools=lane") == PoolPolicy{.per_lane = true}));
  BOOST_TEST((policy("allocations=2") == PoolPolicy{.allocations = 2}));
}

BOOST_AUTO_TEST_CASE(a_default_can_be_written_out) {
  BOOST_TEST((policy("threshold=max,events=on,opportunistic=off,internal=off,pools=shared,"
                     "allocations=1") == PoolPolicy{}));
}

BOOST_AUTO_TEST_CASE(settings_of_a_policy_add_up) {
  const PoolPolicy all{.threshold = 0,
                       .follow_events = false,
                       .opportunistic = true,
                       .internal = true,
                       .per_lane = true,
                       .allocations = 2};
  BOOST_TEST((policy("allocations=2,pools=lane,internal=on,opportunistic=on,events=off,"
                     "threshold=0") == all));
}

BOOST_AUTO_TEST_CASE(several_policies_keep_their_order_and_share_nothing) {
  const auto policies = parse_policies("--pool", "pools=lane/kept/threshold=0,events=off");
  BOOST_REQUIRE_EQUAL(policies.size(), 3u);
  BOOST_TEST(policies[0].name == "pools=lane");
  BOOST_TEST((policies[0].policy == PoolPolicy{.per_lane = true}));
  BOOST_TEST(policies[1].name == "kept");
  BOOST_TEST((policies[1].policy == PoolPolicy{}));
  BOOST_TEST(policies[2].name == "threshold=0,events=off");
  BOOST_TEST((policies[2].policy == PoolPolicy{.threshold = 0, .follow_events = false}));
}

BOOST_AUTO_TEST_CASE(refusals_name_the_option_the_word_and_the_way_out) {
  const std::string empty = "has an empty policy; write kept for a policy without settings";
  for (const std::string text : {"", "/", "default/", "/default", "default//events=on"}) {
    BOOST_TEST(refused(text) == "--pool '" + text + "': " + empty);
  }
  BOOST_TEST(refused("default/events=off/default") ==
             "--pool 'default': is named more than once; leave one out");
  const std::string none =
      "is not a setting; write for example opportunistic=on, kept for none, or default for CUDA's "
      "own settings";
  BOOST_TEST(refused("opportunistic") == "--pool 'opportunistic': " + none);
  BOOST_TEST(refused("events=on,") == "--pool '': " + none);
  BOOST_TEST(refused("events=on,default") == "--pool 'default': " + none);
  BOOST_TEST(refused("default/reuse=on") ==
             "--pool 'reuse': is unknown; choose from threshold, events, opportunistic, internal, "
             "pools, allocations");
  BOOST_TEST(refused("=on").starts_with("--pool '': is unknown; choose from threshold"));
  BOOST_TEST(refused("events=on,events=off") ==
             "--pool 'events=off': is set twice in the policy; leave one out");
  BOOST_TEST(refused("kept/threshold=max") ==
             "--pool 'threshold=max': is the same policy as kept; leave one out");
  BOOST_TEST(
      refused("default/threshold=0,opportunistic=on,internal=on") ==
      "--pool 'threshold=0,opportunistic=on,internal=on': is the same policy as default; leave "
      "one out");
}

BOOST_AUTO_TEST_CASE(refused_values_name_their_setting) {
  for (const std::string setting : {"events", "opportunistic", "internal"}) {
    BOOST_TEST(refused(setting + "=yes") ==
               "--pool " + setting + " 'yes': is unknown; choose from off, on");
    BOOST_TEST(contains(refused(setting + "="), "--pool " + setting + " '': is unknown"));
  }
  BOOST_TEST(refused("pools=two") == "--pool pools 'two': is unknown; choose from shared, lane");
  for (const std::string value : {"0", "3"}) {
    BOOST_TEST(refused("allocations=" + value) ==
               "--pool allocations '" + value + "': is unknown; choose from 1, 2");
  }
  BOOST_TEST(refused("threshold=most").starts_with("--pool threshold 'most': "));
  BOOST_TEST(contains(refused("threshold=most"), "write it like 4096"));
  BOOST_TEST(contains(refused("threshold=64Q"), "--pool threshold '64Q'"));
  BOOST_TEST(contains(refused("threshold=-1"), "--pool threshold '-1'"));
}

BOOST_AUTO_TEST_SUITE_END()
