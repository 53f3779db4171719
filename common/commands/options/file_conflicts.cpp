#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>

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

/// In outputs "-" means standard output.
bool same_output(const std::string& one, const std::string& other) {
  return one == "-" || other == "-" ? one == other : same_file(one, other);
}

/// Every output needs a file of its own.
void check_outputs(const Given& given) {
  constexpr std::array<std::pair<const char*, const char*>, 3> pairs{
      {{"json", "csv"}, {"json", "trace"}, {"csv", "trace"}}};
  for (const auto& [one, other] : pairs) {
    if (!given.has(one) || !given.has(other)) continue;
    if (!same_output(*given.text(one), *given.text(other))) continue;
    given.forbid(other, fmt::format("is also the file of --{}; give another name", one));
  }
}

/// An input file must not be overwritten.
void check_inputs(const Given& given) {
  for (const char* input : {"compare", "profile"}) {
    for (const std::string& file : given.texts(input)) {
      for (const char* output : {"json", "csv", "trace", "calibrate"}) {
        if (!given.has(output) || *given.text(output) == "-") continue;
        if (!same_file(file, *given.text(output))) continue;
        given.forbid(output, fmt::format("is a file that --{} reads; give another name", input));
      }
    }
  }
}

}  // namespace

void check_files(const Given& given) {
  check_outputs(given);
  check_inputs(given);
}

}  // namespace trilane
