// Runs the real program as a user would, in a folder made for the test.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/base/folder.hpp"
#include "tests/base/refusal.hpp"

namespace trilane {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// A file without a name: the program's output must go outside the watched folder.
class Capture {
 public:
  Capture() {
    std::string name = fs::temp_directory_path() / "trilane-capture-XXXXXX";
    file_ = mkostemp(name.data(), O_CLOEXEC);
    if (file_ < 0 || unlink(name.c_str()) != 0) throw std::runtime_error("no temporary file");
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture() { close(file_); }
  int file() const { return file_; }
  std::string text() const {
    std::string result;
    char part[4096];
    for (ssize_t count = 0;
         (count = pread(file_, part, sizeof part, static_cast<off_t>(result.size()))) > 0;)
      result.append(part, static_cast<std::size_t>(count));
    return result;
  }

 private:
  int file_ = -1;
};

/// Returns the words, and then more of them.
inline Words joined(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

struct Outcome {
  std::string command_line;
  int code = -1;  ///< exit code; 128 + n if signal n ended it
  std::string out, err;
  bool says(const std::string& text) const { return contains(err, text); }
  /// Checks the exit code, and returns the same outcome.
  Outcome ended(int expected) const {
    BOOST_TEST_INFO_SCOPE(command_line << "\n" << err << out);
    BOOST_TEST(code == expected);
    return *this;
  }
};

/// A command line that is refused: its message contains `value` and `way_out`.
struct Refused {
  Words words;
  std::string value, way_out;
};

/// Checks that a command line was refused, in one line that says both.
inline void check_refused(const Outcome& outcome, const std::string& value,
                          const std::string& way_out = "") {
  BOOST_TEST_INFO_SCOPE(outcome.command_line << "\n" << outcome.err);
  BOOST_TEST(outcome.code == 2);
  BOOST_TEST(outcome.out == "");
  BOOST_TEST(outcome.says(value));
  BOOST_TEST(outcome.says(way_out));
  BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
}

struct Setting {
  const char* program = "TRILANE_PROGRAM";    ///< the environment variable that names the program
  bool gpu = true;                            ///< false: CUDA_VISIBLE_DEVICES hides every GPU
  std::string stdout_to = {};                 ///< a file in place of the captured standard output
  std::function<void(pid_t)> meanwhile = {};  ///< called while the program runs, with its id
  std::map<std::string, std::string> environment = {};  ///< added to this process's
  unsigned long file_limit = 0;  ///< limit of a file's bytes: simulates a full disk; 0: none
};

/// Runs in the child, between fork and exec: does only what is safe there.
[[noreturn]] inline void become(char* const* arguments, int out, int err, const Setting& setting) {
  if (!setting.gpu) setenv("CUDA_VISIBLE_DEVICES", "", 1);
  for (const auto& [name, value] : setting.environment) setenv(name.c_str(), value.c_str(), 1);
  if (!setting.stdout_to.empty()) out = open(setting.stdout_to.c_str(), O_WRONLY);
  if (setting.file_limit > 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{setting.file_limit, setting.file_limit};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (dup2(out, STDOUT_FILENO) >= 0 && dup2(err, STDERR_FILENO) >= 0)
    execv(arguments[0], arguments);
  _exit(127);
}

/// Returns true if the program, a child of this one, has not ended yet. Does not reap it.
inline bool is_running(pid_t program) {
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(program), &ended, WEXITED | WNOHANG | WNOWAIT);
  return ended.si_pid == 0;
}

/// Runs the program that `setting` names in the current folder. Throws std::runtime_error if that
/// is unset or cannot be started.
inline Outcome run_program(const Words& words, const Setting& setting = {}) {
  const char* program = std::getenv(setting.program);
  if (program == nullptr || access(program, X_OK) != 0)
    throw std::runtime_error(std::string(setting.program) +
                             " must hold the absolute path of the program to test");
  std::vector<std::string> strings{program};
  strings.insert(strings.end(), words.begin(), words.end());
  Outcome outcome;
  std::vector<char*> arguments;
  for (std::string& word : strings) {
    arguments.push_back(word.data());
    outcome.command_line += word + " ";
  }
  arguments.push_back(nullptr);

  const Capture out, err;
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) become(arguments.data(), out.file(), err.file(), setting);
  if (setting.meanwhile) setting.meanwhile(child);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = out.text();
  outcome.err = err.text();
  return outcome;
}
/// Does the same with every GPU hidden.
inline Outcome run_without_gpu(const Words& words) { return run_program(words, {.gpu = false}); }

/// Runs the program and sends it SIGINT once `file` exists. If it ended earlier, as it may on a
/// busy machine, runs it again without the file.
inline Outcome run_interrupted(const Words& words, const std::string& file) {
  const auto interrupt = [&](pid_t program) {
    while (!fs::exists(file) && is_running(program)) usleep(1'000);
    kill(program, SIGINT);
  };
  constexpr int attempts = 100;
  for (int i = 1;; ++i) {
    Outcome outcome = run_program(words, {.meanwhile = interrupt});
    if (outcome.code != 0 || i == attempts) return outcome;
    fs::remove(file);
  }
}

/// Returns true if the program to test is trilane-sim, whose device is simulated.
inline bool is_simulated() {
  const char* program = std::getenv("TRILANE_PROGRAM");
  return program != nullptr && fs::path(program).filename() == "trilane-sim";
}

/// Returns the words of a run in rounds, which a prediction of the simulated device does not have.
inline Words in_rounds(Words words) {
  if (is_simulated()) words.emplace_back("--check");
  return words;
}

/// A temporary folder that is the current one while an instance exists. It contains what output
/// paths can meet: a file `old`, a `folder`, a `fifo`, and `dangling`, a link to nothing.
class Workplace {
 public:
  Workplace() : folder_(fs::temp_directory_path() / "trilane-cli-XXXXXX") {
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no temporary folder");
    back_ = fs::current_path();
    setenv("XDG_STATE_HOME", "/dev/null", 1);  // results of tests are not kept
    fs::current_path(folder_);
    std::ofstream("old") << "somebody's work";
    fs::create_directory("folder");
    fs::create_symlink("nothing", "dangling");
    if (mkfifo("fifo", 0600) != 0) throw std::runtime_error("no fifo");
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    fs::current_path(back_);
    fs::remove_all(folder_);
  }

  /// Returns every path in it, with its content and its time of change.
  std::map<std::string, std::string> snapshot() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      std::ostringstream state;
      struct stat facts {};
      lstat(entry.path().c_str(), &facts);
      state << facts.st_ino << ' ' << facts.st_mode << ' ' << facts.st_size;
      if (S_ISREG(facts.st_mode))
        state << ' ' << facts.st_mtim.tv_sec << '.' << facts.st_mtim.tv_nsec << ' '
              << content_of_file(entry.path());
      found[entry.path()] = state.str();
    }
    return found;
  }

 private:
  std::string folder_, back_;
};

/// Preconditions of tests. Tests that measure need a GPU or a simulated device; they fail without
/// one if TRILANE_REQUIRE_GPU=1 demands it.
inline boost::test_tools::assertion_result has_gpu(boost::unit_test::test_unit_id) {
  if (is_simulated()) return true;
  const char* required = std::getenv("TRILANE_REQUIRE_GPU");
  if (required != nullptr && std::string(required) == "1") return true;
  const Workplace workplace;
  const Outcome outcome =
      run_program({"--preset", "search", "--variant", "serial", "--time", "1ms"});
  const bool gpu = outcome.code != 3;
  if (!gpu)
    std::fprintf(stderr, "skipped for want of a GPU: %s",
                 outcome.err.c_str());  // ctest looks for this
  return gpu;
}
inline boost::test_tools::assertion_result for_a_gpu(boost::unit_test::test_unit_id) {
  return !is_simulated();
}
inline boost::test_tools::assertion_result for_the_simulated_device(
    boost::unit_test::test_unit_id) {
  return is_simulated();
}

}  // namespace trilane
