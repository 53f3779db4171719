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

BOOST_AUTO_TEST_CASE(a_reference_of_some_machines_judges_another) {
  const FourFiles files;
  merged({"a", "b", "d", "--as-reference", "ref"}).ended(0);
  const auto compared = [](const Words& words) {
    return run_program(joined({"compare"}, words), {.gpu = false});
  };
  BOOST_TEST(contains(compared({"a", "--reference", "ref"}).ended(0).out, "None is odd;"));
  const Outcome outcome = compared({"c", "--reference", "ref"}).ended(0);
  BOOST_TEST(contains(outcome.out, "Example 100: 1 of 2 figures are outside"));
  BOOST_TEST(contains(outcome.out, "Odd: streams on launch +30.0%;"));
  BOOST_TEST(compared({"c", "--reference", "ref", "--fail-on-slower", "29%"}).code == 1);
  BOOST_TEST(compared({"c", "--reference", "ref", "--fail-on-slower", "31%"}).code == 0);
  const auto refused = [&](const Words& words, const char* said) {
    const Outcome wrong = compared(words);
    BOOST_TEST(wrong.code == 2);
    BOOST_TEST(contains(wrong.err, said), wrong.err);
  };
  refused({"c", "--reference", "h300"}, "give h100, h200 or a file that trilane merge");
  refused({"c", "--reference", "a"}, "--reference 'a': reference file: .schema is");
  refused({"a", "c", "--reference", "ref"}, "compare 'c': is a second run");
  refused({"c", "--reference", "ref", "--json", "j"}, "--json 'j': is not for --reference");
  Draw draw(1);
  Comparison other = comparison_of({{"streams", 100, 6, 0}}, draw);
  other.workload.lanes = 3;
  std::ofstream("other") << to_json(run_with("other", {other}).results);
  refused({"other", "--reference", "h100"}, "has no work in common with the reference");
}

BOOST_AUTO_TEST_CASE(a_reference_needs_machines_of_one_kind) {
  const FourFiles files;
  const Outcome outcome = merged({"a", "--as-reference", "ref"});
  BOOST_TEST(outcome.code == 2);
  BOOST_TEST(contains(outcome.err, "--as-reference: give files of several machines"), outcome.err);
  BOOST_TEST(!std::filesystem::exists("ref"));
}

BOOST_AUTO_TEST_SUITE_END()
