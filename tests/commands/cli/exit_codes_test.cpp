// Exit code and message for each event, in the real program: one table.
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <set>

#include "common/base/text/exit_code.hpp"
#include "common/model/results/results_io.hpp"
#include "tests/commands/cli/program.hpp"

using namespace trilane;

namespace {

namespace fs = std::filesystem;

struct Row {
  const char* what;
  Words words;
  Setting setting;
  int code;
  const char* message;  ///< on standard error or, for a part of the screen, on standard output
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
  const Setting quiet{.gpu = false};
  const Status ok = Status::ok, none = Status::not_run;
  const std::string in_a_variant = call_that_leaves({ok, Status::failed, ok, ok});
  const std::string before_variants = call_that_leaves({none, none, ok, ok});
  return {
      {"all went well", two_presets({}), quiet, exit_ok, "launch, modified: predicted"},
      {"a variant failed", two_presets({"--fault", in_a_variant + "=cudaErrorInvalidValue"}), quiet,
       exit_wrong, "FAILED"},
      {"a variant had too little memory",
       two_presets({"--fault", in_a_variant + "=cudaErrorMemoryAllocation"}), quiet,
       exit_not_possible, "cudaErrorMemoryAllocation"},
      {"a workload could not be run",
       two_presets({"--fault", before_variants + "=cudaErrorInvalidValue"}), quiet, exit_wrong,
       "cudaErrorInvalidValue"},
      {"there was too little memory for a workload",
       two_presets({"--fault", before_variants + "=cudaErrorMemoryAllocation"}), quiet,
       exit_not_possible, "cudaErrorMemoryAllocation"},
      {"the GPU was lost", two_presets({"--fault", "300=cudaErrorIllegalAddress"}), quiet,
       exit_wrong, "cudaErrorIllegalAddress"},
      {"more than can be done is asked for",
       {"run", "--chunks", "1000000", "--chunk-size", "4"},
       quiet,
       exit_not_possible,
       "4000000 operations a pass"},
      {"the command line is wrong", {"run", "--chunks", "0"}, quiet, exit_usage, "--chunks '0'"},
      {"a file cannot be read", {"show", "folder"}, quiet, exit_usage, "show 'folder'"},
      {"a file is in the way", two_presets({"--json", "old"}), quiet, exit_usage, "already exists"},
      {"a process cannot have its folder",
       two_presets({"--processes", "2"}),
       {.gpu = false, .environment = {{"TMPDIR", "/nowhere"}}},
       exit_output,
       "TMPDIR '/nowhere'"},
      {"a file could not be written",
       two_presets({"--json", "large.json"}),
       {.gpu = false, .file_limit = 4 << 10},
       exit_output,
       "--json 'large.json': cannot be"},
      {"standard output could not be written",
       two_presets({}),
       {.gpu = false, .stdout_to = "/dev/full"},
       exit_output,
       "standard output: cannot be"},
      {"SIGINT came", endless, with_signal(SIGINT), exit_interrupted, "stopping;"},
      {"SIGTERM came", endless, with_signal(SIGTERM), exit_interrupted, "stopping;"},
      {"SIGHUP came", endless, with_signal(SIGHUP), exit_interrupted, "stopping;"},
  };
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(simulated_exit_codes, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

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
