// Starts other programs and awaits their ends.
#pragma once

#include <sys/types.h>

#include <csignal>

#include "common/base/system/lock.hpp"

namespace trilane {

/// Returns the path of a file that belongs to this program: beside it, or in lib/trilane beside the
/// folder of an installed one. Empty if it is in neither. Throws NotPossible without /proc.
std::filesystem::path part_of_program(const std::string& name);

/// Returns the words as exec() takes them, valid as long as they are.
std::vector<char*> pointers_to(std::vector<std::string>& words);

/// Blocks all signals while it lives.
class SignalsBlocked : boost::noncopyable {
 public:
  SignalsBlocked();
  ~SignalsBlocked() { release(); }

  /// Lets signals arrive from now on.
  void release() const;

 private:
  sigset_t before_;
};

/// A pipe whose ends other programs do not inherit.
class Pipe {
 public:
  /// Throws NotPossible if no file handle is left.
  Pipe();

  int output() const { return output_.get(); }  ///< to be read
  int input() const { return input_.get(); }    ///< to be written
  /// Closes this program's copy, so that reading ends when all others are closed.
  void close_input() { input_ = OpenFile(); }

 private:
  OpenFile output_, input_;
};

/// A standard stream of a program: the file at a path, or an open file, or this program's own.
struct StandardStream {
  std::filesystem::path path{};  ///< an output is created or emptied
  int file = -1;
};

/// A program and its inheritance.
struct ProcessStart {
  std::vector<std::string> words{};         ///< its name and its arguments
  std::filesystem::path program{};          ///< empty: found by its name, as by a shell
  std::filesystem::path folder{};           ///< that it works in; empty: this program's
  std::vector<std::string> variables{};     ///< "NAME=value" sets one, "NAME" removes one
  std::array<StandardStream, 3> streams{};  ///< input, output, errors
  std::vector<int> files{};                 ///< further open files that it inherits
  /// Signals that it does not ignore. It ignores others that this program ignores.
  std::vector<int> default_signals{};
  bool own_group = false;         ///< has a process group, whose others are killed when it ends
  bool dies_with_parent = false;  ///< is killed when the thread that creates it ends
};

/// The end of a program. It succeeded unless one of the three is not 0.
struct ProcessEnd {
  int exit_code = 0;
  int signal = 0;       ///< that ended it
  int start_error = 0;  ///< errno: it was not started, or its end is unknown

  /// Returns the exit code that a shell would give.
  int shell_code() const;
};

/// Runs from construction on.
class Process : boost::noncopyable {
 public:
  /// Returns when the program runs or cannot be started. Releases `blocked` in the new process.
  /// Throws NotPossible if no process can be created.
  explicit Process(const ProcessStart& start, const SignalsBlocked& blocked = SignalsBlocked());
  /// Kills it, with its own group, if it still runs, and waits for its end.
  ~Process();

  pid_t id() const { return id_; }
  void send(int signal) const { kill(id_, signal); }

  /// Returns its end; absent while it runs.
  const std::optional<ProcessEnd>& ended();
  /// Waits for its end.
  ProcessEnd wait();

 private:
  void await(int options);

  pid_t id_ = 0;
  const bool own_group_;
  std::optional<ProcessEnd> end_;
};

}  // namespace trilane
