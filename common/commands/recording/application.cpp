#include "common/commands/recording/application.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <iterator>

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
/// ended. Ignored ones stay ignored.
class SignalsPassedOn {
 public:
  SignalsPassedOn() {
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

 private:
  static constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  struct sigaction old_[std::size(signals)] = {};
};

}  // namespace

ApplicationEnd run_application(
    const std::vector<std::string>& words,
    const std::vector<std::pair<std::string, std::string>>& environment) {
  // This program ignores these two signals for its own sake.
  ProcessStart start{.words = words, .default_signals = {SIGPIPE, SIGXFSZ}};
  for (const auto& [name, value] : environment) start.variables.push_back(name + "=" + value);
  const SignalsBlocked blocked;  // until they can be passed on
  const SignalsPassedOn signals;
  Process process(start, blocked);
  stopped = false;
  if (!process.ended()) application = process.id();
  blocked.release();
  const ProcessEnd end = process.wait();
  return {end, end.start_error == 0 && stopped};
}

}  // namespace trilane
