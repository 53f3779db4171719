#include "common/application/iteration/recording_file.hpp"

#include <stdexcept>

#include "common/base/json/input_file.hpp"
#include "common/base/json/json_schema.hpp"
#include "common/base/json/pretty_json.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"

namespace trilane {
namespace {

/// Version 1 has no launch attributes and no captures; both may be absent.
constexpr Schema recording_schema{"trilane recording", 1, 2};

}  // namespace

std::string recording_to_json(const ApplicationRecording& recording) {
  return pretty(document_of(recording_schema, recording));
}

ApplicationRecording recording_from_json(const std::string& text) {
  try {
    return record_in<ApplicationRecording>(parsed(text), recording_schema);
  } catch (const Misfit& misfit) {
    throw std::invalid_argument("recording file: " + in_words(misfit));
  }
}

bool is_recording(const std::string& text) { return schema_of(text) == recording_schema.name; }

ApplicationRecording recording_in(const std::string& path) {
  try {
    return recording_from_json(content_of_input(path));
  } catch (const std::invalid_argument& error) {
    throw UsageError(in_quotes(path) + ": " + error.what());
  }
}

boost::json::object recording_json_schema() {
  return json_schema_of<ApplicationRecording>(recording_schema);
}

}  // namespace trilane
