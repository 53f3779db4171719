#include <fmt/format.h>

#include <boost/algorithm/string/replace.hpp>
#include <cmath>
#include <iterator>
#include <stdexcept>

#include "common/model/results/results_io.hpp"

namespace trilane {
namespace {

/// Quotes a field that contains a separator, and doubles quotes inside it (RFC 4180).
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  return '"' + boost::replace_all_copy(text, "\"", "\"\"") + '"';
}

std::string field(double us) {
  if (!std::isfinite(us)) {
    throw std::invalid_argument(fmt::format("a sample holds a time of {}", us));
  }
  return fmt::format("{:.3f}", us);
}

std::string predecessor(const Comparison& comparison, const Measurement& own,
                        const Sample& sample) {
  if (sample.after >= comparison.measurements.size()) return {};
  const Measurement& before = comparison.measurements[sample.after];
  return &before == &own ? std::string() : field(before.variant);
}

}  // namespace

std::string to_csv(const Results& results) {
  std::string csv =
      "preset,variant,status,process,round,after,submit_us,device_us,wall_us,simulated\n";
  for (const Comparison& comparison : results.comparisons) {
    for (const Measurement& m : comparison.measurements) {
      const auto start = fmt::format("{},{},{}", field(comparison.workload.label()),
                                     field(m.variant), name_of(m.status));
      const auto end = field(results.context.simulated) + '\n';
      if (m.samples.empty()) csv += start + ",,,,,,," + end;
      for (const Sample& sample : m.samples) {
        fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{}", start, sample.process,
                       sample.round, predecessor(comparison, m, sample), field(sample.submit_us),
                       field(sample.device_us), field(sample.wall_us), end);
      }
    }
  }
  return csv;
}

}  // namespace trilane
