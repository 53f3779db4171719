// Results as files: JSON with everything, CSV with a line per sample.
#pragma once

#include <boost/json/fwd.hpp>

#include "common/model/results/results.hpp"

namespace trilane {

/// Returns all results as JSON: the records of results.hpp with their names as keys, plus
/// workload.chunks. Keeps every raw sample, in columns and to the nanosecond; other numbers have 15
/// significant digits. Absent values have no key; texts are escaped and cut as by printable().
/// Throws std::invalid_argument on a number that is not finite, or if a list has duplicate names.
std::string to_json(const Results& results);

/// Returns true if the text states the schema of results.
bool is_results(const std::string& text);

/// Reads the output of to_json(), so that to_json(from_json(text)) == text, and files of older
/// versions. Throws std::invalid_argument, with the place, on anything else:
/// - another schema version, a missing or unknown key, a wrong type,
/// - columns of different lengths,
/// - a number or text outside its range, or contradictory members.
Results from_json(const std::string& text);

/// Returns one line per raw sample:
/// preset,variant,status,process,round,after,submit_us,device_us,wall_us,simulated; RFC 4180
/// quoting. `after` is the variant that had the turn before, empty if there was none. A measurement
/// without samples has one line, with empty fields from process to wall_us. `simulated` is
/// context.simulated. Throws std::invalid_argument on a number that is not finite.
std::string to_csv(const Results& results);

/// Returns the JSON Schema of the file.
boost::json::object results_json_schema();

}  // namespace trilane
