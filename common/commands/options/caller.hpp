// The program that a command runs in.
#pragma once

#include <string>
#include <vector>

namespace trilane {

struct Caller {
  std::string name;                   ///< "trilane"
  std::vector<std::string> variants;  ///< that it holds, in order
  bool simulated = false;             ///< whether its device is
  std::string line;                   ///< the whole command line, recorded in results
};

}  // namespace trilane
