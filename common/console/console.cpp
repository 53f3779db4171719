#include "common/console/console.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace trilane {

Console::Console(std::vector<Output> outputs, bool force) {
  for (Output& output : outputs) {
    if (output.path.empty()) continue;
    outputs_.push_back({OutputFile(output.option, output.path, force), std::move(output.content)});
    stdout_is_taken_ |= outputs_.back().file.to_stdout();
  }
}

void Console::say(const std::string& text) {
  if (progress_) progress_->clear();
  if (stdout_is_taken_) {
    std::fputs(text.c_str(), stderr);
  } else {
    write_stdout(text);
  }
}

void Console::complain(const std::string& line) {
  if (progress_) progress_->clear();
  std::fputs((line + '\n').c_str(), stderr);
}

bool Console::has_files() const {
  return std::ranges::any_of(outputs_, [](const Written& o) { return !o.file.to_stdout(); });
}

Progress& Console::expect(std::size_t steps) { return progress_.emplace(stderr, steps); }

void Console::write(bool all) {
  for (Written& output : outputs_) {
    if (output.file.to_stdout() && !all) continue;
    const std::string content = output.content();
    if (!content.empty()) output.file.write(content);
  }
}

}  // namespace trilane
