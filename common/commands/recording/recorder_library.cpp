#include "common/commands/recording/recorder_library.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"

namespace trilane {

namespace fs = std::filesystem;

std::string recorder_library() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) throw NotPossible("recording needs /proc: " + error.message());
  constexpr char name[] = "libtrilane-record.so";
  const fs::path folder = program.parent_path();
  for (const fs::path& place : {folder / name, folder.parent_path() / "lib" / "trilane" / name}) {
    if (fs::exists(place, error)) return place;
  }
  throw NotPossible(
      fmt::format("there is no {} in {} or ../lib/trilane/; build it (ninja trilane_record), or "
                  "install it with the program",
                  name, in_quotes(folder.string())));
}

StatusPage::StatusPage(const std::string& path) {
  const auto fail = [&] { throw std::system_error(errno, std::generic_category(), path); };
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) fail();
  void* page = MAP_FAILED;
  if (ftruncate(file, sizeof(RecorderStatus)) == 0)
    page = mmap(nullptr, sizeof(RecorderStatus), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (page == MAP_FAILED) fail();
  page_ = new (page) RecorderStatus;
}

StatusPage::~StatusPage() { munmap(page_, sizeof(RecorderStatus)); }

std::string StatusPage::words() const {
  return printable({page_->words, strnlen(page_->words, RecorderStatus::most_words)});
}

}  // namespace trilane
