#include "common/results/report_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "common/options/size.hpp"
#include "common/results/markdown.hpp"
#include "common/results/statistics.hpp"

namespace trilane {
namespace {

/// The median wall time of each process.
std::vector<double> medians(const Measurement& m) {
  std::map<std::uint32_t, std::vector<double>> walls;
  for (const Sample& sample : m.samples) walls[sample.process].push_back(sample.wall_us);
  std::vector<double> medians;
  for (const auto& [process, of_process] : walls) medians.push_back(quantile(of_process, 0.5));
  return medians;
}

}  // namespace

std::string process_notes(const Comparison& comparison) {
  if (comparison.processes < 2) return {};
  constexpr std::uint32_t few = 6;
  std::string text = fmt::format(
      "Intervals over {} processes: Student's t with {} {} of freedom, over their mean ratios.{} "
      "Set-up is the median of the processes, the limit that of the fastest.",
      comparison.processes, comparison.processes - 1,
      comparison.processes == 2 ? "degree" : "degrees",
      comparison.processes < few ? " With so few they are wide." : "");
  std::string spread;
  for (const Measurement& m : comparison.measurements) {
    if (m.status != Status::ok || m.samples.empty()) continue;
    const auto [least, most] = std::ranges::minmax(medians(m));
    spread += fmt::format("{} {} {} to {}", spread.empty() ? "" : ",", m.variant, format_us(least),
                          format_us(most));
  }
  text = bullet(text);
  if (!spread.empty()) text += bullet("Medians of the processes in us:" + spread + ".");
  return text;
}

}  // namespace trilane
