// The pipeline file that `trilane diagnose --as-pipeline` asks for.
#pragma once

#include <optional>
#include <string>

#include "common/application/pipelines/making/recorded_pipeline.hpp"
#include "common/base/text/page.hpp"
#include "common/commands/options/given.hpp"

namespace trilane {

/// Returns the options, for Command::groups.
OptionGroup pipeline_options();

class PipelineRequest {
 public:
  /// Throws UsageError if --kernel is not a file of kernels, or is given without --as-pipeline.
  explicit PipelineRequest(const Given& given);

  /// Returns the path of the pipeline file, "-" for standard output; empty: none is requested.
  const std::string& path() const { return path_; }
  /// Returns the kernels' file; empty: not given.
  const std::string& source() const { return source_; }

  /// Throws UsageError, which names the recording and the call that does not fit, if a file is
  /// requested.
  void read(const ApplicationRecording& recording, const std::string& recording_path);

  /// Returns the file's text and what to do with it, or that there could be one. Empty before
  /// read(), and if the recording is not a pipeline.
  std::string text() const;
  Page advice() const;

 private:
  std::string path_, source_;
  std::optional<RecordedPipeline> pipeline_;
  bool has_data_ = false;
};

}  // namespace trilane
