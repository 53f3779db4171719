// A progress display.
#pragma once

#include <chrono>
#include <cstdio>

#include "common/std.hpp"

namespace trilane {

/// The style of progress on a stream.
struct ProgressStyle {
  bool terminal = false;  ///< redraw one line; otherwise print a line per state
  bool colour = false;
};

/// Returns the style for `out`: in place on a terminal that is not "dumb", in colour unless
/// NO_COLOR is set and not empty.
ProgressStyle style_for(std::FILE* out);

/// Shows the progress of a run over presets: on a terminal, in a line that is redrawn; elsewhere,
/// in a line for each finished preset. Call it only between turns. It never waits: it skips updates
/// while the stream would block.
class Progress {
 public:
  Progress(std::FILE* out, std::size_t presets) : Progress(out, presets, style_for(out)) {}
  Progress(std::FILE* out, std::size_t presets, ProgressStyle style);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
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

}  // namespace trilane
