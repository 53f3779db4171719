#include "common/application/recorder/listening/listener_guard.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

namespace trilane {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw std::runtime_error(fmt::format("{}: {}", path, std::strerror(errno)));
}

bool write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

RecorderStatus* shared_page() {
  const char* const path = std::getenv(status_variable);
  if (path == nullptr) return nullptr;
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat facts {};
  void* page = MAP_FAILED;
  // The starter set the file's size: a store behind its end would kill the application.
  if (fstat(file, &facts) == 0 && facts.st_size >= static_cast<off_t>(sizeof(RecorderStatus)))
    page = mmap(nullptr, sizeof(RecorderStatus), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page == MAP_FAILED) return nullptr;
  auto* const status = static_cast<RecorderStatus*>(page);
  return status->magic == RecorderStatus::right_magic ? status : nullptr;
}

void note_problem(RecorderStatus& page, RecorderProblem problem, const std::string& words) {
  RecorderProblem none = RecorderProblem::none;
  if (!page.problem.compare_exchange_strong(none, problem)) return;
  words.copy(page.words, RecorderStatus::most_words - 1);
}

void replace_file(RecorderStatus& page, const std::string& path,
                  const std::function<std::string()>& text) try {
  const std::string content = text(), half = path + ".part";
  const int file = open(half.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) fail(half);
  const bool written = write_all(file, content);
  if (close(file) != 0 || !written) fail(half);
  if (std::rename(half.c_str(), path.c_str()) != 0) fail(path);
} catch (const std::exception& error) {
  note_problem(page, RecorderProblem::not_written, error.what());
}

}  // namespace trilane
