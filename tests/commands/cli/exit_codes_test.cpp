// Exit code and message for each event, in the real program: one table.
#include <unistd.h>

#include "common/base/text/exit_code.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/commands/cli/program.hpp"

namespace fs = std::filesystem;

BOOST_FIXTURE_TEST_SUITE(simulated_exit_codes, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

struct Row {
  const char* what;
  int code;
  const char* message;  ///< on standard error or, for a part of the screen, on standard output
  Words words;
  Setting setting = {.gpu = false};
};

/// Returns two workloads with few calls.
Words two_presets(const Words& more) {
  return joined({"run", "--preset", "launch,search", "--variant", "streams,graph", "--chunks", "2",
                 "--lanes", "2", "--chunk-size", "1K", "--depth", "1"},
                more);
}

/// Returns the statuses, workload by workload, of a run whose call of that number fails.
std::vector<Status> statuses_with_fault(int call) {
  fs::remove("found.json");
  run_without_gpu(two_presets({"--json", "found.json", "--fault", std::to_string(call) + "=1"}));
  std::vector<Status> found;
  const std::string text = content_of_file("found.json");
  if (text.empty()) return found;
  for (const Comparison& comparison : from_json(text).comparisons) {
    for (const Measurement& m : comparison.measurements) found.push_back(m.status);
  }
  return found;
}

/// Returns the number of a call whose failure leaves these.
std::string call_that_leaves(const std::vector<Status>& wanted) {
  for (int call = 100; call < 10'000; call += 31) {
    if (statuses_with_fault(call) == wanted) return std::to_string(call);
  }
  throw std::runtime_error("no call leaves such results");
}

/// Sends the signal once the first results are there.
Setting with_signal(int signal) {
  return {.gpu = false, .meanwhile = [signal](pid_t program) {
            while (!fs::exists("signalled.json") && is_running(program)) usleep(1'000);
            kill(program, signal);
          }};
}

const Words endless{"aa",   "graph",    "--preset", "search", "--check",        "--time",
                    "10ms", "--repeat", "100000",   "--json", "signalled.json", "--force"};

std::vector<Row> table() {
  const Status ok = Status::ok, none = Status::not_run;
  const std::string in_a_variant = call_that_leaves({ok, Status::failed, ok, ok});
  const std::string before_variants = call_that_leaves({none, none, ok, ok});
  const char *invalid = "cudaErrorInvalidValue", *memory = "cudaErrorMemoryAllocation",
             *lost = "cudaErrorIllegalAddress";
  const auto fault = [](const std::string& call, const char* error) {
    return two_presets({"--fault", call + "=" + error});
  };
  return {
      {"all went well", exit_ok, "launch, modified: predicted", two_presets({})},
      {"a variant failed", exit_wrong, "FAILED", fault(in_a_variant, invalid)},
      {"a variant had too little memory", exit_not_possible, memory, fault(in_a_variant, memory)},
      {"a workload could not be run", exit_wrong, invalid, fault(before_variants, invalid)},
      {"there was too little memory for a workload", exit_not_possible, memory,
       fault(before_variants, memory)},
      {"the GPU was lost", exit_wrong, lost, fault("300", lost)},
      {"more than can be done is asked for",
       exit_not_possible,
       "4000000 operations a pass",
       {"run", "--chunks", "1000000", "--chunk-size", "4"}},
      {"the command line is wrong", exit_usage, "--chunks '0'", {"run", "--chunks", "0"}},
      {"a file cannot be read", exit_usage, "show 'folder'", {"show", "folder"}},
      {"a file is in the way", exit_usage, "already exists", two_presets({"--json", "old"})},
      {"a process cannot have its folder",
       exit_output,
       "TMPDIR '/nowhere'",
       two_presets({"--processes", "2"}),
       {.gpu = false, .environment = {{"TMPDIR", "/nowhere"}}}},
      {"a file could not be written",
       exit_output,
       "--json 'large.json': cannot be",
       two_presets({"--json", "large.json"}),
       {.gpu = false, .file_limit = 4 << 10}},
      {"standard output could not be written",
       exit_output,
       "standard output: cannot be",
       two_presets({}),
       {.gpu = false, .stdout_to = "/dev/full"}},
      {"SIGINT came", exit_interrupted, "stopping;", endless, with_signal(SIGINT)},
      {"SIGTERM came", exit_interrupted, "stopping;", endless, with_signal(SIGTERM)},
      {"SIGHUP came", exit_interrupted, "stopping;", endless, with_signal(SIGHUP)},
  };
}

BOOST_AUTO_TEST_CASE(each_ending_has_its_code_and_its_message) {
  std::set<int> codes;
  for (const Row& row : table()) {
    fs::remove("signalled.json");
    const Outcome outcome = run_program(row.words, row.setting);
    codes.insert(outcome.code);
    BOOST_TEST_INFO_SCOPE(row.what << ": " << outcome.command_line << "\n" << outcome.err);
    BOOST_TEST(outcome.code == row.code);
    BOOST_TEST((outcome.out + outcome.err).find(row.message) != std::string::npos);
  }
  // All codes of a program without a GPU: exit_no_gpu belongs to the other, and unforeseen errors
  // cannot be provoked.
  BOOST_TEST((codes == std::set<int>{exit_ok, exit_wrong, exit_usage, exit_not_possible,
                                     exit_output, exit_interrupted}));
}

BOOST_AUTO_TEST_CASE(the_more_severe_of_two_codes_counts) {
  const ExitCode by_severity[] = {exit_ok,    exit_not_possible, exit_output,
                                  exit_wrong, exit_unexpected,   exit_interrupted};
  for (const ExitCode* one = std::begin(by_severity); one != std::end(by_severity); ++one) {
    for (const ExitCode* more = one; more != std::end(by_severity); ++more) {
      BOOST_TEST(worse_of(*one, *more) == *more);
      BOOST_TEST(worse_of(*more, *one) == *more);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
