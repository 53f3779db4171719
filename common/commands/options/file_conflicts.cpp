#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "common/base/text/exit_code.hpp"
#include "common/commands/options/option_parts.hpp"

namespace trilane {
namespace {

bool same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto resolved = [&](const std::string& name) {
    return fs::weakly_canonical(fs::absolute(name, error), error);
  };
  const fs::path path_of_one = resolved(one);
  return path_of_one == resolved(other) && !path_of_one.empty();
}

bool same_output(const std::string& one, const std::string& other) {
  return one == "-" || other == "-" ? one == other : same_file(one, other);
}

}  // namespace

void check_files(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->path.empty()) continue;
    for (auto earlier = outputs.begin(); earlier != output; ++earlier) {
      if (earlier->path.empty() || !same_output(earlier->path, output->path)) continue;
      refuse(output->label, output->path,
             fmt::format("is also the file of {}; give another name", earlier->label));
    }
    for (const NamedFile& input : inputs) {
      if (input.path.empty() || output->path == "-" || !same_file(input.path, output->path))
        continue;
      refuse(output->label, output->path,
             fmt::format("is a file that {} reads; give another name", input.label));
    }
  }
}

}  // namespace trilane
