#include "common/application/recorder/replaying/shared_page.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace trilane {

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
  std::uint32_t none = 0;
  if (!page.problem.compare_exchange_strong(none, static_cast<std::uint32_t>(problem))) return;
  words.copy(page.words, RecorderStatus::most_words - 1);
}

}  // namespace trilane
