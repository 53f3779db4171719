#include "common/measure/context/nvml.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "common/base/text/quoting.hpp"

namespace trilane {

std::vector<std::string> describe_others(std::set<unsigned> pids, std::vector<std::string>& notes,
                                         const std::filesystem::path& root) {
  std::vector<std::string> others;
  if (pids.empty()) return others;
  const bool ours = pids.erase(static_cast<unsigned>(getpid())) > 0;
  if (!ours) {
    notes.push_back(
        "GPU processes are numbered in another pid namespace: one of them may be this program");
  }
  for (const unsigned pid : pids) {
    std::string name;
    if (ours) {
      std::ifstream file(root / "proc" / fmt::to_string(pid) / "comm");
      std::getline(file, name);
    }
    others.push_back(name.empty() ? fmt::to_string(pid)
                                  : fmt::format("{} {}", pid, printable(name)));
  }
  return others;
}

}  // namespace trilane
