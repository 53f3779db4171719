#include "common/measure/gpu/compile/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "common/base/json/input_file.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

/// More than any kernel includes; ends loops of links.
constexpr std::size_t most_files = 1000;

std::string text_of(const fs::path& file) try {
  return content_of_input(file);
} catch (const std::invalid_argument&) {
  return "";
}

/// Returns X of `#include "X"`, with spaces wherever C++ allows them; otherwise empty.
std::string quoted_include(std::string_view line) {
  const auto skip_spaces = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  for (const std::string_view word : {"#", "include", "\""}) {
    skip_spaces();
    if (!line.starts_with(word)) return "";
    line.remove_prefix(word.size());
  }
  const auto end = line.find('"');
  return end == line.npos ? "" : std::string(line.substr(0, end));
}

}  // namespace

std::vector<fs::path> sources_of(const fs::path& file) {
  std::vector<fs::path> found{file};
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::istringstream in(text_of(found[i]));
    const fs::path folder = found[i].parent_path();
    for (std::string line; std::getline(in, line) && found.size() < most_files;) {
      const std::string name = quoted_include(line);
      std::error_code none;
      const fs::path header = (folder / name).lexically_normal();
      if (name.empty() || !fs::is_regular_file(folder / name, none)) continue;
      if (std::ranges::count(found, header) == 0) found.push_back(header);
    }
  }
  return found;
}

std::vector<fs::path> files_of_rule(std::string_view rule) {
  const auto colon = rule.find(": ");
  if (colon == rule.npos) return {};
  rule.remove_prefix(colon + 2);
  std::vector<fs::path> files;
  std::string name;
  for (std::size_t i = 0; i <= rule.size(); ++i) {
    const char c = i < rule.size() ? rule[i] : '\n';
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (c == '\\' && next != '\n') {
      name += next;
      ++i;
    } else if (c == ' ' || c == '\n' || c == '\\') {
      if (!name.empty()) files.emplace_back(name);
      name.clear();
    } else {
      name += c;
    }
  }
  return files;
}

std::string names_and_contents(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files) {
    const std::string name = file.string(), content = text_of(file);
    // With both lengths, so that different lists of files give different texts.
    text += fmt::format("{} {}\n{}\n{}\n", name.size(), content.size(), name, content);
  }
  return text;
}

}  // namespace trilane
