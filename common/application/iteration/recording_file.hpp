// A recording as a file, and a replay's record.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>

#include "common/application/iteration/application_recording.hpp"
#include "common/application/iteration/replay_record.hpp"

namespace trilane {

/// Returns the recording as JSON, schema "trilane recording": the records of recording.hpp with
/// their names as keys. Absent values have no key; texts are escaped and cut as printable() does.
/// Throws std::invalid_argument on a number that is not finite.
std::string recording_to_json(const ApplicationRecording& recording);

/// Reads what recording_to_json() wrote, so that writing it again gives the same text. Throws
/// std::invalid_argument, with the place, on anything else:
/// - another schema or version;
/// - a missing or unknown key, or a wrong type;
/// - a number or text outside its range;
/// - an index or a range outside of what it points into.
ApplicationRecording recording_from_json(const std::string& text);

/// Returns true if the text states the schema of a recording.
bool is_recording(const std::string& text);

/// Returns the JSON Schema of the file.
boost::json::object recording_json_schema();

std::string to_json(const ReplayRecord& record);
/// Reads a replay's record. Throws std::invalid_argument that says what is wrong and where.
ReplayRecord replay_from_json(const std::string& text);

}  // namespace trilane
