// Runs the real program as a user would, in a folder made for the test.
#pragma once

#include <sys/types.h>

#include "tests/base/folder.hpp"
#include "tests/base/refusal.hpp"

namespace trilane {

using Words = std::vector<std::string>;

/// Returns the words, and then more of them.
Words joined(Words words, const Words& more);

struct Outcome {
  std::string command_line;
  int code = -1;  ///< exit code; 128 + n if signal n ended it
  std::string out, err;
  bool says(const std::string& text) const { return contains(err, text); }
  /// Checks the exit code, and returns the same outcome.
  Outcome ended(int expected) const;
};

/// A command line that is refused: its message contains `value` and `way_out`.
struct Refused {
  Words words;
  std::string value, way_out;
};

/// Checks that a command line was refused, in one line that says both.
void check_refused(const Outcome& outcome, const std::string& value,
                   const std::string& way_out = "");

struct Setting {
  const char* program = "TRILANE_PROGRAM";    ///< the environment variable that names the program
  bool gpu = true;                            ///< false: CUDA_VISIBLE_DEVICES hides every GPU
  std::string stdout_to = {};                 ///< a file in place of the captured standard output
  std::function<void(pid_t)> meanwhile = {};  ///< called while the program runs, with its id
  std::map<std::string, std::string> environment = {};  ///< added to this process's
  unsigned long file_limit = 0;  ///< limit of a file's bytes: simulates a full disk; 0: none
};

/// Returns true if the program, a child of this one, has not ended yet. Does not reap it.
bool is_running(pid_t program);

/// Runs the program that `setting` names in the current folder. Throws std::runtime_error if that
/// is unset or cannot be started.
Outcome run_program(const Words& words, const Setting& setting = {});
/// Does the same with every GPU hidden.
inline Outcome run_without_gpu(const Words& words) { return run_program(words, {.gpu = false}); }

/// Runs the program and sends it SIGINT once `file` exists. If it ended earlier, as it may on a
/// busy machine, runs it again without the file.
Outcome run_interrupted(const Words& words, const std::string& file);

/// Returns true if the program to test is trilane-sim, whose device is simulated.
bool is_simulated();

/// Returns the words of a run in rounds, which a prediction of the simulated device does not have.
Words in_rounds(Words words);

/// Preconditions of tests. Tests that measure need a GPU or a simulated device; they fail without
/// one if TRILANE_REQUIRE_GPU=1 demands it.
boost::test_tools::assertion_result has_gpu(boost::unit_test::test_unit_id);
boost::test_tools::assertion_result for_a_gpu(boost::unit_test::test_unit_id);
boost::test_tools::assertion_result for_the_simulated_device(boost::unit_test::test_unit_id);

/// A temporary folder that is the current one while an instance exists. It contains what output
/// paths can meet: a file `old`, a `folder`, a `fifo`, and `dangling`, a link to nothing.
class Workplace {
 public:
  Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace();

  /// Returns every path in it, with its content and its time of change.
  std::map<std::string, std::string> snapshot() const;

 private:
  std::string folder_, back_;
};

}  // namespace trilane
