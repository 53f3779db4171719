// Reads and checks users' pipeline files, has one to start from, and writes measured times there.
#pragma once

#include "common/model/workload/workload.hpp"

namespace trilane {

/// The largest pipeline file.
inline constexpr std::size_t most_pipeline_bytes = std::size_t{1} << 20;

/// The content of a pipeline file.
struct PipelineFile {
  std::string name;  ///< the file's stem unless it states one
  Pipeline pipeline;
  std::optional<std::uint32_t> lanes;
  std::optional<Order> order;
};

/// Reads only the pipeline file: it does not open or look for the files that it names. The pipeline
/// is complete and sound: its expressions, limits, data and order are checked for both numbers of
/// items. Throws UsageError of one line: file, line, what is wrong there, and the remedy.
PipelineFile read_pipeline(const std::filesystem::path& path);

/// Reads the text of such a file.
PipelineFile pipeline_in(const std::string& text, const std::filesystem::path& path);

/// Returns the path of a file that the pipeline file names, perhaps relative to its folder.
std::filesystem::path path_beside(const Pipeline& pipeline, const std::string& file);

/// Returns the text of a pipeline file that shows most of the format. Its kernels do not exist.
std::string example_pipeline();

/// Throws a Misfit with its place in the file if a buffer is unused or read before it is written,
/// or nothing is output; if `after` omits a stage that the data needs, a fused kernel does not do
/// what the stages do, an expression exceeds its limits, or a pass is too large.
void require_sound(const Pipeline& pipeline);

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
