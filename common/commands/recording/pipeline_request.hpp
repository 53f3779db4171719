// The pipeline file that `trilane diagnose --as-pipeline` asks for.
#pragma once

#include <optional>
#include <string>

#include "common/application/pipelines/making/recorded_pipeline.hpp"
#include "common/base/text/page.hpp"
#include "common/commands/options/given.hpp"

namespace trilane {

/// The options, for Command::groups.
OptionGroup pipeline_options();

class PipelineRequest {
 public:
  /// Throws UsageError for --kernel that is no file of kernels, or that stands without
  /// --as-pipeline.
  explicit PipelineRequest(const Given& given);

  /// Of the pipeline file, "-" for standard output; empty: none is asked for.
  const std::string& path() const { return path_; }
  /// The kernels' file; empty: not given.
  const std::string& source() const { return source_; }

  /// Throws UsageError, which names the recording and the call that does not fit, if a file is
  /// asked for.
  void read(const ApplicationRecording& recording, const std::string& recording_path);

  /// The file's text, and what to do with it, or that there could be one; empty before read() and
  /// where the recording is no pipeline.
  std::string text() const;
  Page advice() const;

 private:
  std::string path_, source_;
  std::optional<RecordedPipeline> pipeline_;
  bool has_data_ = false;
};

}  // namespace trilane
