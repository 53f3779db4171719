// Results with contradictory members are refused with the place; records are found by name.
#include "common/model/results/find.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(results_check)

/// Returns two variants in two rounds of each of two processes.
Results sound() {
  Comparison c;
  c.workload = presets().front();
  c.reference = "streams";
  c.processes = 2;
  c.rounds = 4;
  for (const char* variant : {"streams", "graph"}) {
    Measurement& m = c.measurements.emplace_back();
    m.variant = variant;
    m.status = Status::ok;
    m.samples = {{1, 2, 3, 0, 0, 0}, {1, 2, 3, 1, 1, 0}, {1, 2, 3, 0, 0, 1}, {1, 2, 3, 1, 1, 1}};
    m.wall = Summary{3, 3, 3, 3, 3, 3};
    m.ratio = Ratio{1, 0.9, 1.1};
  }
  return {{}, {}, {}, {c}};
}

template <typename Change>
std::string refused(Change change) {
  Results results = sound();
  change(results.comparisons[0]);
  const std::string text = to_json(results);
  return refusal<std::invalid_argument>([&] { from_json(text); });
}

const std::string first = "results file: .comparisons[0]";

BOOST_AUTO_TEST_CASE(sound_results_are_read) {
  BOOST_TEST(refused([](Comparison&) {}) == "(not refused)");
}

BOOST_AUTO_TEST_CASE(a_variant_is_there_once_and_so_is_the_reference) {
  BOOST_TEST(refused([](Comparison& c) { c.measurements[1].variant = "streams"; }) ==
             first + ".measurements[1].variant is streams, as before");
  BOOST_TEST(refused([](Comparison& c) { c.reference = "none"; }) ==
             first + ".reference is none, which has no entry");
  BOOST_TEST(refused([](Comparison& c) { c.reference = ""; }) == "(not refused)");
}

BOOST_AUTO_TEST_CASE(samples_are_of_what_is_there) {
  const std::string samples = first + ".measurements[1].samples";
  const auto sample = [](Comparison& c) -> Sample& { return c.measurements[1].samples[2]; };
  BOOST_TEST(refused([&](Comparison& c) { sample(c).process = 2; }) ==
             samples + ".process has 2, and there are 2 processes");
  BOOST_TEST(refused([&](Comparison& c) { sample(c).round = 4; }) ==
             samples + ".round has 4, and there are 4 rounds");
  BOOST_TEST(refused([&](Comparison& c) { sample(c).after = 2; }) ==
             samples + ".after has 2, and there are 2 variants");
  BOOST_TEST(contains(refused([&](Comparison& c) { sample(c).wall_us = 0; }),
                      samples + ".wall_us[2] is 0 and must be from 0.001 to "));
  BOOST_TEST(contains(refused([&](Comparison& c) { sample(c).submit_us = -1; }),
                      samples + ".submit_us[2] is -1 and must be from 0 to "));
  BOOST_TEST(contains(refused([&](Comparison& c) {
                        c.measurements[0].set_aside = {sample(c)};
                        c.measurements[0].set_aside[0].round = 9;
                      }),
                      first + ".measurements[0].set_aside.round has 9"));
}

BOOST_AUTO_TEST_CASE(processes_need_samples) {
  BOOST_TEST(refused([](Comparison& c) { c.processes = 9; }) ==
             first + ".processes is 9, more than its 8 samples");
  BOOST_TEST(contains(refused([](Comparison& c) { c.processes = 0; }),
                      first + ".processes is 0 and must be from 1 to 1000"));
  BOOST_TEST(contains(refused([](Comparison& c) { c.processes = 4'000'000'000; }),
                      first + ".processes is 4000000000 and must be"));
}

BOOST_AUTO_TEST_CASE(figures_stand_in_their_order) {
  BOOST_TEST(refused([](Comparison& c) { c.measurements[0].wall->q1 = 4; }) ==
             first +
                 ".measurements[0].wall does not ascend from min over q1, median and q3 to p99");
  BOOST_TEST(refused([](Comparison& c) { c.measurements[0].ratio->low = 2; }) ==
             first + ".measurements[0].ratio has a low end above its high end");
}

BOOST_AUTO_TEST_CASE(a_workload_is_one_that_options_can_ask_for) {
  const auto with = [](auto change) { return refused([&](Comparison& c) { change(c.workload); }); };
  const std::string workload = first + ".workload ";
  BOOST_TEST(with([](Workload& w) { w.lanes = 0; }) == workload + "has 0 lanes");
  BOOST_TEST(with([](Workload& w) { w.lanes = 1025; }) == workload + "has 1025 lanes");
  BOOST_TEST(with([](Workload& w) { w.depth = 0; }) == workload + "has depth 0");
  BOOST_TEST(with([](Workload& w) { w.rounds = 0; }) == workload + "has 0 rounds");
  BOOST_TEST(with([](Workload& w) { w.chunk_bytes = 4098; }) ==
             workload + "has chunks of 4098 bytes");
  BOOST_TEST(with([](Workload& w) { w.result_bytes = 8192; }) ==
             workload + "has results of 8192 bytes");
  BOOST_TEST(with([](Workload& w) { w.bytes = 4'000'004 * 4096ull; }) ==
             workload + "has more than 1000000 chunks");
  BOOST_TEST(with([](Workload& w) { w.pool.allocations = 3; }) ==
             workload + "has 3 allocations a chunk");
  BOOST_TEST(with([](Workload& w) {
               w.bytes = 4096 * 100'000ull;
               w.depth = 100;
             }) == workload + "has 10300000 operations");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(find)

Comparison of(const char* name, std::uint64_t chunks, HostMemory memory = HostMemory::pinned,
              Wait wait = Wait::spin) {
  Comparison comparison;
  comparison.workload.name = name;
  comparison.workload.bytes = 1 << 20;
  comparison.workload.chunk_bytes = comparison.workload.result_bytes = (1 << 20) / chunks;
  comparison.workload.host_memory = memory;
  comparison.wait = wait;
  return comparison;
}

std::vector<std::string> labels(const std::vector<Comparison>& all) {
  std::vector<std::string> found;
  for (const Comparison& comparison : all) found.push_back(label_among(comparison, all));
  return found;
}

using Names = std::vector<std::string>;

BOOST_AUTO_TEST_CASE(records_are_found_by_name) {
  Comparison comparison;
  comparison.measurements.resize(2);
  comparison.measurements[1].variant = "graph";
  BOOST_TEST(find_variant(comparison, "graph") == &comparison.measurements[1]);
  BOOST_TEST(find_variant(comparison, "pool") == nullptr);
  comparison.reference = "graph";
  BOOST_TEST(find_reference(comparison) == &comparison.measurements[1]);
  BOOST_TEST(value_of({{"a", "1"}, {"b", "2"}}, "b") == "2");
  BOOST_TEST(value_of({{"a", "1"}}, "c") == "");
}

BOOST_AUTO_TEST_CASE(those_that_differ_in_settings_alone_belong_together) {
  const std::vector<Comparison> all{of("a", 1), of("b", 1), of("a", 2),
                                    of("a", 1, HostMemory::pageable)};
  BOOST_TEST(same_work(all[0], all[3]));
  BOOST_TEST((!same_work(all[0], all[1]) && !same_work(all[0], all[2])));
  const auto found = groups_of(all, same_work);
  BOOST_TEST_REQUIRE(found.size() == 1u);
  BOOST_TEST((found[0] == Group{&all[0], &all[3]}));
}

BOOST_AUTO_TEST_CASE(labels_say_what_differs) {
  BOOST_TEST(labels({of("a", 1), of("b", 2)}) == (Names{"a", "b"}));
  BOOST_TEST(labels({of("a", 1), of("a", 1, HostMemory::pageable)}) == (Names{"a", "a, pageable"}));
  BOOST_TEST(labels({of("a", 1), of("a", 1, HostMemory::pinned, Wait::block)}) ==
             (Names{"a, spin", "a, block"}));
}

BOOST_AUTO_TEST_SUITE_END()
