// trilane compare: the real program on two files, without a GPU.
#include "common/measure/ask/reply.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/base/mentions.hpp"
#include "tests/commands/cli/program.hpp"
#include "tests/explain/report/made_up_run.hpp"

BOOST_AUTO_TEST_SUITE(comparison_of_files)

/// Writes a file of eight processes in which graph takes `us`.
void write_run(const char* path, double us) {
  Draw draw(8);
  const std::vector<MadeUp> variants{{"streams", 100, 8, 0.005}, {"graph", us, 8, 0.005}};
  std::ofstream(path) << to_json(run_with(path, {comparison_of(variants, draw)}).results);
}

Outcome compared(const Words& more, const Setting& setting = {.gpu = false}) {
  return run_program(joined({"compare", "before.json", "now.json"}, more), setting);
}

struct TwoRuns {
  Workplace workplace;
  explicit TwoRuns(double us) {
    write_run("before.json", 100);
    write_run("now.json", us);
  }
};

BOOST_AUTO_TEST_CASE(two_runs_are_compared_and_the_exit_code_is_that_of_the_gate) {
  struct Case {
    double us;
    Words words;
    int code;
    std::string said;
  };
  for (const auto& [us, words, code, said] :
       {Case{110, {}, 0, "In all: 1 SLOWER (graph on launch 0.9"},
        Case{110, {"--fail-on-slower", "0%"}, 1, "In all: 1 SLOWER"},
        Case{110, {"--fail-on-slower=5%"}, 1, "In all: 1 SLOWER"},
        Case{110, {"--fail-on-slower=20%"}, 0, "In all: 1 SLOWER"},
        Case{110, {"--same-within", "20%", "--fail-on-slower", "0%"}, 0, "In all: 2 SAME."},
        Case{100, {"--fail-on-slower", "0%"}, 0, "In all: 2 SAME."},
        Case{90, {"--fail-on-slower", "0%"}, 0, "In all: 1 FASTER (graph on launch 1.1"}}) {
    const TwoRuns runs(us);
    const auto before = runs.workplace.snapshot();
    const Outcome outcome = compared(words).ended(code);
    BOOST_TEST_INFO_SCOPE(outcome.command_line << outcome.err << outcome.out);
    BOOST_TEST(outcome.err.empty());
    BOOST_TEST(contains(outcome.out, said));
    BOOST_TEST((runs.workplace.snapshot() == before));
  }
}

BOOST_AUTO_TEST_CASE(the_comparison_goes_into_a_file_and_by_force_into_another_s_place) {
  const TwoRuns runs(110);
  const Outcome outcome = compared({"--json", "new"}).ended(0), piped = compared({"--json", "-"});
  BOOST_TEST(contains(content_of_file("new"), "\"schema\": \"trilane-comparison\""));
  BOOST_TEST(piped.out == content_of_file("new"));
  BOOST_TEST(piped.err == outcome.out);
  BOOST_TEST(compared({"--json", "missing/new", "--fail-on-slower", "0%"}).code == 2);
  BOOST_TEST(compared({}, {.gpu = false, .stdout_to = "/dev/full"}).code == 5);
  BOOST_TEST(compared({"--json", "old"}).code == 2);
  BOOST_TEST(compared({"--json", "old", "--force"}).code == 0);
  BOOST_TEST(contains(content_of_file("old"), "trilane-comparison"));
}

BOOST_AUTO_TEST_CASE(the_page_ends_with_what_the_gate_found) {
  struct Case {
    double us;
    std::string option, said;
    bool failed;
  };
  for (const auto& [us, option, said, failed] :
       {Case{110, "--fail-on-slower=5%", "--fail-on-slower=5% fails: graph on launch takes ", true},
        Case{110, "--fail-on-slower=0%", "--fail-on-slower=0% fails: graph on launch takes ", true},
        Case{110, "--fail-on-slower=20%", "--fail-on-slower=20% passes: ", false},
        Case{90, "--fail-on-slower=0%", "--fail-on-slower=0% passes: ", false}}) {
    const TwoRuns runs(us);
    const Outcome plain = compared({}), outcome = compared({option});
    BOOST_TEST_INFO_SCOPE(outcome.command_line << outcome.err << outcome.out);
    BOOST_TEST(outcome.code == (failed ? 1 : 0));
    BOOST_TEST(outcome.out.starts_with(plain.out));
    BOOST_TEST(holds(outcome.out, said));
    BOOST_TEST(!holds(plain.out, "--fail-on-slower"));
  }
}

BOOST_AUTO_TEST_CASE(no_name_of_a_file_that_is_read_is_an_output) {
  const TwoRuns runs(110);
  std::filesystem::create_symlink("before.json", "link.json");
  const auto files = runs.workplace.snapshot();
  const auto refused = [&](const Words& words) {
    check_refused(run_without_gpu(words),
                  "--json '" + words[4] + "': is a file that compare reads; give ");
    BOOST_TEST((runs.workplace.snapshot() == files));
  };
  for (const char* name : {"before.json", "./before.json", "folder/../now.json", "link.json"}) {
    refused({"compare", "before.json", "now.json", "--json", name});
    refused({"compare", "before.json", "now.json", "--json", name, "--force"});
  }
  refused({"compare", "now.json", "link.json", "--json", "before.json", "--force"});
}

BOOST_AUTO_TEST_CASE(json_that_is_no_object_is_named) {
  const TwoRuns runs(110);
  std::ofstream("now.json") << "[]";
  const Outcome outcome = compared({}).ended(2);
  BOOST_TEST_INFO_SCOPE(outcome.err);
  BOOST_TEST(
      outcome.says("compare 'now.json': results file: the top level is not an object: an array; "
                   "give a file that trilane run --json wrote"));
}

BOOST_AUTO_TEST_CASE(a_file_of_a_newer_version_says_so) {
  const TwoRuns runs(110);
  std::string text = content_of_file("now.json");
  const std::string version = "\"schema_version\": " + std::to_string(results_schema_version);
  text.replace(text.find(version), version.size(), "\"schema_version\": 99");
  std::ofstream("now.json") << text;
  const Outcome outcome = compared({}).ended(2);
  BOOST_TEST_INFO_SCOPE(outcome.err);
  BOOST_TEST(outcome.out.empty());
  BOOST_TEST(outcome.says("compare 'now.json': results file: .schema_version is 99"));
  BOOST_TEST(outcome.says("use the version that wrote the file"));
}

BOOST_AUTO_TEST_CASE(several_runs_of_either_side_are_compared_and_summarised) {
  const Workplace workplace;
  for (const char* path : {"o1", "o2", "o3", "n1", "n2"}) {
    write_run(path, *path == 'o' ? 100 + path[1] - '2' : 120 + path[1] - '1');
  }
  const auto run = [](const Words& words) {
    return run_program(joined({"compare", "o1", "o2", "o3", "n1", "n2", "--new-runs", "2"}, words),
                       {.gpu = false});
  };
  const Outcome outcome = run({"--summary", "s.md", "--fail-on-slower", "0%"}).ended(1);
  BOOST_TEST(contains(outcome.out, "2 runs"));
  BOOST_TEST(contains(content_of_file("s.md"), "| launch   | graph   |"));
  run({"--summary", "s.json"}).ended(0);
  BOOST_TEST(contains(content_of_file("s.json"), "\"schema\": \"trilane-comparison\""));
  BOOST_TEST(run({"--new-runs", "5"}).code == 2);
}

/// Writes answers to two questions, the second failed if its finding is.
void write_answers(const char* path, Finding first, Finding second) {
  Replies replies;
  for (const auto& [name, finding] : {std::pair{"first", first}, std::pair{"second", second}}) {
    replies.answers.push_back({.question = name,
                               .finding = finding,
                               .sentence = "because",
                               .figures = {{"a call", Quantity::us, {1, 1, 1}}},
                               .first_hazard = {}});
  }
  std::ofstream(path) << to_json(replies);
}

BOOST_AUTO_TEST_CASE(two_files_of_answers_are_compared_and_a_changed_one_fails_on_request) {
  using enum Finding;
  const Workplace workplace;
  for (const auto& [first, second, failed, said] :
       {std::tuple{yes, no, false, "Answers that differ: 0 of 2. Figures that moved: 0 of 2."},
        std::tuple{no, no, true, "--fail-on-changed fails: first."},
        std::tuple{undecided, no, false,
                   "Answers that differ: 0 of 2; decided on one side only: 1."},
        std::tuple{depends, Finding::failed, true, "--fail-on-changed fails: first and second."}}) {
    write_answers("before.json", yes, no);
    write_answers("now.json", first, second);
    const Outcome plain = compared({}).ended(0);
    const Outcome gated = compared({"--fail-on-changed"}).ended(failed ? 1 : 0);
    BOOST_TEST(gated.out.starts_with(plain.out));
    BOOST_TEST(contains(gated.out, said));
    BOOST_TEST(mentions(plain.out, {"- old: before.json", "- new: now.json"}));
  }
  compared({"--summary", "s.md"}).ended(0);
  BOOST_TEST(contains(content_of_file("s.md"), "- **first** Yes, now it depends."));
}

BOOST_AUTO_TEST_CASE(options_and_files_that_do_not_go_with_answers_are_refused) {
  const TwoRuns runs(110);
  check_refused(compared({"--fail-on-changed"}), "--fail-on-changed", "is for answers");
  write_answers("now.json", Finding::yes, Finding::no);
  check_refused(compared({}), "compare 'now.json'", "give a file that trilane run --json wrote");
  write_answers("before.json", Finding::yes, Finding::no);
  for (const Words& words :
       {Words{"--json", "new"}, {"--new-runs", "1"}, {"--fail-on-slower=0%"}}) {
    check_refused(compared(words), words[0].substr(0, words[0].find('=')), "is not for answers");
  }
  check_refused(compared({"--summary", "s.json"}), "--summary 's.json'", "give another name");
  check_refused(compared({"before.json"}), "compare 'before.json'", "third file");
  write_run("now.json", 100);
  check_refused(compared({}), "compare 'now.json'", "give a file that trilane ask --json wrote");
  std::ofstream("now.json") << to_json(Replies{});
  check_refused(compared({}), "compare 'now.json'", "shares no question");
}

BOOST_AUTO_TEST_SUITE_END()
