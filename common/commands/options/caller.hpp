// The program that a command runs in.
#pragma once

#include <string>
#include <vector>

namespace trilane {

struct Caller {
  std::string name;                   ///< "trilane"
  std::vector<std::string> variants;  ///< its variants, in order
  bool simulated = false;             ///< true if its device is simulated
  std::string line;                   ///< the whole command line, recorded in results
};

}  // namespace trilane
