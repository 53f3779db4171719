// Which runs can be compared, and which parts of them.
#include "common/explain/report/diff_runs.hpp"

#include "common/base/text/exit_code.hpp"
#include "tests/base/refusal.hpp"
#include "tests/explain/report/made_up_run.hpp"

BOOST_AUTO_TEST_SUITE(pairing)

Comparison on(const std::string& preset) {
  Draw draw(1);
  Comparison comparison = comparison_of({{"streams"}, {"graph"}}, draw);
  comparison.workload =
      *std::ranges::find(presets(), preset, [](const Workload& workload) { return workload.name; });
  return comparison;
}

std::string refused(const RunFile& before, const RunFile& now) {
  return refusal<UsageError>([&] { pair_up(before, now); });
}

/// Returns the message if the second run's launch has one difference from the first's.
template <typename Edit>
std::string refused_after(Edit change) {
  Comparison other = on("launch");
  change(other);
  return refused(run_with("old", {on("launch")}), run_with("new", {other}));
}

BOOST_AUTO_TEST_CASE(what_both_have_is_paired_in_the_order_of_the_first) {
  Comparison pageable = on("search");
  pageable.workload.host_memory = HostMemory::pageable;
  Comparison more = on("launch");
  more.measurements[0].variant = "pool";  // in place of streams
  more.workload.modified = true;          // set to its earlier value
  const RunFile before = run_with("old", {on("transfer"), on("launch"), on("search"), pageable});
  const RunFile now = run_with("new", {pageable, more, on("reduce"), on("search")});
  const RunChange runs = pair_up(before, now);
  BOOST_TEST_REQUIRE(runs.workloads.size() == 3u);
  BOOST_TEST(label_of(*runs.workloads[0].before) == "launch");
  BOOST_TEST(label_of(*runs.workloads[1].now) == "search");
  BOOST_TEST(label_of(*runs.workloads[2].now) == "search, pageable");
  BOOST_TEST(runs.only_before == std::vector<std::string>{"transfer"});
  BOOST_TEST(runs.only_now == std::vector<std::string>{"reduce"});
  BOOST_TEST_REQUIRE(runs.workloads[0].changes.size() == 1u);
  BOOST_TEST(runs.workloads[0].changes[0].variant == "graph");
  BOOST_TEST(runs.workloads[0].only_before == std::vector<std::string>{"streams"});
  BOOST_TEST(runs.workloads[0].only_now == std::vector<std::string>{"pool"});
}

BOOST_AUTO_TEST_CASE(a_preset_of_another_shape_or_run_in_another_way_is_refused) {
  const auto has = [](const std::string& message, const std::string& words) {
    BOOST_TEST(contains(message, "compare 'old' 'new': launch has " + words), message);
    BOOST_TEST(contains(message, "; run both the same way"));
  };
  has(refused_after([](Comparison& c) { c.workload.bytes *= 2; }),
      "bytes 262144 in the first and 524288 in the second");
  has(refused_after([](Comparison& c) { c.workload.chunk_bytes = 8192; }), "chunk_bytes 4096");
  has(refused_after([](Comparison& c) { c.workload.result_bytes = 4; }), "result_bytes 4096");
  has(refused_after([](Comparison& c) { c.workload.lanes = 3; }), "lanes 4 in the first and 3");
  has(refused_after([](Comparison& c) { c.workload.depth = 3; }), "depth 4");
  has(refused_after([](Comparison& c) { c.workload.rounds = 9; }), "rounds 1");
  has(refused_after([](Comparison& c) { c.workload.order = Order::breadth_first; }),
      "order depth in the first and breadth");
  has(refused_after([](Comparison& c) { c.workload.host_memory = HostMemory::pageable; }),
      "host_memory pinned in the first and pageable");
  has(refused_after([](Comparison& c) { c.workload.pool.per_lane = true; }),
      "pool.per_lane false in the first and true");
  has(refused_after([](Comparison& c) { c.mode = Mode::throughput; }), "mode latency");
  has(refused_after([](Comparison& c) { c.batch = 7; }), "batch 1");
  has(refused_after([](Comparison& c) { c.wait = Wait::block; }),
      "wait spin in the first and block");
  has(refused_after([](Comparison& c) { c.slow_down = 0.01; }), "slow_down 0 in the first");
}

BOOST_AUTO_TEST_CASE(rounds_that_each_run_found_for_itself_are_no_fault_of_the_user) {
  const std::string message = refused_after([](Comparison& c) {
    c.workload.rounds = 9;
    c.requested_kernel_us = 50;
  });
  BOOST_TEST(contains(message, "rounds 1 in the first and 9 in the second; --kernel-time chooses"));
}

BOOST_AUTO_TEST_CASE(series_that_share_a_part_are_compared_in_that) {
  const auto cut = [](std::uint64_t chunk_bytes) {
    Comparison comparison = on("transfer");
    comparison.workload.chunk_bytes = chunk_bytes;
    return comparison;
  };
  const RunFile before = run_with("old", {cut(1 << 20), cut(2 << 20)});
  const RunFile now = run_with("new", {cut(4 << 20), cut(2 << 20)});
  const RunChange runs = pair_up(before, now);
  BOOST_TEST_REQUIRE(runs.workloads.size() == 1u);
  BOOST_TEST(runs.workloads[0].now->workload.chunk_bytes == 2u << 20);
  BOOST_TEST(runs.only_before.size() == 1u);
  BOOST_TEST(runs.only_now.size() == 1u);
}

BOOST_AUTO_TEST_CASE(simulated_and_measured_times_are_not_compared) {
  RunFile measured = run_with("old", {on("launch")}), simulated = run_with("new", {on("launch")});
  simulated.results.context.simulated = "Example";
  BOOST_TEST(contains(refused(measured, simulated), "of the second are simulated"));
  BOOST_TEST(contains(refused(simulated, measured), "of the first are simulated"));
  RunFile other = simulated;
  other.results.context.simulated = "Another";
  BOOST_TEST(pair_up(simulated, other).workloads.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_workload_that_is_there_twice_is_refused_with_its_file) {
  const RunFile once = run_with("once", {on("launch")});
  const RunFile twice = run_with("twice", {on("launch"), on("search"), on("search")});
  const std::string words = "compare 'twice': contains search more than once";
  BOOST_TEST(contains(refused(once, twice), words));
  BOOST_TEST(contains(refused(twice, once), words));
}

BOOST_AUTO_TEST_CASE(nothing_in_common_is_refused) {
  const std::string words = "share no workload with a variant that has times in the first";
  const RunFile launch = run_with("old", {on("launch")});
  BOOST_TEST(contains(refused(launch, run_with("new", {on("search")})), words));
  BOOST_TEST(contains(refused(launch, run_with("new", {})), words));
  Comparison others = on("launch");
  for (Measurement& m : others.measurements) m.variant += "_again";
  BOOST_TEST(contains(refused(launch, run_with("new", {others})), words));
  Comparison failed = on("launch");
  for (Measurement& m : failed.measurements) m.status = Status::failed;
  BOOST_TEST(contains(refused(run_with("old", {failed}), launch), words));
  BOOST_TEST(pair_up(launch, run_with("new", {failed})).workloads.size() == 1u);
  BOOST_TEST(pair_up(launch, launch).workloads.size() == 1u);
}

BOOST_AUTO_TEST_CASE(what_differs_around_the_runs_is_found) {
  Context before = run_with("", {}).results.context, now = before;
  BOOST_TEST(differences(before, now).empty());
  before.simulated = "Example";
  now.gpu = {{"driver_version", "1000.2"}, {"name", "NVIDIA Example 100"}, {"ecc_mode", "on"}};
  before.gpu_after = {{"temperature_c", "40"}, {"sm_clock_mhz", "1980"}, {"power_w", "80"}};
  now.gpu_after = {{"temperature_c", "70"}, {"sm_clock_mhz", "1200"}};
  before.host = {{"load_average", "0.1"}, {"cpu", "fast"}};
  now.host = {{"load_average", "9.1"}, {"cpu", "slow"}};
  now.environment = {{"CUDA_LAUNCH_BLOCKING", "1"}};
  now.other_processes = {"12 game", "13 miner"};
  now.tool_version = "2", now.git_revision = "fedc", now.build_type = "Debug";
  now.started = "2002", now.command_line = "trilane", now.notes = {"none"};
  std::string found;
  for (const auto& [what, was, is] : differences(before, now)) {
    found += what + ": " + was + " > " + is + "\n";
  }
  BOOST_TEST(found ==
             "profile: Example > nothing\n"
             "GPU driver_version: 999.1 > 1000.2\n"
             "GPU ecc_mode: nothing > on\n"
             "GPU after the run, sm_clock_mhz: 1980 > 1200\n"
             "host cpu: fast > slow\n"
             "environment CUDA_LAUNCH_BLOCKING: nothing > 1\n"
             "other processes on the GPU: nothing > 12 game, 13 miner\n"
             "Trilane version: nothing > 2\n"
             "Trilane revision: 0123456789ab > fedc\n"
             "build type: nothing > Debug\n");
}

BOOST_AUTO_TEST_SUITE_END()
