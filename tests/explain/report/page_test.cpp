// The comparison of two runs, for people and scripts.
#include "common/explain/report/diff_runs.hpp"

#include "common/base/text/page.hpp"
#include "common/base/text/size.hpp"
#include "tests/base/mentions.hpp"
#include "tests/base/refusal.hpp"
#include "tests/explain/report/made_up_run.hpp"

BOOST_AUTO_TEST_SUITE(pages)

std::string page(const RunChange& runs) { return as_markdown(diff_page(runs)); }

/// Two runs of eight processes: one variant of each verdict.
struct Example {
  Example() {
    Draw draw(6);
    std::vector<MadeUp> was, is;
    for (const auto& [name, us] : {std::pair{"serial", 100.0},
                                   {"streams", 80.0},
                                   {"graph", 130.0},
                                   {"pool", 103.0},
                                   {"extra", 100.0}}) {
      was.push_back({name, 100, 8, 0.005});
      is.push_back({name, us, 8, name == std::string("pool") ? 0.05 : 0.005});
    }
    was.back().variant = "graph_built";
    Comparison before = comparison_of(was, draw), now = comparison_of(is, draw);
    before.measurements.push_back(measured({"malloc", 100, 8}, draw));
    now.measurements.push_back(made_up("malloc", Status::failed, "wrong data in pass 1"));
    before.measurements.push_back(made_up("fused", Status::not_supported, "no mapping"));
    now.measurements.push_back(measured({"fused", 100, 8}, draw));
    Comparison search = before;
    search.workload.name = "search";
    old_run = run_with("old.json", {before, search});
    now.rounds = 30;
    new_run = run_with("new.json", {now});
    new_run.results.context.gpu[1].second = "1000.2";
    runs = diff_runs(old_run, new_run, {});
  }
  RunFile old_run, new_run;
  RunChange runs;
};

BOOST_AUTO_TEST_CASE(a_page_says_it_all_within_its_width) {
  const Example example;
  const std::string text = page(example.runs), line = on_one_line(text);
  std::istringstream lines(text);
  for (std::string each; std::getline(lines, each);) BOOST_TEST(each.size() <= page_width, each);
  BOOST_TEST(mentions(
      line,
      {"2%", "95%", "all 4", "### launch: 64 chunks", "old 20 rounds", "8 processes",
       "new 30 rounds", "8", "us", "- old: old.json", "2001-02-03T04:05:06Z", "NVIDIA Example 100",
       "0123456789ab", "- new: new.json", "driver_version", "999.1", "1000.2", "In all: 1 LOST"}));
  for (const char* verdict : {"SAME", "FASTER", "SLOWER", "UNSURE", "LOST"}) {
    BOOST_TEST(mentions(line, {"| " + std::string(verdict) + " "}));
  }
  BOOST_TEST(mentions(line, {"Only in old", "graph_built", "Only in new", "extra"}));
  BOOST_TEST(mentions(line, {"- malloc", "LOST", "failed", "wrong data in pass 1"}));
  BOOST_TEST(mentions(line, {"- fused", "no times in old", "not supported", "no mapping"}));
  BOOST_TEST(mentions(line, {"- Only in old: search"}));
  BOOST_TEST(!contains(line, "--process-spread"));
}

BOOST_AUTO_TEST_CASE(a_terminal_is_left_with_what_differs_the_verdict_and_what_settles_it) {
  Draw draw(7);
  const auto run = [&](double us, std::uint32_t processes, const char* driver) {
    RunFile file = run_with("a.json", {comparison_of({{"serial", us, processes, 0.005}}, draw)});
    file.results.context.gpu[1].second = driver;
    return file;
  };
  const auto ending = [&](std::uint32_t processes, double now_us) {
    const std::string line = on_one_line(
        page(diff_runs(run(100, processes, "999.1"), run(now_us, processes, "1000.2"), {})));
    return line.substr(line.find("What differs"));
  };
  const std::string unsure = ending(1, 103);
  BOOST_TEST(mentions(unsure, {"driver_version: 999.1, now 1000.2", "In all: 1 UNSURE."}));
  BOOST_TEST(unsure.find("--processes 10") > unsure.find("In all"));
  BOOST_TEST(!contains(ending(1, 300), "--processes 10"));  // nothing is unsure
  BOOST_TEST(!contains(ending(8, 102), "--processes 10"));  // nor rests on one process
}

BOOST_AUTO_TEST_CASE(speeds_are_old_over_new_with_the_lower_end_first) {
  const Example example;
  const Ratio& ratio = *example.runs.workloads[0].changes[2].ratio;  // graph
  BOOST_TEST(
      contains(page(example.runs), fmt::format("| {:.3f} [{:.3f}, {:.3f}] | SLOWER",
                                               1 / ratio.estimate, 1 / ratio.high, 1 / ratio.low)));
}

BOOST_AUTO_TEST_CASE(verdicts_come_in_order_of_alarm_with_the_speed) {
  const Example example;
  const std::string words = verdict(example.runs.workloads[0]);
  BOOST_TEST(words.starts_with("launch: 1 LOST (malloc); 1 SLOWER (graph 0.7"), words);
  BOOST_TEST(contains(words, "); 1 FASTER (streams 1.2"), words);
  BOOST_TEST(words.ends_with("); 1 SAME; 1 UNSURE; 1 without times in old."), words);
  const std::string all = verdict(example.runs);
  BOOST_TEST(all.starts_with("In all: 1 LOST (malloc on launch); 1 SLOWER (graph on launch 0.7"),
             all);
}

BOOST_AUTO_TEST_CASE(the_gate_names_what_tripped_it_by_how_much_and_the_limit) {
  const Example example;
  const auto gate = [&](double beyond) {
    const RunChange runs = diff_runs(example.old_run, example.new_run, {.fail_beyond = beyond});
    const std::string line = on_one_line(page(runs));
    return line.substr(std::min(line.find(" --fail-on-slower"), line.size()));
  };
  const Ratio& ratio = *example.runs.workloads[0].changes[2].ratio;  // graph
  const std::string longer = format_us(100 * (ratio.estimate - 1)) + "%";
  const std::string at_least = format_us(100 * (ratio.low - 1)) + "%";
  BOOST_TEST(mentions(gate(0.05), {"--fail-on-slower=5% fails", "graph on launch", longer, "longer",
                                   "at least", at_least, "malloc on launch", "LOST", "SLOWER",
                                   "more than 5% of the old time", "whole interval"}));
  BOOST_TEST(mentions(gate(0.9), {"--fail-on-slower=90% fails", "malloc on launch", "LOST",
                                  "SLOWER", "more than 90% of the old time", "whole interval"}));
  BOOST_TEST(!mentions(gate(0.9), {"graph"}));
  const RunChange same = diff_runs(example.old_run, example.old_run, {.fail_beyond = 0.005});
  BOOST_TEST(mentions(on_one_line(page(same)),
                      {"--fail-on-slower=0.5% passes", "no variant has LOST", "or is SLOWER",
                       "more than 0.5% of the old time", "whole interval"}));
  BOOST_TEST(!contains(page(example.runs), "--fail-on-slower"));
}

BOOST_AUTO_TEST_CASE(an_allowance_and_the_want_of_differences_are_said) {
  Draw draw(1);
  const RunFile run = run_with("same", {comparison_of({{"streams"}}, draw)});
  const std::string line = on_one_line(page(diff_runs(run, run, {.process_spread = 0.15})));
  BOOST_TEST(
      mentions(line, {"15%", "--process-spread", "old 20 rounds", "1 process, new",
                      "No other recorded difference", "smaller differences", "--processes 10"}));
  BOOST_TEST(!mentions(line, {"95%"}));
}

BOOST_AUTO_TEST_CASE(simulated_times_are_called_so) {
  Draw draw(1);
  RunFile run = run_with("same", {comparison_of({{"streams"}}, draw)});
  run.results.context.simulated = "Example (profile)";
  const std::string text = on_one_line(page(diff_runs(run, run, {})));
  BOOST_TEST(contains(text, "on simulated Example (profile), revision"));
}

BOOST_AUTO_TEST_CASE(long_names_drop_the_times) {
  Draw draw(1);
  const std::string name(60, 'n');
  const RunFile run = run_with("same", {comparison_of({{name}}, draw)});
  const std::string text = as_text(diff_page(diff_runs(run, run, {})));
  BOOST_TEST(contains(text, "  speed vs old"));
  BOOST_TEST(!contains(text, " old  new"), text);
}

BOOST_AUTO_TEST_CASE(few_rounds_are_called_so) {
  Draw draw(1);
  RunFile run = run_with("same", {comparison_of({{"streams"}}, draw)});
  run.results.comparisons[0].measurements[0].samples.resize(5);
  BOOST_TEST(contains(page(diff_runs(run, run, {})), "| too few rounds | UNSURE"));
}

BOOST_AUTO_TEST_CASE(the_file_holds_the_interval_with_its_allowance_and_without) {
  Draw draw(1);
  const RunFile run = run_with("same", {comparison_of({{"streams"}}, draw)});
  const RunChange runs = diff_runs(run, run, {});
  const boost::json::value file = boost::json::parse(to_json(runs));
  const auto& streams = file.at("comparisons").at(0).at("measurements").at(0);
  const auto close = [](const boost::json::value& number, double wanted) {
    return std::abs(number.to_number<double>() - wanted) < 1e-12;  // 15 digits are written
  };
  for (const auto& [key, ratio] : {std::pair{"measured", runs.workloads[0].changes[0].measured},
                                   {"ratio", runs.workloads[0].changes[0].ratio}}) {
    BOOST_TEST(close(streams.at(key).at("estimate"), ratio->estimate));
    BOOST_TEST(close(streams.at(key).at("low"), ratio->low));
    BOOST_TEST(close(streams.at(key).at("high"), ratio->high));
  }
}

BOOST_AUTO_TEST_CASE(the_file_holds_the_same) {
  const Example example;
  const boost::json::value file = boost::json::parse(to_json(example.runs));
  BOOST_TEST(file.at("schema").as_string() == "trilane-comparison");
  BOOST_TEST(file.at("schema_version").as_int64() == 1);
  BOOST_TEST(file.at("old").at("file").as_string() == "old.json");
  BOOST_TEST(file.at("new").at("context").at("gpu").at("driver_version").as_string() == "1000.2");
  BOOST_TEST(file.at("differences").at(0).at("what").as_string() == "GPU driver_version");
  BOOST_TEST(file.at("differences").at(0).at("old").as_string() == "999.1");
  BOOST_TEST(file.at("same_within").as_double() == 0.02);
  BOOST_TEST(file.at("process_spread").as_double() == 0.25);
  BOOST_TEST(file.at("shared_by").as_int64() == 4);
  BOOST_TEST(file.at("only_old").at(0).as_string() == "search");
  BOOST_TEST(std::string(file.at("verdict").as_string()) == verdict(example.runs));
  const auto& launch = file.at("comparisons").at(0);
  BOOST_TEST(launch.at("workload").at("chunks").as_int64() == 64);
  BOOST_TEST(launch.at("mode").as_string() == "latency");
  BOOST_TEST(launch.at("new").at("processes").as_int64() == 8);
  BOOST_TEST(launch.at("only_new").at(0).as_string() == "extra");
  BOOST_TEST(std::string(launch.at("verdict").as_string()) == verdict(example.runs.workloads[0]));
  const auto& graph = launch.at("measurements").at(2);
  const VariantChange& change = example.runs.workloads[0].changes[2];
  BOOST_TEST(graph.at("variant").as_string() == "graph");
  BOOST_TEST(graph.at("verdict").as_string() == "SLOWER");
  BOOST_TEST(graph.at("new_us").as_double() == *change.new_us, boost::test_tools::tolerance(1e-12));
  const auto& malloc = launch.at("measurements").at(4).as_object();
  BOOST_TEST(malloc.at("message").as_string() == "failed: wrong data in pass 1");
  BOOST_TEST(!malloc.contains("ratio"));
  BOOST_TEST(!malloc.contains("new_us"));
}

BOOST_AUTO_TEST_SUITE_END()
