// The places of values in a JSON text, which the parser does not report; measured times there.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// The bytes of a value, from its first to just after its last.
struct TextSpan {
  std::size_t begin, end;
};

/// The places of all values of a text: ".stages[2].grid[0]", made of the steps of misfit.hpp.
class Places {
 public:
  /// `text` must be JSON that parsed() has accepted, and must outlive this.
  explicit Places(const std::string& text);

  /// Returns the line, from 1, on which the value or the nearest one around the place begins.
  std::size_t line_of(std::string_view place) const;

  /// Throws std::out_of_range if there is no such value.
  TextSpan span_of(const std::string& place) const { return spans_.at(place); }

 private:
  const std::string& text_;
  std::map<std::string, TextSpan, std::less<>> spans_;
};

/// Returns the line, from 1, of a byte of the text.
std::size_t line_of_byte(std::string_view text, std::size_t byte);

/// The times of a pipeline file's kernels for a full chunk, in microseconds.
struct KernelTimes {
  std::vector<double> stages;   ///< of each kernel stage, in the order of the file
  std::optional<double> fused;  ///< of the "fused" kernel, if the file has one
};

/// Returns the text of a pipeline file with each kernel's time as its "time_us", to four digits,
/// and otherwise unchanged, byte for byte. pipeline_in() must accept `text`. Throws
/// std::invalid_argument unless there is one time for each kernel of the file.
std::string with_times(const std::string& text, const KernelTimes& times);

}  // namespace trilane
