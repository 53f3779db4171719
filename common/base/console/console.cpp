#include "common/base/console/console.hpp"

#include <cerrno>
#include <cstdio>

namespace trilane {

Console::Console(std::vector<Output> outputs, bool force) {
  for (Output& output : outputs) {
    if (output.path.empty()) continue;
    outputs_.push_back({OutputFile(output.option, output.path, force), std::move(output.content)});
    stdout_is_taken_ |= outputs_.back().file.to_stdout();
  }
}

void Console::complain(const std::string& line) {
  if (progress_) progress_->clear();
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, line.c_str());
}

void Console::tell(const std::string& text) {
  if (progress_) progress_->clear();
  std::fputs(text.c_str(), stderr);
}

void Console::warn(const std::vector<std::string>& warnings) {
  for (const std::string& line : warnings) complain("warning: " + line);
}

void Console::keep() {
  for (Written& output : outputs_) {
    if (!output.file.to_stdout()) write(output);
  }
}

ExitCode Console::finish(const std::string& text) {
  if (progress_) progress_->clear();
  for (Written& output : outputs_) write(output);
  bool complained = false;
  bool whole = text.empty() || attempt([&] { say(text); }, complained);
  for (const Written& output : outputs_) whole &= !output.failed;
  return whole ? exit_ok : exit_output;
}

bool Console::has_files() const {
  return std::ranges::any_of(outputs_, [](const Written& o) { return !o.file.to_stdout(); });
}

Progress& Console::expect(std::size_t steps) { return progress_.emplace(stderr, steps); }

void Console::write(Written& output) {
  output.failed = !attempt(
      [&] {
        const std::string content = output.content();
        if (!content.empty()) output.file.write(content);
      },
      output.complained);
}

void Console::say(const std::string& text) { stdout_is_taken_ ? tell(text) : write_stdout(text); }

bool Console::attempt(const std::function<void()>& action, bool& complained) {
  try {
    action();
    return true;
  } catch (const std::exception& error) {
    if (!std::exchange(complained, true)) complain(error.what());
    return false;
  }
}

}  // namespace trilane
