#include "common/application/recorder/driver/own_process.hpp"

#include <fmt/format.h>

#include <fstream>
#include <vector>

#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/base/text/quoting.hpp"

namespace trilane {
namespace {

/// Returns what follows `key` and a colon in the first line of a file that holds both.
std::string value_of(const char* file, std::string_view key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t found = line.find(key), colon = line.find(':', found);
    if (found == std::string::npos || colon == std::string::npos) continue;
    const std::size_t start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return {};
}

/// Returns "580.95.05" for "NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue ...".
std::string driver_version() {
  const std::string line = value_of("/proc/driver/nvidia/version", "NVRM version");
  std::size_t start = 0;
  while ((start = line.find("  ", start)) != std::string::npos) {
    start = line.find_first_not_of(' ', start);
    if (start == std::string::npos) break;
    if (line[start] >= '0' && line[start] <= '9')
      return line.substr(start, line.find(' ', start) - start);
  }
  return {};
}

}  // namespace

std::string own_command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (words.empty()) return {};
  std::vector<const char*> arguments;
  for (std::size_t i = 1; i < words.size(); ++i) arguments.push_back(words[i].c_str());
  return command_line(words.front(), arguments);
}

RecordedMachine own_machine() {
  const DriverFunctions& driver = driver_functions();
  RecordedMachine machine;
  char name[256] = {};
  CUdevice device = 0;
  int version = 0;
  if (driver.ctx_get_device != nullptr && driver.device_get_name != nullptr &&
      driver.ctx_get_device(&device) == CUDA_SUCCESS &&
      driver.device_get_name(name, sizeof name - 1, device) == CUDA_SUCCESS)
    machine.gpu = name;
  if (driver.driver_get_version != nullptr && driver.driver_get_version(&version) == CUDA_SUCCESS)
    machine.cuda = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  machine.driver = driver_version();
  machine.host = value_of("/proc/cpuinfo", "model name");
  return machine;
}

}  // namespace trilane
