#include "common/commands/recording/application.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "common/base/text/exit_code.hpp"

namespace trilane {
namespace {

std::atomic<pid_t> application = 0;
std::atomic<bool> stopped = false;

/// The terminal sends its signals to the whole group, so the application gets them already.
void pass_on(int signal, siginfo_t* from, void*) {
  const int error = errno;
  stopped = true;
  if (from->si_code <= 0 && application > 0) kill(application, signal);
  errno = error;
}

/// While an instance exists, signals do not end this program, which has to tell how the application
/// ended.
class SignalsPassedOn {
 public:
  SignalsPassedOn() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask_);
    for (std::size_t i = 0; i < std::size(signals); ++i) {
      struct sigaction action {};
      action.sa_sigaction = pass_on;
      action.sa_flags = SA_SIGINFO | SA_RESTART;
      sigaction(signals[i], nullptr, &old_[i]);
      if (old_[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, nullptr);
    }
  }
  SignalsPassedOn(const SignalsPassedOn&) = delete;
  SignalsPassedOn& operator=(const SignalsPassedOn&) = delete;
  ~SignalsPassedOn() {
    application = 0;
    for (std::size_t i = 0; i < std::size(signals); ++i) sigaction(signals[i], &old_[i], nullptr);
  }

  /// Lets signals arrive from now on.
  void release() const { sigprocmask(SIG_SETMASK, &mask_, nullptr); }

  /// In the new process: restores the state of a program started by itself. Ignored signals stay
  /// ignored, except those that this program ignores for its own sake.
  void give_up() const {
    for (const int signal : signals) {
      struct sigaction now {};
      sigaction(signal, nullptr, &now);
      if (now.sa_handler != SIG_IGN) std::signal(signal, SIG_DFL);
    }
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
    release();
  }

 private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  struct sigaction old_[std::size(signals)] = {};
  sigset_t mask_;
};

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// A pipe that closes when a program is started, and otherwise transmits the error.
class StartReport {
 public:
  StartReport() {
    if (pipe2(ends_, O_CLOEXEC) != 0) throw NotPossible("no file handle is left for a pipe");
  }
  StartReport(const StartReport&) = delete;
  StartReport& operator=(const StartReport&) = delete;
  ~StartReport() {
    close(ends_[0]);
    if (ends_[1] >= 0) close(ends_[1]);
  }
  void send(int error) const {
    [[maybe_unused]] const auto sent = write(ends_[1], &error, sizeof error);
  }
  int received() {
    int error = 0;
    close(ends_[1]);
    ends_[1] = -1;
    ssize_t count = 0;
    while ((count = ::read(ends_[0], &error, sizeof error)) < 0 && errno == EINTR) continue;
    return count == sizeof error ? error : 0;
  }

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace

ApplicationEnd run_application(
    const std::vector<std::string>& words,
    const std::vector<std::pair<std::string, std::string>>& environment) {
  std::vector<std::string> arguments = words, variables;
  for (char** one = environ; *one != nullptr; ++one) variables.emplace_back(*one);
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  const std::vector<char*> argv = pointers_to(arguments), envp = pointers_to(variables);
  StartReport report;
  const SignalsPassedOn signals;
  const pid_t child = fork();
  if (child < 0) {
    const int error = errno;
    signals.release();
    throw NotPossible(fmt::format("cannot start a process ({}); raise the limit (ulimit -u)",
                                  std::strerror(error)));
  }
  if (child == 0) {
    signals.give_up();
    execvpe(argv[0], argv.data(), envp.data());
    report.send(errno);
    _exit(127);
  }
  application = child;
  stopped = false;
  signals.release();
  ApplicationEnd end{.start_error = report.received()};
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (end.start_error != 0) return end;
  end.stopped = stopped;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  return end;
}

int shell_code(const ApplicationEnd& end) {
  constexpr int not_found = 127, not_executable = 126, by_signal = 128;
  if (end.start_error == ENOENT) return not_found;
  if (end.start_error != 0) return not_executable;
  return end.signal == 0 ? end.exit_code : by_signal + end.signal;
}

}  // namespace trilane
