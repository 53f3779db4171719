// Planted mistakes, each with its repaired twin: the same calls without the mistake.
#pragma once

#include "tests/framework.hpp"

namespace trilane::simulator::mistakes {

struct Planted {
  std::string what;      ///< "event recorded too early"
  std::string reported;  ///< name of the hazard, of the error returned, "leak" or "wrong data"
  /// Required parts of a report: both operations with their lanes, and the size of the range.
  std::vector<std::string> says;
  /// Makes the calls on the process's machine, with or without the mistake. Returns the name of the
  /// resulting error, or "wrong data" if the output is not the expected one.
  std::function<std::string(bool planted)> run;
};

/// Returns all of them.
std::vector<Planted> all();

std::vector<Planted> of_lanes();
std::vector<Planted> of_graphs();
std::vector<Planted> of_memory();

}  // namespace trilane::simulator::mistakes
