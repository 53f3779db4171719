// --processes: the real program starts itself.
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/model/results/results_io.hpp"
#include "tests/commands/cli/program.hpp"

namespace {

Results results_in(const char* path) { return from_json(content_of_file(path)); }

std::set<std::uint32_t> processes_of(const Measurement& measurement) {
  std::set<std::uint32_t> found;
  for (const Sample& sample : measurement.samples) found.insert(sample.process);
  return found;
}

/// Returns true if anything of the processes' own folder is left.
bool left_behind() {
  for (const auto& entry : std::filesystem::directory_iterator(".")) {
    if (entry.path().filename().string().starts_with(".trilane-")) return true;
  }
  return false;
}

std::string proc(pid_t process, const std::string& file) {
  return content_of_file("/proc/" + std::to_string(process) + "/" + file);
}

/// Returns true if every thread of the process is stopped; only SIGKILL reaches it then.
bool is_stopped(pid_t process) {
  const auto stands_still = [](const auto& thread) {
    const std::string stat = content_of_file(thread.path() / "stat");
    const std::size_t name_ends = stat.rfind(") ");
    return name_ends != stat.npos && stat[name_ends + 2] == 'T';
  };
  try {
    return std::ranges::all_of(
        std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task"),
        stands_still);
  } catch (const std::filesystem::filesystem_error&) {
    return false;  // it has ended
  }
}

/// Stops the process that the program runs, as soon as `file` exists and the process has its own
/// command line. If it ends first, stops the next one.
pid_t stopped_process_of(pid_t program, const char* file) {
  const std::string children = "task/" + std::to_string(program) + "/children";
  for (; is_running(program); usleep(1'000)) {
    pid_t process = 0;
    if (!std::filesystem::exists(file) ||
        !(std::istringstream(proc(program, children)) >> process)) {
      continue;
    }
    const std::string words = proc(process, "cmdline");  // a zombie has none
    if (words.find("--json=") == words.npos) continue;
    kill(process, SIGSTOP);
    if (is_stopped(process)) return process;
  }
  throw std::runtime_error("the program ended with no process left to find");
}

/// Waits until the program has passed an interrupt on to the process, which is stopped.
void wait_for_interrupt(pid_t program, pid_t process) {
  for (; is_running(program); usleep(1'000)) {
    const std::string status = proc(process, "status");
    const std::size_t pending = status.find("ShdPnd:\t");
    if (pending == status.npos) continue;
    const auto mask = std::stoull(status.substr(pending + 8), nullptr, 16);
    if ((mask >> (SIGINT - 1) & 1) != 0) return;
  }
  throw std::runtime_error("the program ended and passed no interrupt on");
}

/// Makes the program keep its temporary files where the test can see them.
struct Here : Workplace {
  Here() { setenv("TMPDIR", std::filesystem::current_path().c_str(), 1); }
  ~Here() { unsetenv("TMPDIR"); }
};

constexpr int tries = 12'000;  // of 10 ms each: only a mistake takes this long

/// Waits for the end of a process whose parent has died, and returns how it ended. This process
/// must be the one that adopts orphans.
int status_of_orphan(pid_t process) {
  int status = 0;
  for (int i = 0; i < tries; ++i) {
    if (waitpid(process, &status, WNOHANG) == process) return status;
    usleep(10'000);
  }
  kill(process, SIGKILL);
  throw std::runtime_error("the process outlived the program");
}

/// Runs the program until it has started a process, which is stopped before `then` sees both: only
/// SIGKILL can end it.
Outcome with_stopped_process(const std::function<void(pid_t program, pid_t process)>& then) {
  return run_program(
      in_rounds({"--processes", "2", "--preset", "launch", "--variant", "streams,graph",
                 "--precision", "0.001%"}),
      {.meanwhile = [&](pid_t program) { then(program, stopped_process_of(program, ".")); }});
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(processes_on_a_gpu, Here, *boost::unit_test::precondition(has_gpu))

BOOST_AUTO_TEST_CASE(processes_are_merged) {
  const Outcome outcome =
      run_program({"--processes", "3", "--preset", "launch,search", "--variant", "streams,graph",
                   "--time", "10ms", "--seed", "4", "--json", "new", "--csv=table"});
  BOOST_TEST_CONTEXT(outcome.err << outcome.out) {
    BOOST_TEST(outcome.code == 0);
    BOOST_TEST(outcome.says("[3/3] process with seed 6: done"));
    BOOST_TEST(contains(outcome.out, "launch"));
  }
  const Outcome all = run_without_gpu({"show", "new", "--all"});
  const bool intervals =
      all.out.find("- Intervals are for another run of 3 processes:") != std::string::npos;
  BOOST_TEST_CONTEXT(all.err << all.out)
  BOOST_TEST(intervals == !is_simulated());  // predictions have the model's error
  const Results results = results_in("new");
  BOOST_TEST(results.comparisons.size() == 2u);
  BOOST_TEST(contains(results.context.command_line, "--processes 3"));
  for (const Comparison& comparison : results.comparisons) {
    BOOST_TEST(comparison.processes == 3u);
    BOOST_TEST(comparison.seed == 4u);
    BOOST_TEST(comparison.measurements.size() == 2u);
    for (const Measurement& m : comparison.measurements) {
      BOOST_TEST(processes_of(m) == (std::set<std::uint32_t>{0, 1, 2}),
                 boost::test_tools::per_element());
    }
    BOOST_TEST(comparison.measurements[1].ratio.has_value());
  }
  BOOST_TEST(!left_behind());
}

BOOST_AUTO_TEST_CASE(a_process_that_leaves_nothing_ends_the_run_with_its_message_and_code) {
  const Outcome outcome =
      run_program({"--processes", "2", "--size", "16T", "--chunk-size", "1G", "--json", "new"});
  BOOST_TEST_CONTEXT(outcome.err) {
    BOOST_TEST(outcome.code == 4);
    BOOST_TEST(outcome.says("process 1 of 2 ended with exit code 4 and left no results"));
    BOOST_TEST(outcome.says("choose a smaller --size"));
  }
  BOOST_TEST(!std::filesystem::exists("new"));
  BOOST_TEST(!left_behind());
}

BOOST_AUTO_TEST_CASE(what_was_measured_before_a_process_failed_is_kept_with_a_reservation) {
  const auto kill_one = [](pid_t program) { kill(stopped_process_of(program, "new"), SIGKILL); };
  const Outcome outcome = run_program(
      in_rounds({"--processes", "50", "--preset", "launch", "--variant", "streams,graph", "--time",
                 "1s", "--precision", "0.001%", "--json", "new", "--csv=-"}),
      {.meanwhile = kill_one});
  const Results results = results_in("new");
  BOOST_TEST_REQUIRE(results.comparisons.size() == 1u);
  const std::uint32_t whole = results.comparisons[0].processes;
  const std::string reservation =
      fmt::format("process {} of 50 was ended by signal 9 and left no results: ", whole + 1);
  BOOST_TEST_CONTEXT(outcome.err) {
    BOOST_TEST(outcome.code == 1);
    BOOST_TEST(outcome.says("\ngraph "));
    BOOST_TEST(outcome.says("The run ended early; these are its results so far"));
    BOOST_TEST(outcome.says(": " + reservation));
    BOOST_TEST(outcome.out.starts_with("preset,variant,status"));
  }
  BOOST_TEST(results.comparisons[0].measurements.back().ratio.has_value());
  BOOST_TEST_REQUIRE(!results.context.notes.empty());
  BOOST_TEST(results.context.notes.back().find(reservation) != std::string::npos);
  BOOST_TEST(!left_behind());
}

BOOST_AUTO_TEST_CASE(an_interrupt_reaches_the_process_and_keeps_what_was_measured) {
  const auto interrupt = [](pid_t program) {
    const pid_t process = stopped_process_of(program, "new");
    kill(program, SIGINT);
    wait_for_interrupt(program, process);
    kill(process, SIGCONT);
  };
  const Outcome outcome = run_program(
      in_rounds({"--processes", "50", "--preset", "launch", "--variant", "streams,graph", "--time",
                 "2s", "--precision", "0.001%", "--json", "new"}),
      {.meanwhile = interrupt});
  BOOST_TEST_CONTEXT(outcome.err) BOOST_TEST(outcome.code == 130);
  const Results results = results_in("new");
  BOOST_TEST_REQUIRE(!results.comparisons.empty());
  BOOST_TEST(results.comparisons[0].processes < 50u);
  BOOST_TEST(results.comparisons[0].measurements.front().wall.has_value());
  BOOST_TEST(!left_behind());
}

BOOST_AUTO_TEST_CASE(a_second_interrupt_ends_the_process_too_and_leaves_nothing) {
  pid_t process = 0;
  const Outcome outcome = with_stopped_process([&](pid_t program, pid_t stopped) {
    process = stopped;
    for (int i = 0; i < tries && is_running(program); ++i) {
      kill(program, SIGINT);
      usleep(10'000);
    }
  });
  BOOST_TEST(outcome.code == 130);
  BOOST_TEST((kill(process, 0) != 0 && errno == ESRCH));
  BOOST_TEST(!left_behind());
}

BOOST_AUTO_TEST_CASE(the_process_dies_with_a_program_that_is_killed) {
  int status = 0;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const Outcome outcome = with_stopped_process([&](pid_t program, pid_t process) {
    kill(program, SIGKILL);
    status = status_of_orphan(process);
  });
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  BOOST_TEST(outcome.code == 128 + SIGKILL);
  BOOST_TEST(WIFSIGNALED(status));
  BOOST_TEST(WTERMSIG(status) == SIGKILL);
  BOOST_TEST(left_behind());
  run_program({"--processes", "2", "--chunks", "2", "--variant", "streams", "--time", "1ms"});
  BOOST_TEST(!left_behind());  // the next run cleans up
}

BOOST_AUTO_TEST_SUITE_END()
