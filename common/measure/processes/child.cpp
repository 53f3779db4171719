#include "common/measure/processes/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <span>
#include <string_view>
#include <system_error>

#include "common/base/console/interrupt.hpp"
#include "common/base/console/last_message.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

/// Blocks all signals while it lives.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { release(); }
  void release() const { sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

/// Restores the default action, because the parent's handler would swallow the signal. A signal
/// that the parent ignores stays ignored.
void drop_handler(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  if (action.sa_handler != SIG_IGN) std::signal(signal, SIG_DFL);
}

bool open_as(int file, const char* path, int flags) {
  const int opened = open(path, flags, 0600);
  if (opened == file) return true;
  return opened >= 0 && dup2(opened, file) == file && close(opened) == 0;
}

/// Uses only calls that are safe between fork and exec. posix_spawn cannot set PR_SET_PDEATHSIG.
[[noreturn]] void become(char* const* arguments, char* const* environment, const char* errors,
                         std::span<const int> files, pid_t parent, const SignalsBlocked& signals) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent died before prctl
  setpgid(0, 0);
  for (const int signal : InterruptGuard::signals) drop_handler(signal);
  const bool opened = open_as(STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC) &&
                      open_as(STDIN_FILENO, "/dev/null", O_RDONLY) &&
                      open_as(STDOUT_FILENO, "/dev/null", O_WRONLY);
  for (const int file : files) fcntl(file, F_SETFD, 0);  // not closed on exec
  signals.release();
  if (opened) execve("/proc/self/exe", arguments, environment);
  const char* const reason = strerrordesc_np(errno);
  [[maybe_unused]] const auto written = write(STDERR_FILENO, reason, std::strlen(reason));
  _exit(127);  // as a shell returns it
}

/// Returns the argument array of exec functions.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Returns this process's environment, with or without the request for the child's last message,
/// and with further variables.
std::vector<std::string> environment_with(const std::filesystem::path& message,
                                          const std::vector<std::string>& more) {
  const std::string start = std::string(message_file_variable) + '=';
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with(start)) variables.emplace_back(*variable);
  }
  if (!message.empty()) variables.push_back(start + message.string());
  variables.insert(variables.end(), more.begin(), more.end());
  return variables;
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const std::filesystem::path& errors,
             const std::filesystem::path& message, const ChildGifts& gifts) {
  std::error_code error;
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe", error)};
  if (error) throw NotPossible("several processes need /proc: " + error.message());
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers = pointers_to(words);
  std::vector<std::string> variables = environment_with(message, gifts.variables);
  std::vector<char*> environment = pointers_to(variables);

  const pid_t parent = getpid();
  const SignalsBlocked signals;
  id_ = fork();
  if (id_ < 0) {
    throw NotPossible(fmt::format("cannot start a process ({}); raise the limit (ulimit -u)",
                                  std::strerror(errno)));
  }
  if (id_ == 0) {
    become(pointers.data(), environment.data(), errors.c_str(), gifts.files, parent, signals);
  }
}

Child::~Child() {
  if (ended()) return;
  kill(id_, SIGKILL);
  while (waitpid(id_, nullptr, 0) < 0 && errno == EINTR) continue;
}

std::optional<int> Child::ended() {
  int status = 0;
  if (!code_ && waitpid(id_, &status, WNOHANG) == id_) code_ = code_of(status);
  return code_;
}

void Child::interrupt() { kill(id_, SIGINT); }

}  // namespace trilane
