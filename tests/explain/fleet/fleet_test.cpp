// Fleets of made-up machines: what is found, what is named by mistake, and what costs only itself.
#include "common/explain/fleet/fleet.hpp"

#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/explain/fleet/made_up_fleet.hpp"

BOOST_AUTO_TEST_SUITE(fleets)

std::vector<std::string> odd_names(const Fleet& fleet) {
  std::vector<std::string> names;
  for (const OddMachine& odd : fleet.odd) names.push_back(odd.machine);
  std::ranges::sort(names);
  return names;
}

std::vector<LogMean> known(const std::vector<double>& logs) {
  std::vector<LogMean> values;
  for (const double log : logs) values.push_back({log});
  return values;
}

using Indices = std::vector<std::size_t>;

BOOST_AUTO_TEST_CASE(one_value_far_from_equal_ones_is_odd) {
  BOOST_TEST(odd_values(known({0, 0, 0, 0.05, 0, 0}), 0.01, 0.01) == Indices{3});
  BOOST_TEST(odd_values(known({0, 0, -0.05}), 0.01, 0.01) == Indices{2});
  BOOST_TEST(odd_values(known({0, 0, 0, 0.009, 0, 0}), 0.01, 0.01).empty());  // too little
  BOOST_TEST(odd_values(known({0, 0.05}), 0.01, 0.01).empty());               // either may be
  BOOST_TEST(odd_values({}, 0.01, 0.01).empty());
}

BOOST_AUTO_TEST_CASE(an_odd_value_does_not_hide_behind_another) {
  std::vector<double> logs;
  Draw draw(3);
  for (int i = 0; i < 40; ++i) logs.push_back(0.003 * draw.normal());
  logs[7] = logs[8] = logs[9] = 0.05;
  Indices found = odd_values(known(logs), 0.001, 0.01);
  std::ranges::sort(found);
  BOOST_TEST(found == (Indices{7, 8, 9}));
}

BOOST_AUTO_TEST_CASE(an_uncertain_value_must_be_further_away) {
  std::vector<LogMean> values = known({0, 0.001, -0.001, 0.002, -0.002, 0.001, 0, 0.04});
  for (LogMean& value : values) value.variance = 1e-6;
  BOOST_TEST(odd_values(values, 0.01, 0.01) == Indices{7});
  values[7].variance = 4e-4;
  BOOST_TEST(odd_values(values, 0.01, 0.01).empty());
}

BOOST_AUTO_TEST_CASE(false_alarms_are_as_rare_as_stated) {
  for (const std::size_t count : {4, 8, 60}) {
    std::size_t alarms = 0;
    const std::size_t trials = 2000;
    Draw draw(count);
    for (std::size_t i = 0; i < trials; ++i) {
      std::vector<double> logs;
      for (std::size_t k = 0; k < count; ++k) logs.push_back(draw.normal());
      alarms += !odd_values(known(logs), 0.05, 0).empty();
    }
    BOOST_TEST_CONTEXT(count << " machines: " << alarms)
    BOOST_TEST(clopper_pearson(alarms, trials).low < 0.05);
  }
}

BOOST_AUTO_TEST_CASE(sound_fleets_raise_no_alarm) {
  std::size_t alarms = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    alarms += !merged_fleet(machines(20, seed), {}, {}).odd.empty();
  }
  BOOST_TEST(alarms <= 2u);
}

BOOST_AUTO_TEST_CASE(odd_machines_are_named_by_what_differs) {
  const Fleet fleet = merged_fleet(
      machines(60, 5, {{7, {.streams = 0.05}}, {30, {.copy_in = 0.03}}, {31, {.copy_in = -0.03}}}),
      {}, {});
  BOOST_TEST(odd_names(fleet) == (std::vector<std::string>{"gpu30", "gpu31", "gpu7"}));
  BOOST_TEST(fleet.odd[0].machine == "gpu7");  // the largest difference
  BOOST_TEST(fleet.odd[0].figures[0].name == "streams on launch");
  BOOST_TEST(fleet.odd[0].figures[0].ratio == 1.05, boost::test_tools::tolerance(0.02));
  BOOST_TEST(fleet.odd[1].figures[0].name == "start of a copy in");
  const std::string page = as_text(fleet_page(fleet));
  BOOST_TEST(page.find("start of a copy in -") != page.npos);
  BOOST_TEST(page.find("60 GPUs: 3 differ from the others: gpu7, ") != page.npos);
}

BOOST_AUTO_TEST_CASE(the_interval_is_over_machines) {
  const Fleet fleet = merged_fleet(machines(30, 6), {}, {});
  const auto& variants = fleet.workloads.at(0).variants;
  BOOST_TEST(variants.at(0).variant == "graph");
  BOOST_TEST(variants[0].machines == 30u);
  BOOST_TEST(variants[0].faster == 30u);
  BOOST_TEST(!variants.at(1).ratio);
  const AcrossMachines& ratio = variants[0].ratio.value();
  BOOST_TEST(ratio.estimate == 0.8, boost::test_tools::tolerance(0.01));
  BOOST_TEST((ratio.least < ratio.low && ratio.low < 0.8 && 0.8 < ratio.high));
  BOOST_TEST(fleet.workloads[0].verdict.starts_with("launch, beside streams: graph is 1.2"));
  BOOST_TEST(!merged_fleet(machines(1, 6), {}, {}).workloads[0].variants[0].ratio);
}

BOOST_AUTO_TEST_CASE(files_of_one_gpu_count_together) {
  Draw draw(2);
  Runs runs;
  for (const char* uuid : {"GPU-a", "GPU-b", "GPU-a"}) {
    RunFile run = run_of("file" + std::to_string(runs.size()), draw);
    run.results.context.gpu = {{"ordinal", "0"}, {"uuid", uuid}};
    run.results.context.host = {{"node", "n1"}};
    runs.push_back(fleet_runs(run.path, run.results).at(0));
  }
  const Fleet fleet = merged_fleet(runs, {}, {});
  BOOST_REQUIRE(fleet.machines.size() == 2u);
  BOOST_TEST(fleet.machines[0].name == "n1 GPU 0");
  BOOST_TEST(fleet.machines[0].files.size() == 2u);
  BOOST_TEST(fleet.machines[1].name == "n1 GPU 0 (file1)");
  BOOST_TEST(fleet.workloads.at(0).variants.at(0).machines == 2u);
}

BOOST_AUTO_TEST_CASE(what_does_not_count_is_named_and_costs_only_itself) {
  Draw draw(4);
  Runs runs = machines(3, 4);
  RunFile other = run_of("other", draw);
  other.results.comparisons[0].workload.depth = 9;
  runs.push_back(fleet_runs("other", other.results).at(0));
  RunFile failed = run_of("failed", draw);
  failed.results.comparisons[0].measurements[1] = made_up("graph", Status::failed, "wrong data");
  runs.push_back(fleet_runs("failed", failed.results).at(0));
  const Fleet fleet = merged_fleet(runs, {{"cut", "is not JSON"}}, {});
  BOOST_REQUIRE(fleet.left_out.size() == 3u);
  BOOST_TEST(fleet.left_out[1].why.find("most files do not have this work") != std::string::npos);
  BOOST_TEST(fleet.left_out[2].why == "graph on launch: wrong data");
  BOOST_TEST(fleet.workloads.size() == 1u);
  for (const FleetVariant& variant : fleet.workloads[0].variants) {
    BOOST_TEST(variant.machines == (variant.variant == "graph" ? 3u : 4u));
  }
}

BOOST_AUTO_TEST_CASE(settings_that_differ_are_named_and_beside_what_they_explain) {
  Draw draw(4);
  Runs runs;
  for (std::size_t i = 0; i < 9; ++i) {
    RunFile run = run_of("file" + std::to_string(i), draw, {.streams = i == 5 ? 0.3 : 0});
    run.results.context.gpu = {{"driver_version", i == 2 ? "570" : "580"}};
    run.results.context.gpu_after = {{"sm_clock_mhz", i == 5 ? "1410" : "1980"}};
    runs.push_back(fleet_runs(run.path, run.results).at(0));
  }
  const Fleet fleet = merged_fleet(runs, {}, {});
  BOOST_TEST(fleet.settings.size() == 2u);
  const std::string page = as_text(fleet_page(fleet));
  BOOST_TEST(page.find("- GPU driver_version: 570 on file2; 580 on most.") != page.npos);
  BOOST_TEST(page.find("sm_clock_mhz: 1410 (most: 1980)") != page.npos);
}

BOOST_AUTO_TEST_CASE(the_file_keeps_every_run) {
  Draw draw(9);
  std::vector<std::string> texts;
  for (int i = 0; i < 3; ++i) texts.push_back(to_json(run_of("run", draw).results));
  const Fleet fleet = merged_fleet(machines(3, 9), {}, {});
  const std::string file = to_json(fleet, texts[0] + "," + texts[1] + "," + texts[2]);
  const auto runs = runs_of_fleet(file);
  BOOST_REQUIRE(runs.has_value());
  BOOST_REQUIRE(runs->size() == 3u);
  for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(to_json(from_json((*runs)[i])) == texts[i]);
  BOOST_TEST(!runs_of_fleet(texts[0]).has_value());
  BOOST_CHECK_THROW(runs_of_fleet(file.substr(0, file.size() / 2)), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_file_of_several_gpus_counts_as_several_machines_that_do_the_same_work) {
  Draw draw(1);
  RunFile run = run_of("two.json", draw, {});
  const std::vector<Comparison> once = run.results.comparisons;
  run.results.comparisons.clear();
  for (const std::uint32_t beside : {0u, 1u}) {
    for (const std::uint32_t device : {0u, 1u}) {
      for (Comparison comparison : once) {
        comparison.placement =
            Placement{device, "NVIDIA Example 100", "0000:0" + std::to_string(device), beside};
        run.results.comparisons.push_back(comparison);
      }
    }
  }
  const Runs runs = fleet_runs(run.path, run.results);
  BOOST_TEST_REQUIRE(runs.size() == 2u);
  BOOST_TEST(runs[1].works.size() == 2 * once.size());
  BOOST_TEST(runs[0].works[0].key == runs[1].works[0].key);
  BOOST_TEST(runs[0].works[0].key != runs[0].works[once.size()].key);
  const Fleet fleet = merged_fleet(runs, {}, {});
  BOOST_TEST_REQUIRE(fleet.machines.size() == 2u);
  BOOST_TEST(fleet.machines[1].name == "two.json GPU 1");
  BOOST_TEST(fleet.machines[1].pci_bus_id == "0000:01");
}

BOOST_AUTO_TEST_SUITE_END()
