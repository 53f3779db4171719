#include "tests/device/simulator/faults/child_run.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>

namespace trilane::simulator {

namespace {

constexpr unsigned patience_s = 60;  // after which a child counts as hanging; it needs milliseconds

/// Boost.Test would take a crash for its own and go on with the next test, in the child.
void die_of_signals() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM}) {
    std::signal(signal, SIG_DFL);
  }
}

std::string line(std::istream& in) {
  std::string text;
  std::getline(in, text);
  return text;
}

}  // namespace

bool ChildRun::fork() {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    die_of_signals();
    alarm(patience_s);
    err_.emplace(STDERR_FILENO);
    return true;
  }
  while (waitpid(child, &status_, 0) < 0 && errno == EINTR) continue;
  return false;
}

void ChildRun::end(const Ending& ending) const {
  {
    std::ofstream out(file_);
    out << ending.broken << '\n'
        << ending.exit_code << '\n'
        << ending.faulted << '\n'
        << static_cast<int>(ending.then) << '\n'
        << ending.captures << '\n'
        << ending.leaks.size() << '\n';
    for (const std::string& leak : ending.leaks) out << leak << '\n';
    out << err_->text();
  }
  _exit(0);
}

Ending ChildRun::ending() const {
  Ending ending;
  if (WIFSIGNALED(status_)) {
    const int signal = WTERMSIG(status_);
    ending.broken = signal == SIGALRM ? fmt::format("hung for {} s", patience_s)
                                      : fmt::format("crashed: {}", strsignal(signal));
    return ending;
  }
  if (WEXITSTATUS(status_) != 0) {
    ending.broken = fmt::format("exited with {}", WEXITSTATUS(status_));
    return ending;
  }
  std::ifstream in(file_);
  ending.broken = line(in);
  ending.exit_code = std::stoi(line(in));
  ending.faulted = line(in);
  ending.then = static_cast<cudaError_t>(std::stoi(line(in)));
  ending.captures = std::stoul(line(in));
  ending.leaks.resize(std::stoul(line(in)));
  for (std::string& leak : ending.leaks) leak = line(in);
  ending.err.assign(std::istreambuf_iterator<char>(in), {});
  return ending;
}

}  // namespace trilane::simulator
