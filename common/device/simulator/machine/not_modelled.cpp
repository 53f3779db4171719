#include "common/device/simulator/machine/not_modelled.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <set>
#include <string>

#include "common/device/simulator/machine/call.hpp"

namespace trilane::simulator {

void refuse_not_modelled(const char* what) {
  static std::set<std::string> printed;
  if (printed.insert(what).second) {
    fmt::print(stderr, "trilane: simulated device: {} is not modelled\n", what);
  }
  refuse(cudaErrorNotSupported);
}

int not_modelled(const char* name) {
  return call([&](Machine&) { refuse_not_modelled(name); }, name);
}

}  // namespace trilane::simulator
