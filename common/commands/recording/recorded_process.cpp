#include "common/commands/recording/recorded_process.hpp"

#include <filesystem>

#include "common/application/iteration/recording_file.hpp"
#include "common/base/json/input_file.hpp"
#include "common/commands/recording/replay_request.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

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
