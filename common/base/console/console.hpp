// Everything that a program prints, shows and writes.
#pragma once

#include "common/base/console/output_file.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

/// An environment variable through which a parent process names a file for the bare message.
inline constexpr const char* message_file_variable = "TRILANE_MESSAGE_FILE";

/// Prints "PROGRAM: MESSAGE" to standard error, and writes the message to a parent's file.
void give_last_message(const std::string& program, const std::string& message) noexcept;

/// The style of progress on a stream.
struct ProgressStyle {
  bool terminal = false;  ///< redraw one line; otherwise print a line per state
  bool colour = false;
};

/// Returns the style for `out`: in place on a terminal that is not "dumb", colour unless NO_COLOR.
ProgressStyle style_for(std::FILE* out);

/// Shows the progress of a run over presets: on a terminal, in a line that is redrawn; elsewhere,
/// in a line for each finished preset. Call it only between turns. It never waits: it skips updates
/// while the stream would block.
class Progress : boost::noncopyable {
 public:
  Progress(std::FILE* out, std::size_t presets) : Progress(out, presets, style_for(out)) {}
  Progress(std::FILE* out, std::size_t presets, ProgressStyle style);
  ~Progress() { clear(); }

  /// Starts the next preset.
  void start(const std::string& label);
  /// Shows the current phase: "checking", "measuring".
  void phase(const std::string& text);
  /// Shows elapsed seconds of the phase, and their maximum. Redrawn at most every 100 ms.
  void advance(double seconds, double limit);
  /// Ends the preset: erases the line on a terminal, and elsewhere writes one with `text`.
  void done(const std::string& text);

  /// Erases the line, so that other output can follow; the next update redraws it.
  void clear();

 private:
  void draw();
  void put(const std::string& text);

  std::FILE* out_;
  std::size_t presets_, preset_ = 0;
  ProgressStyle style_;
  std::string label_, phase_;
  double seconds_ = 0, limit_ = 0;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_draw_;
};

/// A file requested by an option.
struct Output {
  std::string option, path;              ///< as in OutputFile
  std::function<std::string()> content;  ///< returns the current content; empty: none to write
};

/// Owns standard output, the progress display and the output files: the only exit for results. An
/// output that cannot be written is reported once, and the others are still written.
class Console {
 public:
  /// Checks that every output can be written, see OutputFile. Throws UsageError.
  explicit Console(std::vector<Output> outputs = {}, bool force = false);

  /// Writes a line to standard error, after the program's name.
  void complain(const std::string& line);

  /// Writes a text to standard error, for programs whose standard output is another's.
  void tell(const std::string& text);

  /// Prints each warning on a line. Call it after the last possible refusal, which stands alone.
  void warn(const std::vector<std::string>& warnings);

  /// Writes the files. Call it after every step, so that an interrupted run keeps its results.
  void keep();

  /// Writes every output, then `text` for people: to standard output, or to standard error if an
  /// output goes to standard output. Call it once, because standard output cannot be replaced.
  /// Returns exit_output if any of it could not be written, otherwise exit_ok.
  ExitCode finish(const std::string& text = "");

  /// Returns true if keep() writes anything.
  bool has_files() const;

  /// Starts to show progress over that many steps on standard error, unless another one does.
  Progress& expect(std::size_t steps, bool shown = true);

 private:
  struct Written {
    OutputFile file;
    std::function<std::string()> content;
    bool failed = false, complained = false;
  };

  void write(Written& output);
  /// Returns true if `action` succeeded; reports an exception, once for each `complained`.
  bool attempt(const std::function<void()>& action, bool& complained);

  std::vector<Written> outputs_;
  bool stdout_is_taken_ = false;
  std::optional<Progress> progress_;
};

}  // namespace trilane
