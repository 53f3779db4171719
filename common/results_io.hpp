// The results file: JSON for the plots and for machines, CSV for spreadsheets.
#pragma once

#include <string>

#include "common/results.hpp"

namespace trilane {

/// The whole results as JSON, schema `results_schema_version`; every raw sample is kept. Throws
/// std::invalid_argument on a number that is not finite: JSON has none.
std::string to_json(const Results& results);

/// Reads what to_json wrote: to_json(from_json(text)) == text. Throws std::invalid_argument, with
/// the place, on anything else: another schema version, a missing key, a non-finite number.
Results from_json(const std::string& text);

/// One line per raw sample:
/// preset,variant,status,round,after,submit_us,device_us,wall_us; RFC 4180 quoting. A measurement
/// without samples has one line with empty times.
std::string to_csv(const Results& results);

/// "ok", "failed", "not supported", "not run"; "latency", "throughput"; "depth", "breadth".
const char* name_of(Status status);
const char* name_of(Mode mode);
const char* name_of(Order order);

}  // namespace trilane
