// The processes of a run: their arguments, and their merged results.
#include "common/measure/processes/merge.hpp"

#include "common/explain/report/report.hpp"
#include "common/measure/processes/settings.hpp"
#include "common/model/results/find.hpp"
#include "tests/base/refusal.hpp"
#include "tests/model/made_up.hpp"

BOOST_AUTO_TEST_SUITE(merge)

/// Returns the results of one process in which all times are multiplied by `factor`, and those of
/// graph also by `gain`.
Results process(double factor, double gain = 1) {
  Comparison comparison = made_up_comparison({made_up("streams", 100 * factor, 1000 * factor),
                                              made_up("graph", 10 * factor, 500 * factor * gain)});
  comparison.seed = 7;
  comparison.limit = Limit{};
  comparison.limit->bound_us = 400 * factor;
  // 64 chunks, copied in one after the other
  comparison.limit->copy_in_us = comparison.limit->steady_in_us = 6.25 * factor;
  Results results;
  results.comparisons = {comparison};
  return results;
}

const Measurement& graph_of(const Results& results) {
  return results.comparisons.at(0).measurements.at(1);
}

/// Returns two processes with two set-ups of graph each, and these numbers of passes after them.
std::vector<Results> priced(std::size_t first_passes, std::size_t second_passes) {
  std::vector<Results> all{process(1), process(1)};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto more = static_cast<double>(i);
    Price price;
    price.setup_us = {1 + more, 2 + more};
    price.phases = {{"other", {1 + more, 2 + more}}};
    price.passes_us.assign(i == 0 ? first_passes : second_passes, {5 + more, 6 + more});
    all[i].comparisons[0].measurements[1].price = price;
  }
  return all;
}

/// Returns what one process leaves under that setting if it reached this many workloads.
Results outcome(HostMemory memory, std::size_t workloads, const std::string& note = "") {
  Results results;
  for (std::size_t i = 0; i < workloads; ++i) {
    Comparison comparison = made_up_comparison({made_up("streams", 10, 100)});
    comparison.workload = presets()[i];
    comparison.workload.host_memory = memory;
    results.comparisons.push_back(comparison);
  }
  if (!note.empty()) results.context.notes = {note};
  return results;
}

/// Returns "launch of 2": the workload, and its number of processes.
std::vector<std::string> labels_of(const Results& results) {
  std::vector<std::string> labels;
  for (const Comparison& comparison : results.comparisons) {
    labels.push_back(comparison.workload.label() + " of " + std::to_string(comparison.processes));
  }
  return labels;
}

using Texts = std::vector<std::string>;
constexpr auto pinned = HostMemory::pinned, pageable = HostMemory::pageable;

BOOST_AUTO_TEST_CASE(samples_set_aside_are_kept_apart_with_their_process) {
  std::vector<Results> parts{process(1), process(2)};
  parts[1].comparisons[0].measurements[1].set_aside = {{.wall_us = 7, .round = 3}};
  const Results one = merged(parts);
  const std::vector<Sample>& aside = graph_of(one).set_aside;
  BOOST_TEST_REQUIRE(aside.size() == 1u);
  BOOST_TEST(aside[0].process == 1u);
  BOOST_TEST(aside[0].wall_us == 7);
}

BOOST_AUTO_TEST_CASE(all_samples_are_kept_with_their_process) {
  const std::vector<Results> all{process(1), process(1.25), process(0.95)};
  const Results one = merged(all);
  const Comparison& comparison = one.comparisons.at(0);
  BOOST_TEST(comparison.processes == 3u);
  BOOST_TEST(comparison.rounds == 63u);
  BOOST_TEST(comparison.seconds == 3 * 1.25);
  BOOST_TEST(comparison.seed == 7u);
  const auto& samples = graph_of(one).samples;
  BOOST_REQUIRE_EQUAL(samples.size(), 63u);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    BOOST_TEST(samples[i].process == i / 21);
    BOOST_TEST(samples[i].wall_us == graph_of(all[i / 21]).samples[i % 21].wall_us);
  }
  BOOST_TEST(graph_of(one).wall->min == graph_of(all[2]).wall->min);
}

BOOST_AUTO_TEST_CASE(what_differs_between_processes_is_in_the_interval) {
  const std::vector<Results> steady{process(1), process(1.25), process(0.95)};
  const std::vector<Results> moving{process(1), process(1.25, 1.05), process(0.95, 0.95)};
  const Ratio same = *graph_of(merged(steady)).ratio, wide = *graph_of(merged(moving)).ratio;
  BOOST_TEST(std::abs(same.estimate - 0.5) < 0.001);
  // Standard errors are 0.0870 and, for graph when it moves, 0.1154; another run has the same.
  // Their difference has 4 degrees of freedom, with t of 2.7764, and 3.7184, with 2.8614.
  BOOST_TEST(std::abs(std::log(same.high / same.low) / 2 - 2.7764 * 2 * 0.0870) < 0.001);
  BOOST_TEST(std::abs(std::log(wide.high / wide.low) / 2 -
                      2.8614 * std::sqrt(2) * std::hypot(0.0870, 0.1154)) < 0.001);
}

BOOST_AUTO_TEST_CASE(set_up_is_the_median_and_the_limit_the_lowest) {
  std::vector<Results> all{process(1), process(1.25), process(0.95)};
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].comparisons[0].measurements[1].setup_us = i == 0 ? 5 : i == 1 ? 900 : 7;
    all[i].comparisons[0].measurements[1].checked_passes = 4;
  }
  const Results one = merged(all);
  BOOST_TEST(graph_of(one).setup_us == 7);
  BOOST_TEST(graph_of(one).checked_passes == 12u);
  BOOST_TEST(one.comparisons[0].limit->bound_us == 400 * 0.95);
  BOOST_TEST(graph_of(one).bound_us.value() == 400 * 0.95);
  BOOST_TEST(graph_of(one).efficiency.value() == 380 / graph_of(one).wall->mean);
}

BOOST_AUTO_TEST_CASE(why_there_is_no_limit_is_said_by_the_first_process) {
  std::vector<Results> all{process(1), process(1)};
  for (Results& results : all) results.comparisons[0].limit.reset();
  all[0].comparisons[0].regime = "not judged: made up";
  BOOST_TEST(merged(all).comparisons[0].regime == "not judged: made up");
}

BOOST_AUTO_TEST_CASE(the_set_ups_of_all_processes_are_kept) {
  const Price price = graph_of(merged(priced(1, 1))).price.value();
  BOOST_TEST(price.setup_us == (std::vector<double>{1, 2, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(price.phases.at(0).values.size() == 4u);
  BOOST_TEST(price.passes_us.at(0).back() == 7);
}

BOOST_AUTO_TEST_CASE(of_passes_after_a_set_up_as_many_stand_as_all_processes_had) {
  for (const auto& [first, second] : {std::pair{2, 3}, {3, 2}}) {
    const Price price = graph_of(merged(priced(first, second))).price.value();
    BOOST_TEST(price.setup_us.size() == 4u);
    BOOST_TEST_REQUIRE(price.passes_us.size() == 2u);
    for (const auto& passes : price.passes_us) {
      BOOST_TEST(passes == (std::vector<double>{5, 6, 6, 7}), boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(set_ups_of_other_phases_are_left_out) {
  auto all = priced(1, 1);
  all[1].comparisons[0].measurements[1].price->phases[0].name = "capture";
  BOOST_TEST(graph_of(merged(all)).price.value().setup_us.size() == 2u);
  all[0].comparisons[0].measurements[1].price.reset();
  BOOST_TEST(graph_of(merged(all)).price.value().phases.at(0).name == "capture");
}

BOOST_AUTO_TEST_CASE(a_failure_in_one_process_is_a_failure) {
  std::vector<Results> all{process(1), process(1)};
  all[1].comparisons[0].measurements[1] = made_up("graph", Status::failed, "wrong data");
  all[1].comparisons[0].stopped = "error";
  const Results one = merged(all);
  BOOST_TEST((graph_of(one).status == Status::failed));
  BOOST_TEST(graph_of(one).message == "process 2: wrong data");
  BOOST_TEST(!graph_of(one).ratio.has_value());
  BOOST_TEST(one.comparisons[0].stopped == "error");
}

BOOST_AUTO_TEST_CASE(what_an_interrupted_process_did_not_come_to_is_left_out) {
  std::vector<Results> all{process(1), process(1)};
  all[0].comparisons.push_back(all[0].comparisons[0]);
  all[1].comparisons[0].measurements[1] = made_up("graph", Status::not_run, "interrupted");
  const Results one = merged(all);
  BOOST_REQUIRE_EQUAL(one.comparisons.size(), 2u);
  BOOST_TEST(one.comparisons[0].processes == 2u);
  BOOST_TEST(one.comparisons[1].processes == 1u);
  BOOST_TEST((graph_of(one).status == Status::ok));
  BOOST_TEST(graph_of(one).samples.size() == 21u);
}

BOOST_AUTO_TEST_CASE(different_work_is_not_merged) {
  std::vector<Results> all{process(1), process(1)};
  all[1].comparisons[0].workload = presets().back();
  BOOST_CHECK_THROW(merged(all), std::invalid_argument);
  BOOST_CHECK_THROW(merged(std::span<const Results>{}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(what_must_be_the_same_is_compared_and_named) {
  const auto message = [](auto change) {
    std::vector<Results> all{process(1), process(1)};
    change(all[1].context, all[1].comparisons[0]);
    return refusal<std::invalid_argument>([&] { merged(all); });
  };
  BOOST_TEST(message([](Context& context, Comparison&) { context.git_revision = "abc"; }) ==
             "the processes differ in their git_revision");
  BOOST_TEST(message([](Context&, Comparison& comparison) { comparison.wait = Wait::block; }) ==
             "the processes differ in their wait");
  BOOST_TEST(message([](Context&, Comparison& comparison) { comparison.slow_down = 0.01; }) ==
             "the processes differ in their slow_down");
}

BOOST_AUTO_TEST_CASE(what_follows_from_the_rest_is_derived_anew) {
  std::vector<Results> all{process(1), process(1)};
  for (Results& results : all) {
    results.comparisons[0].verdict = "use neither";
    results.comparisons[0].regime_held = true;
    results.context.notes = {"no NVML"};
  }
  all[1].context.notes.push_back("another");
  all[1].context.finished = "later";
  const Results one = merged(all);
  BOOST_TEST(contains(one.comparisons[0].verdict, "use graph"), one.comparisons[0].verdict);
  BOOST_TEST(!one.comparisons[0].regime_held.value_or(false));  // by the figures it does not
  BOOST_TEST(one.context.notes == (std::vector<std::string>{"no NVML", "another"}),
             boost::test_tools::per_element());
  BOOST_TEST(one.context.finished == "later");
}

BOOST_AUTO_TEST_CASE(the_table_says_what_the_intervals_are_over) {
  const std::vector<Results> all{process(1), process(1.25), process(0.95)};
  const std::string text = as_markdown(times_page(merged(all).comparisons[0], ""));
  BOOST_TEST_CONTEXT(text) {
    BOOST_TEST(contains(text, "Latency: 3 processes, 63 rounds"));
    BOOST_TEST(contains(
        text, "- Intervals are for another run of 3 processes: Student's t with 2 degrees"));
    BOOST_TEST(contains(text, "streams 950 to 1250, graph 475 to 625."));
    BOOST_TEST(!contains(as_markdown(times_page(all[0].comparisons[0], "")), "processes"));
  }
}

BOOST_AUTO_TEST_CASE(a_variant_dropped_in_some_processes_counts_its_rounds_in_all) {
  std::vector<Results> all{process(1), process(1.25), process(0.95)};
  BOOST_TEST(!graph_of(merged(all)).dropped_after);
  for (const std::size_t i : {0u, 2u}) {
    Measurement& graph = all[i].comparisons[0].measurements[1];
    graph.dropped_after = 6 + i;
    graph.samples.resize(6 + i);
  }
  const Results one = merged(all);
  BOOST_TEST((graph_of(one).dropped_after == 6u + 21u + 8u));
  BOOST_TEST(graph_of(one).samples.size() == 35u);
  BOOST_TEST(!one.comparisons[0].measurements[0].dropped_after);
  // The mean of each process covers the rounds that both variants have there.
  BOOST_TEST(graph_of(one).ratio->estimate == 0.5, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(every_seed_runs_under_every_setting) {
  ProcessRequest request;
  request.count = 2;
  request.settings = {{pinned, Wait::spin}, {pageable, Wait::block}};
  request.arguments = {"--preset=launch"};
  request.seconds = 1.5;
  const auto line = [](const char* memory, const char* wait, const char* seed) {
    return Texts{"--preset=launch", memory, wait, "--device=0", seed, "--processes=1",
                 "--time=1500000us"};
  };
  const std::vector<Texts> expected{line("--host-memory=pinned", "--wait=spin", "--seed=7"),
                                    line("--host-memory=pageable", "--wait=block", "--seed=7"),
                                    line("--host-memory=pinned", "--wait=spin", "--seed=8"),
                                    line("--host-memory=pageable", "--wait=block", "--seed=8")};
  std::vector<Texts> given;
  for (const ProcessLine& one : command_lines(request, 7)) {
    given.push_back(one.arguments);
    BOOST_TEST(one.together == 1u);
  }
  BOOST_TEST((given == expected));
  BOOST_TEST(line_of_process({}, 1, 1e-9).back() == "--time=1us");  // 0 is refused
}

/// GPUs 3 and 5: alone, in a process each, and in one process.
const std::vector<Setting> of_gpus{{.devices = {3}, .together = Together::alone},
                                   {.devices = {5}, .together = Together::alone},
                                   {.devices = {3}, .together = Together::processes, .gpus = 2},
                                   {.devices = {5}, .together = Together::processes, .gpus = 2},
                                   {.devices = {3, 5}, .together = Together::threads, .gpus = 2}};

BOOST_AUTO_TEST_CASE(several_gpus_are_measured_alone_in_processes_and_in_one) {
  ProcessRequest request;
  request.settings = of_gpus;
  Texts lines;
  std::vector<std::uint32_t> together;
  for (const ProcessLine& one : command_lines(request, 1)) {
    together.push_back(one.together);
    lines.push_back(one.arguments.at(2) + ' ' + one.arguments.at(3));
  }
  BOOST_TEST(lines == (Texts{"--device=3 --together=alone", "--device=5 --together=alone",
                             "--device=3 --together=processes", "--device=5 --together=processes",
                             "--device=3,5 --together=threads"}),
             boost::test_tools::per_element());
  BOOST_TEST(together == (std::vector{1u, 1u, 2u, 2u, 1u}));
}

BOOST_AUTO_TEST_CASE(a_process_that_splits_passes_knows_all_gpus) {
  const Texts words = arguments_of(Setting{.devices = {2, 0, 1}});
  BOOST_TEST(words.back() == "--device=2,0,1");
}

BOOST_AUTO_TEST_CASE(a_process_has_its_place_whatever_the_number_of_settings) {
  for (const std::size_t settings : {1u, 2u, 3u}) {
    for (std::size_t index = 0; index < 5 * settings; ++index) {
      BOOST_TEST(process_of(index, 5 * settings, 5) == index / settings);
    }
  }
}

const std::vector<Setting> two{{pinned}, {pageable}};

/// Merges the results of the processes with these numbers, by default the first ones.
Results merged_with(const std::vector<Results>& outcomes, const std::vector<Setting>& settings,
                    std::vector<std::size_t> numbers = {}) {
  while (numbers.size() < outcomes.size()) numbers.push_back(numbers.size());
  return merged_by_setting(outcomes, numbers, settings);
}

BOOST_AUTO_TEST_CASE(settings_stand_side_by_side_within_each_workload) {
  const std::vector<Results> outcomes{outcome(pinned, 2), outcome(pageable, 2), outcome(pinned, 2)};
  const Texts expected{"launch of 2", "launch, pageable of 1", "transfer of 2",
                       "transfer, pageable of 1"};
  BOOST_TEST(labels_of(merged_with(outcomes, two)) == expected, boost::test_tools::per_element());
  BOOST_TEST(labels_of(merged_with({outcomes[0]}, two)) == (Texts{"launch of 1", "transfer of 1"}),
             boost::test_tools::per_element());
  BOOST_CHECK_THROW(merged_with({}, two), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_missing_process_leaves_the_others_with_their_settings) {
  // The first process of the first seed left nothing.
  const std::vector<Results> outcomes{outcome(pageable, 1), outcome(pinned, 1),
                                      outcome(pageable, 1)};
  BOOST_TEST(labels_of(merged_with(outcomes, two, {1, 2, 3})) ==
                 (Texts{"launch of 1", "launch, pageable of 2"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_workload_that_only_a_later_setting_came_to_is_kept) {
  const std::vector<Results> outcomes{outcome(pinned, 1), outcome(pageable, 2)};
  BOOST_TEST(labels_of(merged_with(outcomes, two)) ==
                 (Texts{"launch of 1", "launch, pageable of 1", "transfer, pageable of 1"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_processes_of_any_setting_noted_is_kept) {
  const std::vector<Results> outcomes{outcome(pinned, 1, "one"), outcome(pageable, 1, "two"),
                                      outcome(pinned, 1, "three")};
  BOOST_TEST(merged_with(outcomes, two).context.notes == (Texts{"one", "three", "two"}),
             boost::test_tools::per_element());
}

/// Returns what a process leaves that measured these GPUs.
Results of_gpu(std::vector<std::uint32_t> devices, bool one_process = false) {
  Results results;
  for (const std::uint32_t device : devices) {
    Comparison comparison = outcome(pinned, 1).comparisons.front();
    comparison.placement = Placement{device, "H200", "0000:1B:00.0", 0, one_process};
    results.comparisons.push_back(comparison);
  }
  return results;
}

BOOST_AUTO_TEST_CASE(each_gpu_has_its_place_alone_and_beside_the_others) {
  const std::vector<Results> outcomes{of_gpu({3}), of_gpu({5}), of_gpu({3}), of_gpu({5}),
                                      of_gpu({3, 5}, true)};
  const Results all = merged_with(outcomes, of_gpus);
  Texts labels;
  for (const Comparison& one : all.comparisons) {
    labels.push_back(label_among(one, all.comparisons));
  }
  BOOST_TEST(
      labels == (Texts{"launch, GPU 3", "launch, GPU 5", "launch, GPU 3 of 2", "launch, GPU 5 of 2",
                       "launch, GPU 3 of 2 in one process", "launch, GPU 5 of 2 in one process"}),
      boost::test_tools::per_element());
  // A host thread failed in the first process, and not in the second.
  const Results some = merged_with({of_gpu({5}, true), of_gpu({3, 5}, true)}, of_gpus, {4, 9});
  BOOST_TEST(labels_of(some) == (Texts{"launch of 1", "launch of 2"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
