#include "common/processes/child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace trilane {

namespace {

void ensure(int error) {
  if (error != 0) throw std::system_error(error, std::generic_category(), "no further process");
}

class FileActions {
 public:
  FileActions() { ensure(posix_spawn_file_actions_init(&actions_)); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  void open(int file, const char* path, int flags) {
    ensure(posix_spawn_file_actions_addopen(&actions_, file, path, flags, 0600));
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

class Attributes {
 public:
  Attributes() {
    ensure(posix_spawnattr_init(&attributes_));
    ensure(posix_spawnattr_setpgroup(&attributes_, 0));
    ensure(posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP));
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

Child::Child(const std::vector<std::string>& arguments, const std::filesystem::path& errors) {
  constexpr char this_program[] = "/proc/self/exe";
  std::vector<std::string> words{std::filesystem::read_symlink(this_program)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  FileActions files;
  files.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  files.open(STDOUT_FILENO, "/dev/null", O_WRONLY);
  files.open(STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  const Attributes attributes;
  ensure(posix_spawn(&id_, this_program, files.get(), attributes.get(), pointers.data(), environ));
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
