#include "common/measure/gpu/compile/compilers.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace trilane {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

/// Returns the folders of toolkits that are not on the PATH.
std::vector<fs::path> toolkits() {
  std::vector<fs::path> folders;
  if (const fs::path home = variable("CUDA_HOME"); home.is_absolute()) folders.push_back(home);
  folders.emplace_back("/usr/local/cuda");
  return folders;
}

fs::path installed_nvcc() {
  std::vector<fs::path> folders;
  std::istringstream path(variable("PATH"));
  // An empty or relative entry means the current folder, and a file called nvcc there is no
  // compiler.
  for (std::string entry; std::getline(path, entry, ':');) {
    if (fs::path(entry).is_absolute()) folders.emplace_back(entry);
  }
  for (const fs::path& toolkit : toolkits()) folders.push_back(toolkit / "bin");
  for (const fs::path& folder : folders) {
    const fs::path program = folder / "nvcc";
    std::error_code none;
    if (is_plain_path(program) && fs::is_regular_file(program, none) &&
        access(program.c_str(), X_OK) == 0) {
      return program;
    }
  }
  return {};
}

}  // namespace

std::string Architecture::name() const { return fmt::format("sm_{}{}", major, minor); }

bool is_plain_path(const fs::path& path) {
  return std::ranges::all_of(path.string(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._+-").find(c) != std::string_view::npos;
  });
}

Compilers installed_compilers() {
  constexpr const char* names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  Compilers found{.nvcc = installed_nvcc(), .nvrtc = {}, .cuda_headers = {}};
  for (const char* name : names) found.nvrtc.emplace_back(name);
  for (const fs::path& toolkit : toolkits()) {
    for (const char* name : names) found.nvrtc.push_back(toolkit / "lib64" / name);
    std::error_code none;
    const fs::path headers = toolkit / "include";
    if (found.cuda_headers.empty() && fs::exists(headers / "cuda_runtime.h", none)) {
      found.cuda_headers = headers;
    }
  }
  return found;
}

}  // namespace trilane
