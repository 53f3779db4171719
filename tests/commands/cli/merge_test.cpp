// trilane merge: the real program on files of several machines, without a GPU.
#include "common/model/results/results_io.hpp"
#include "tests/base/mentions.hpp"
#include "tests/commands/cli/program.hpp"
#include "tests/explain/report/made_up_run.hpp"

BOOST_AUTO_TEST_SUITE(merged_files)

struct FourFiles {
  Workplace workplace;
  FourFiles() {
    Draw draw(8);
    for (const char* path : {"a", "b", "c", "d"}) {
      const double us = *path == 'c' ? 130 : 100;
      Comparison comparison = comparison_of({{"streams", us, 6, 0}, {"graph", 80, 6, 0}}, draw);
      comparison.reference = "streams";
      for (Measurement& m : comparison.measurements) {
        for (Sample& sample : m.samples) sample.wall_us = m.variant == "graph" ? 80 : us;
      }
      std::ofstream(path) << to_json(run_with(path, {comparison}).results);
    }
  }
};

Outcome merged(const Words& words) { return run_program(joined({"merge"}, words), {.gpu = false}); }

BOOST_AUTO_TEST_CASE(the_odd_machine_is_named_and_the_file_can_be_merged_again) {
  const FourFiles files;
  const Outcome outcome = merged({"a", "b", "c", "d", "--json", "fleet"}).ended(0);
  BOOST_TEST(outcome.err.empty());
  BOOST_TEST(contains(outcome.out, "- c: streams on launch +30.0%."));
  BOOST_TEST(contains(outcome.out, "4 GPUs: 1 differs from the others: c."));
  BOOST_TEST(contains(merged({"fleet"}).ended(0).out, "4 GPUs: 1 differs from the others: fleet["));
  BOOST_TEST(merged({"a", "--json", "a", "--force"}).code == 2);
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_costs_only_itself) {
  const FourFiles files;
  std::ofstream("cut") << content_of_file("a").substr(0, 3000);
  const Outcome outcome = merged({"a", "b", "cut", "none", "d", "--json", "fleet"}).ended(1);
  BOOST_TEST(contains(outcome.out, "- cut: results file: byte 3000 is not JSON"));
  BOOST_TEST(contains(outcome.out, "- none: cannot be read (No such file or directory)"));
  BOOST_TEST(contains(outcome.out, "3 GPUs: none differs"));
  BOOST_TEST(!content_of_file("fleet").empty());
  BOOST_TEST(merged({"cut", "none"}).code == 2);
}

BOOST_AUTO_TEST_CASE(a_history_names_the_commit) {
  const FourFiles files;
  for (const char* path : {"e", "f"}) std::ofstream(path) << content_of_file("c");
  const Outcome outcome =
      run_program({"history", "a", "b", "d", "c", "e", "f", "--json", "h"}, {.gpu = false});
  BOOST_TEST(outcome.code == 0);
  BOOST_TEST(contains(outcome.out, "Between d and c: streams on launch +30.0%."));
  BOOST_TEST(contains(outcome.out, "6 commits: 1 change."));
  BOOST_TEST(contains(content_of_file("h"), "\"schema\": \"trilane-history\""));
  BOOST_TEST(run_program({"history", "none"}, {.gpu = false}).code == 2);
}

BOOST_AUTO_TEST_CASE(runs_that_failed_are_named_with_their_reasons) {
  const FourFiles files;
  std::ofstream("list") << "rank-3\twas killed\nrank-4\thangs\n";
  const Outcome outcome = merged({"a", "b", "--left-out", "list"}).ended(1);
  BOOST_TEST(contains(outcome.out, "- rank-3: was killed\n- rank-4: hangs\n"));
  BOOST_TEST(merged({"a", "--left-out", "none"}).code == 2);
}

BOOST_AUTO_TEST_SUITE_END()
