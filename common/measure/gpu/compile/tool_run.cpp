#include "common/measure/gpu/compile/tool_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>

#include "common/base/console/interrupt.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {
namespace {

constexpr std::size_t most_printed = std::size_t{1} << 20;

[[noreturn]] void not_started(const std::filesystem::path& program, int error) {
  throw NotPossible(
      fmt::format("{} cannot be started ({})", program.string(), std::strerror(error)));
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::filesystem::path& folder) {
  std::vector<std::string> words{"TMPDIR=" + folder.string()};
  for (char** word = environ; *word; ++word) {
    if (!std::string_view(*word).starts_with("TMPDIR=")) words.emplace_back(*word);
  }
  return words;
}

/// The child's preparation before it runs the program.
struct Preparation {
  Preparation(const std::filesystem::path& folder, int output) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    // A group of its own, so that its descendants end with it.
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t handled;
    sigemptyset(&handled);
    for (const int signal : InterruptGuard::signals) sigaddset(&handled, signal);
    posix_spawnattr_setsigdefault(&attributes, &handled);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  }
  Preparation(const Preparation&) = delete;
  Preparation& operator=(const Preparation&) = delete;
  ~Preparation() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

/// The running program; the destructor kills it and its descendants.
class Tool {
 public:
  Tool(const std::filesystem::path& program, const std::vector<std::string>& arguments,
       const std::filesystem::path& folder) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) not_started(program, errno);
    output_ = ends[0];
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> environment = environment_with(folder);
    const Preparation preparation(folder, ends[1]);
    const int error =
        posix_spawn(&id_, program.c_str(), &preparation.actions, &preparation.attributes,
                    pointers_to(words).data(), pointers_to(environment).data());
    close(ends[1]);
    if (error == 0) return;
    close(output_);
    not_started(program, error);
  }
  Tool(const Tool&) = delete;
  Tool& operator=(const Tool&) = delete;
  ~Tool() {
    kill(-id_, SIGKILL);
    if (!ended_) await(0);
    close(output_);
  }

  /// Appends output printed within about 50 ms. Returns false once the program has closed its
  /// output.
  bool read_into(std::string& text) {
    pollfd waiting{output_, POLLIN, 0};
    if (poll(&waiting, 1, 50) <= 0) return true;
    char buffer[4096];
    const ssize_t length = read(output_, buffer, sizeof buffer);
    if (length < 0) return errno == EINTR;
    const std::size_t room = most_printed - text.size();
    text.append(buffer, std::min(static_cast<std::size_t>(length), room));
    return length > 0;
  }

  /// Returns true if it has ended; does not wait with WNOHANG.
  bool await(int options) {
    pid_t found = 0;
    do found = waitpid(id_, &status_, options);
    while (found < 0 && errno == EINTR);
    return ended_ = found != 0;
  }

  int code() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_); }

 private:
  pid_t id_ = 0;
  int output_ = -1, status_ = 0;
  bool ended_ = false;
};

}  // namespace

ToolResult run_tool(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                    const std::filesystem::path& folder, double limit_s) {
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto end = now() + std::chrono::duration<double>(limit_s);
  ToolResult result;
  Tool tool(program, arguments, folder);
  for (bool open = true; open || !tool.await(WNOHANG);) {
    if (must_end() || interrupted()) throw Interrupted();
    if (now() > end) {
      result.late = true;
      return result;
    }
    if (open)
      open = tool.read_into(result.printed);
    else
      usleep(10'000);
  }
  result.code = tool.code();
  return result;
}

}  // namespace trilane
