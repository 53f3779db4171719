#include "common/commands/written.hpp"

#include "common/application/iteration/recording_file.hpp"
#include "common/base/json/document.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

Written written_from_json(const std::string& text) {
  const std::string schema = schema_of(text);
  if (schema == replies_schema.name) return replies_from_json(text);
  if (schema == loops_schema.name) return loops_from_json(text);
  return from_json(text);
}

/// Returns what `read` makes of the file's text. `writer` is the command that writes such files.
template <typename Read>
auto load(const std::string& label, const std::string& path, const char* writer, Read read) {
  try {
    return read(content_of_input(path));
  } catch (const std::invalid_argument& error) {
    refuse(label, path, fmt::format("{}; give a file that trilane {} wrote", error.what(), writer));
  }
}

}  // namespace

Results load_results(const std::string& label, const std::string& path) {
  return load(label, path, "run --json", from_json);
}

Replies load_replies(const std::string& label, const std::string& path) {
  return load(label, path, "ask --json", replies_from_json);
}

LoopResults load_loops(const std::string& label, const std::string& path) {
  return load(label, path, "loop --json", loops_from_json);
}

ApplicationRecording load_recording(const std::string& label, const std::string& path) {
  return load(label, path, "record --save", recording_from_json);
}

Written load_written(const std::string& label, const std::string& path) {
  return load(label, path, "run, ask or loop --json", written_from_json);
}

}  // namespace trilane
