// How far the run is, for the person waiting for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace trilane {

/// How progress is shown on a stream.
struct ProgressStyle {
  bool terminal = false;  ///< one line, redrawn in place; otherwise a line per state
  bool colour = false;
};

/// What suits `out`: in place on a terminal that is not "dumb", in colour unless NO_COLOR is set
/// to anything but nothing.
ProgressStyle style_for(std::FILE* out);

/// Shows the progress of a run over presets. Call it between turns only. It never waits: where
/// the stream would block, an update is left out.
class Progress {
 public:
  Progress(std::FILE* out, std::size_t presets) : Progress(out, presets, style_for(out)) {}
  Progress(std::FILE* out, std::size_t presets, ProgressStyle style);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// The next preset begins.
  void start(const std::string& label);
  /// What is going on in it: "checking", "measuring".
  void phase(const std::string& text);
  /// The seconds of the phase that are over, and how many there are at most; redrawn in place
  /// every 100 ms at most, and not shown where every state has its line.
  void advance(double seconds, double limit);
  /// The preset is over, with what result.
  void done(const std::string& text);

  /// Takes the line away, so that other output can follow; the next update draws it again.
  void clear();

 private:
  void show(const std::string& state);
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
