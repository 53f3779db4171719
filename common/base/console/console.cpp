#include "common/base/console/console.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/base/text/words.hpp"

namespace trilane {
namespace {

constexpr auto redraw_interval = std::chrono::milliseconds(100);
constexpr char erase_line[] = "\r\x1b[K";

/// Returns the columns to use, without the last: some terminals wrap when it is used.
std::size_t columns(std::FILE* out) {
  winsize size = {};
  const bool known = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return std::min<std::size_t>(known ? size.ws_col : 80, 80) - 1;
}

/// Returns true if a write to a stopped terminal or a full pipe would delay the run.
bool would_block(std::FILE* out) {
  pollfd file = {fileno(out), POLLOUT, 0};
  return file.fd >= 0 && poll(&file, 1, 0) == 0;
}

}  // namespace

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
  const auto say = [&] { stdout_is_taken_ ? tell(text) : write_stdout(text); };
  bool whole = text.empty() || attempt(say, complained);
  for (const Written& output : outputs_) whole &= !output.failed;
  return whole ? exit_ok : exit_output;
}

bool Console::has_files() const {
  return std::ranges::any_of(outputs_, [](const Written& o) { return !o.file.to_stdout(); });
}

Progress& Console::expect(std::size_t steps, bool shown) {
  return progress_.emplace(shown ? stderr : nullptr, steps);
}

void Console::write(Written& output) {
  output.failed = !attempt(
      [&] {
        const std::string content = output.content();
        if (!content.empty()) output.file.write(content);
      },
      output.complained);
}

bool Console::attempt(const std::function<void()>& action, bool& complained) {
  try {
    action();
    return true;
  } catch (const std::exception& error) {
    if (!std::exchange(complained, true)) complain(error.what());
    return false;
  }
}

ProgressStyle style_for(std::FILE* out) {
  const bool terminal = out && isatty(fileno(out)) == 1 && environment_value("TERM") != "dumb";
  return {terminal, terminal && environment_value("NO_COLOR").empty()};
}

Progress::Progress(std::FILE* out, std::size_t presets, ProgressStyle style)
    : out_(out), presets_(presets), style_(style) {}

void Progress::start(const std::string& label) {
  ++preset_;
  label_ = label;
  phase("started");
}

void Progress::phase(const std::string& text) {
  phase_ = text;
  seconds_ = limit_ = 0;
  if (style_.terminal) draw();
}

void Progress::advance(double seconds, double limit) {
  seconds_ = seconds;
  limit_ = limit;
  if (!style_.terminal) return;
  if (std::chrono::steady_clock::now() - last_draw_ >= redraw_interval) draw();
}

void Progress::done(const std::string& text) {
  clear();
  if (!style_.terminal) put(fmt::format("[{}/{}] {}: {}\n", preset_, presets_, label_, text));
}

void Progress::clear() {
  if (drawn_) put(erase_line);
  drawn_ = false;
}

void Progress::draw() {
  std::string line = fmt::format("[{}/{}] {}: {}", preset_, presets_, label_, phase_);
  if (limit_ > 0) {
    constexpr std::size_t cells = 24;
    const double part = std::clamp(seconds_ / limit_, 0.0, 1.0);
    const auto full = static_cast<std::size_t>(part * cells);
    line = fmt::format("{:<32} {:#<{}}{:-<{}} {:.1f}/{:.1f} s", line, "", full, "", cells - full,
                       seconds_, limit_);
  }
  line.resize(std::min(line.size(), columns(out_)));
  put(style_.colour ? fmt::format("{}\x1b[36m{}\x1b[0m", erase_line, line) : erase_line + line);
  drawn_ = true;
  last_draw_ = std::chrono::steady_clock::now();
}

void Progress::put(const std::string& text) {
  if (!out_ || would_block(out_)) return;
  std::fwrite(text.data(), 1, text.size(), out_);
  std::fflush(out_);
}

void give_last_message(const std::string& program, const std::string& message) noexcept {
  std::fprintf(stderr, "%s: %s\n", program.c_str(), message.c_str());
  std::fflush(stderr);
  const char* const name = std::getenv(message_file_variable);
  std::FILE* const file = name ? std::fopen(name, "w") : nullptr;
  if (!file) return;  // standard error has the message
  std::fwrite(message.data(), 1, message.size(), file);
  std::fclose(file);
}

}  // namespace trilane
