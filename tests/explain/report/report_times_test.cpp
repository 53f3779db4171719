// The page of times: all variants in one table.
#include "common/explain/report/report.hpp"

#include "tests/base/mentions.hpp"
#include "tests/explain/report/check_page.hpp"
#include "tests/explain/report/made_up_prices.hpp"

BOOST_AUTO_TEST_SUITE(report_times)

std::string markdown(const Comparison& comparison, const std::string& simulated = {}) {
  return checked_markdown(times_page(comparison, simulated));
}

BOOST_AUTO_TEST_CASE(a_full_table_has_these_columns_and_tells_all_else_in_this_order) {
  const std::string text = markdown(of_every_kind()), line = on_one_line(text);
  BOOST_TEST(mentions(
      line, {"### launch: 64 chunks x 4 KiB, 4 lanes, depth 4, 1 round", "Latency", "21 rounds",
             "1.2 s", "precision", "21 timed passes", "seed 0", "Means in us", "| variant "}));
  BOOST_TEST(contains(as_text(times_page(of_every_kind(), "")), R"(
variant     submit  device  wall     quartiles   p99  speed vs streams      tier
serial *      4100    3895  4100  4090 to 4110  4120  0.339 [0.338, 0.340]  same operations
streams       1370    1320  1390  1387 to 1393  1397  reference             same operations
graph          283     456   480    479 to 481   482  2.896 [2.886, 2.906]  same operations
pool          1375    1320  1390  1387 to 1393  1397  tie [0.997, 1.003]    same operations
malloc           -       -     -             -     -  failed                same operations
graph_pool       -       -     -             -     -  not supported         same operations

- malloc: wrong data: word 17 of chunk 3 is 0, must be 4711
- graph_pool: this GPU has no memory pools
- )"));
  BOOST_TEST(mentions(line, {"| tier", "- Variants with a star", "wait for the device"}));
}

BOOST_AUTO_TEST_CASE(rounds_that_do_not_count_are_counted) {
  Comparison comparison = of_every_kind();
  BOOST_TEST(!contains(markdown(comparison), "excluded, because"));
  for (std::uint32_t round : {0, 0, 7}) {
    comparison.measurements[1].set_aside.push_back({.wall_us = 1, .round = round});
  }
  comparison.measurements[2].set_aside.push_back({.wall_us = 1, .round = 7});
  BOOST_TEST(mentions(on_one_line(markdown(comparison)),
                      {"wall time. 2 rounds excluded, because the host's core was slow."}));
}

BOOST_AUTO_TEST_CASE(simulated_times_are_called_so_with_the_profile) {
  const std::string name = "NVIDIA H200 (profile of 2026-11-21)";
  Comparison predicted = of_every_kind();
  for (Measurement& m : predicted.measurements) m.prediction = Prediction{1.25, 2};
  summarise(predicted);
  const std::string text = markdown(predicted, name);
  BOOST_TEST(mentions(on_one_line(text), {"Simulated " + name, "Latency", "Means in us, simulated",
                                          "| 2.8", " [2.3", "inconclusive [0.80"}));
  BOOST_TEST(!contains(markdown(of_every_kind()), "imulated"));
  check_page(times_page(of_every_kind(), std::string(100, 'p')));
}

BOOST_AUTO_TEST_CASE(extremes_stay_within_the_page) {
  const std::string name = "a_very_long_variant_";
  for (const double wall : {1e-3, 1.0, 123.456, 99999.0, 1e6, 1e7, 1e9, 1e11}) {
    for (const double other : {1e-3, 0.6, 1.0, 1e7, 1e11}) {
      auto first = made_up(name, other, other), second = made_up(name.substr(1) + "x", wall, wall);
      first.plan.blocks = second.plan.blocks = true;
      Comparison comparison = made_up_comparison(
          {first, second, made_up("z" + name.substr(1), Status::failed, std::string(300, 'x')),
           made_up("y" + name.substr(1), Status::not_supported, "many words " + name)},
          name);
      comparison.workload.modified = true;
      comparison.workload.rounds = 4000000000;
      comparison.workload.bytes = 1ull << 60;
      comparison.workload.chunk_bytes = (1ull << 40) + 4;
      comparison.limit = Limit{};
      comparison.limit->bound_us = wall;
      for (Measurement& m : comparison.measurements) m.price = price_of(other, wall);
      comparison.measurements[1].break_even = BreakEven{
          Pays::at_first, wall, wall / 2, 2 * wall, Crossing{15, 4000000000, 2 * wall, wall, {}}};
      comparison.regime = "words and " + std::string(200, 'y');
      check_page(times_page(comparison, ""));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_state_of_a_run_has_a_table) {
  Comparison comparison = of_every_kind();
  comparison.mode = Mode::throughput;
  comparison.batch = 8;
  comparison.stopped = "interrupted";
  std::string text = markdown(comparison);
  BOOST_TEST(mentions(on_one_line(text),
                      {"Throughput", "batches of 8 passes", "21 rounds", "1.2 s", "interrupted"}));
  comparison.batch = 1;
  text = on_one_line(markdown(comparison));
  BOOST_TEST(mentions(text, {"Latency, because", "too long to queue two", "timed pass"}));
  BOOST_TEST(!mentions(text, {"batch"}));

  check_page(times_page(made_up_comparison({}), ""));
  check_page(times_page(made_up_comparison({made_up("graph", Status::not_run, "")}, ""), ""));
  text = markdown(made_up_comparison({made_up("graph", 1, 2), made_up("pool", 2, 4)}, ""));
  BOOST_TEST(contains(text, "| result |"));
  text = markdown(made_up_comparison({made_up("graph", 1, 2, 3), made_up("streams", 2, 4, 3)}));
  BOOST_TEST(contains(text, "| too few rounds"));
}

BOOST_AUTO_TEST_CASE(speeds_beyond_the_columns_are_bounded) {
  const struct {
    Ratio ratio;
    const char* cell;
  } cases[]{{{1e6, 9e5, 2e6}, "| <.001 [<.001, <.001] |"},
            {{1e-6, 9e-7, 2e-6}, "| >9999 [>9999, >9999] |"},
            {{0.1, 0.09, 0.5}, "| 10.0 [2.000, 11.1]   |"},
            {{1e-3, 1e-3, 1e-3}, "| 1000 [1000, 1000]    |"},
            {{0.5, 0.25, 0.99}, "| 2.000 [1.010, 4.000] |"},
            {{0.5, 0.25, 1}, "| tie [1.000, 4.000]   |"}};
  Comparison comparison = of_every_kind();
  for (const auto& [ratio, cell] : cases) {
    comparison.measurements[0].ratio = ratio;
    const std::string text = markdown(comparison);
    BOOST_TEST(contains(text, cell), cell);
  }
}

BOOST_AUTO_TEST_CASE(long_times_change_the_unit) {
  BOOST_TEST(
      contains(markdown(made_up_comparison({made_up("graph", 1, 900000)}, "")), "Means in us"));
  const std::string ms = markdown(made_up_comparison({made_up("graph", 1, 1e7)}, ""));
  BOOST_TEST(contains(ms, "Means in ms"));
  BOOST_TEST(contains(ms, " 10000 |"));
  BOOST_TEST(contains(ms, " 0.001 |"));
  BOOST_TEST(
      contains(markdown(made_up_comparison({made_up("graph", 0.4, 1e7)}, "")), "| <0.001 |"));
  BOOST_TEST(
      contains(markdown(made_up_comparison({made_up("graph", 1, 1e10)}, "")), "Means in s;"));
}

BOOST_AUTO_TEST_CASE(a_message_cannot_break_the_page) {
  const std::string text = markdown(made_up_comparison({made_up(
      "graph", Status::failed, "one\n\n# two\ttabs\x1b[31m\x7f and " + std::string(90, 'u'))}));
  BOOST_TEST(contains(text, "- graph: one # two tabs [31m and\n  uuuu"));
}

BOOST_AUTO_TEST_CASE(a_custom_shape_says_that_its_kernels_do_the_least_work) {
  Comparison comparison = made_up_comparison({made_up("streams", 20, 250)});
  const auto told = [&] { return contains(on_one_line(markdown(comparison)), "the least work"); };
  BOOST_TEST(!told());  // a preset
  comparison.workload.name = "custom";
  comparison.workload.rounds = 1;
  BOOST_TEST(told());
  comparison.workload.rounds = 2;
  BOOST_TEST(!told());
  comparison.workload.rounds = 1;
  comparison.requested_kernel_us = 1;
  BOOST_TEST(!told());
}

BOOST_AUTO_TEST_CASE(a_queue_that_is_full_is_told) {
  Comparison comparison = made_up_comparison({made_up("streams", 200, 250)});
  comparison.workload.lanes = 1;
  comparison.workload.depth = 1;
  comparison.workload.bytes = 250 * comparison.workload.chunk_bytes;
  BOOST_TEST(mentions(markdown(comparison), {"Each lane gets 1000 operations"}));
  comparison.workload.bytes -= comparison.workload.chunk_bytes;
  BOOST_TEST(!mentions(markdown(comparison), {"Each lane gets"}));
}

BOOST_AUTO_TEST_CASE(the_kernel_time_asked_for_stands_beside_the_one_measured) {
  Comparison comparison = made_up_comparison({made_up("streams", 200, 250)});
  comparison.limit = Limit{};
  comparison.limit->kernels_us = 99;
  comparison.workload.depth = 2;
  comparison.workload.rounds = 1234;
  BOOST_TEST(!mentions(markdown(comparison), {"Kernel time"}));
  comparison.requested_kernel_us = 50;
  BOOST_TEST(mentions(markdown(comparison),
                      {"Kernel time", "50.0 us requested", "49.5 us measured", "1234 rounds"}));
  BOOST_TEST(mentions(markdown(comparison, "some profile"), {"Kernel time", "49.5 us simulated"}));
}

BOOST_AUTO_TEST_CASE(a_plan_is_told_in_full) {
  Plan plan{
      .model = {Issuer::graph, Chaining::lanes, ScratchSource::lane, Mover::engines_per_chunk},
      .calls = {{"cudaGraphLaunch", 1}, {"cudaEventRecord", 2}},
      .nodes = {{"kernel nodes", 256},
                {"memcpy nodes", 128},
                {"memset nodes", 64},
                {"roots", 4},
                {"edges", 316}},
      .facts = {},
      .scratch_bytes = 32768,
      .streams = 4,
      .blocks = true,
      .needs_pools = false};
  const std::string text = as_markdown(plan_page(presets().front(), "graph", plan));
  BOOST_TEST(text == R"(### launch, graph: 64 chunks x 4 KiB, 4 lanes, depth 4, 1 round

| plan                               |   graph |
| :--------------------------------- | ------: |
| bytes in                           | 256 KiB |
| bytes out                          | 256 KiB |
| device memory for chunks           |  32 KiB |
| streams                            |       4 |
| host threads besides the caller    |       0 |
| submit waits for the device        |     yes |
| needs memory pools                 |      no |
| kernels read and write host memory |      no |
| runtime calls a pass               |       3 |
| - cudaGraphLaunch                  |       1 |
| - cudaEventRecord                  |       2 |
| graph nodes                        |     448 |
| - kernel nodes                     |     256 |
| - memcpy nodes                     |     128 |
| - memset nodes                     |      64 |
| - roots                            |       4 |
| - edges                            |     316 |
)");
  plan.nodes.clear();
  BOOST_TEST(!contains(as_markdown(plan_page(presets().front(), "graph", plan)), "graph nodes"));
  for (const Workload& preset : presets()) check_page(plan_page(preset, "graph_pool", plan));
}

BOOST_AUTO_TEST_SUITE_END()
