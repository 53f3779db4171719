// Counts calls as the simulated device does, in place of CUPTI.
#include "tests/variants/call_counter.hpp"

#include "common/device/simulator/machine/machine.hpp"

namespace trilane {

bool can_count_calls() { return true; }

std::map<std::string, std::uint64_t> count_calls(const std::function<void()>& body) {
  const std::size_t before = simulator::machine().calls.size();
  body();
  std::map<std::string, std::uint64_t> by_name;
  const auto& calls = simulator::machine().calls;
  for (std::size_t i = before; i < calls.size(); ++i) ++by_name[calls[i]];
  return by_name;
}

}  // namespace trilane
