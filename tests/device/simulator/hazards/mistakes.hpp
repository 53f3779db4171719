// Mistakes planted on purpose, each with its repaired twin: the same calls without it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace trilane::simulator::mistakes {

struct Planted {
  std::string what;      ///< "event recorded too early"
  std::string reported;  ///< name of the hazard, of the error returned, "leak" or "wrong data"
  /// What one report says, whatever else: both operations with their lanes, how large the range is.
  std::vector<std::string> says;
  /// Makes the calls on the process's machine, with or without the mistake. Returns the name of the
  /// error that came of it, or "wrong data" where the output is not what it should be.
  std::function<std::string(bool planted)> run;
};

/// All of them.
std::vector<Planted> all();

std::vector<Planted> of_lanes();
std::vector<Planted> of_the_host();
std::vector<Planted> of_memory();
std::vector<Planted> of_graphs();
/// Those of tests/variants/broken.hpp that are about order, and one that only the data shows.
std::vector<Planted> of_variants();

}  // namespace trilane::simulator::mistakes
