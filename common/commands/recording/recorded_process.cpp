#include "common/commands/recording/recorded_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include "common/application/iteration/recording_file.hpp"
#include "common/base/json/input_file.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/commands/recording/replay_request.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

/// Returns the path of the library that is loaded into the application: beside this program, or in
/// lib/trilane beside the folder of an installed one. Throws NotPossible if it is in neither.
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

using Environment = std::vector<std::pair<std::string, std::string>>;

Environment environment_for(const RecordingRequest& request, const Given& given,
                            const fs::path& folder) {
  const std::string library = recorder_library();
  Environment environment{{"CUDA_INJECTION64_PATH", library},
                          {status_variable, folder / "status"},
                          {recording_variable, folder / "recording"}};
  if (request.with_data) environment.emplace_back(data_variable, "1");
  if (!request.range.empty()) {
    environment.emplace_back("NVTX_INJECTION64_PATH", library);
    environment.emplace_back(range_variable, request.range);
  }
  for (auto& variable : replay_environment(given, folder / "replay")) {
    environment.push_back(variable);
  }
  return environment;
}

}  // namespace

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

RecordedProcess::RecordedProcess(const RecordingRequest& request, const Given& given)
    : folder_(fs::temp_directory_path()),
      page_(folder_.path() / "status"),
      recorded_{
          .end = run_application(request.words, environment_for(request, given, folder_.path())),
          .status = *page_,
          .problem_words = page_.words(),
          .recording = {},
          .unreadable = {}} {
  const fs::path file = folder_.path() / "recording";
  try {
    if (fs::exists(file)) recorded_.recording = recording_from_json(content_of_input(file));
  } catch (const std::invalid_argument& error) {
    recorded_.unreadable = error.what();
  }
  try {
    replay_ = replay_in(folder_.path() / "replay");
  } catch (const std::invalid_argument& error) {
    unreadable_replay_ = error.what();
  }
}

}  // namespace trilane
