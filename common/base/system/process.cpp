#include "common/base/system/process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

std::string_view name_in(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  std::vector<std::string> variables;
  for (char** one = environ; *one != nullptr; ++one) {
    if (!includes(changes, name_in(*one), name_in)) variables.emplace_back(*one);
  }
  std::ranges::copy_if(changes, std::back_inserter(variables),
                       [](const std::string& change) { return change.find('=') != change.npos; });
  return variables;
}

/// Restores the default actions, because this program's handlers would swallow signals until exec.
/// Signals that this program ignores stay ignored, except those given.
void drop_handlers(const std::vector<int>& even_ignored) {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action = {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) std::signal(signal, SIG_DFL);
  }
  for (const int signal : even_ignored) std::signal(signal, SIG_DFL);
}

bool redirect(int stream, const StandardStream& to) {
  if (to.path.empty() && to.file < 0) return true;
  const int flags = stream == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
  const int file = to.path.empty() ? to.file : open(to.path.c_str(), flags | O_CLOEXEC, 0600);
  if (file == stream) return fcntl(file, F_SETFD, 0) == 0;
  return file >= 0 && dup2(file, stream) == stream;
}

/// Becomes the program in the new process; returns if it cannot be started. Uses only calls that
/// are safe between fork and exec. posix_spawn cannot set PR_SET_PDEATHSIG.
void become(const ProcessStart& start, char* const* words, char* const* environment, pid_t parent,
            const SignalsBlocked& signals) {
  if (start.dies_with_parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // the parent died before prctl
  }
  if (start.own_group) setpgid(0, 0);
  drop_handlers(start.default_signals);
  if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) return;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (!redirect(stream, start.streams[static_cast<std::size_t>(stream)])) return;
  }
  for (const int file : start.files) fcntl(file, F_SETFD, 0);  // not closed on exec
  signals.release();
  if (start.program.empty()) {
    execvpe(words[0], words, environment);
  } else {
    execve(start.program.c_str(), words, environment);
  }
}

/// Returns the error sent through the pipe; 0 if exec closed it.
int error_from(Pipe& report) {
  int error = 0;
  report.close_input();
  ssize_t count = 0;
  while ((count = read(report.output(), &error, sizeof error)) < 0 && errno == EINTR) continue;
  return count == sizeof error ? error : 0;
}

}  // namespace

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::filesystem::path part_of_program(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) throw NotPossible("{} is found only with /proc", name);
  for (const fs::path& place : {folder / name, folder.parent_path() / "lib/trilane" / name}) {
    if (fs::exists(place, error)) return place;
  }
  return {};
}

SignalsBlocked::SignalsBlocked() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before_);
}

void SignalsBlocked::release() const { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw NotPossible("no file descriptor is left for a pipe");
  output_ = OpenFile(ends[0]);
  input_ = OpenFile(ends[1]);
}

int ProcessEnd::shell_code() const {
  constexpr int not_found = 127, not_executable = 126, by_signal = 128;
  if (start_error == ENOENT) return not_found;
  if (start_error != 0) return not_executable;
  return signal == 0 ? exit_code : by_signal + signal;
}

Process::Process(const ProcessStart& start, const SignalsBlocked& blocked)
    : own_group_(start.own_group) {
  std::vector<std::string> words = start.words, variables = environment_with(start.variables);
  const std::vector<char*> arguments = pointers_to(words), environment = pointers_to(variables);
  Pipe report;
  const pid_t parent = getpid();
  id_ = fork();
  if (id_ < 0) {
    throw NotPossible("cannot start a process ({}); raise the limit (ulimit -u)",
                      std::strerror(errno));
  }
  if (id_ == 0) {
    become(start, arguments.data(), environment.data(), parent, blocked);
    const int error = errno;
    [[maybe_unused]] const auto sent = write(report.input(), &error, sizeof error);
    _exit(127);
  }
  if (const int error = error_from(report); error != 0) {
    await(0);
    end_ = ProcessEnd{.start_error = error};
  }
}

Process::~Process() {
  if (ended()) return;
  send(SIGKILL);
  wait();
}

const std::optional<ProcessEnd>& Process::ended() {
  if (!end_) await(WNOHANG);
  return end_;
}

ProcessEnd Process::wait() {
  if (!end_) await(0);
  return *end_;
}

void Process::await(int options) {
  int status = 0;
  pid_t found = 0;
  do found = waitpid(id_, &status, options);
  while (found < 0 && errno == EINTR);
  if (found == 0) return;
  if (found < 0) {
    end_ = ProcessEnd{.start_error = errno};
    return;
  }
  if (own_group_) kill(-id_, SIGKILL);
  end_ = WIFSIGNALED(status) ? ProcessEnd{.signal = WTERMSIG(status)}
                             : ProcessEnd{.exit_code = WEXITSTATUS(status)};
}

}  // namespace trilane
