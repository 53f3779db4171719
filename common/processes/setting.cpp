#include "common/processes/setting.hpp"

#include <fmt/format.h>

#include "common/results/files/results_io.hpp"

namespace trilane {

std::vector<std::string> arguments_of(const Setting& setting) {
  return {fmt::format("--host-memory={}", name_of(setting.host_memory)),
          fmt::format("--wait={}", name_of(setting.wait))};
}

}  // namespace trilane
