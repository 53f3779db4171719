#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <vector>

#include "common/analysis/statistics/statistics.hpp"
#include "common/report/report_parts.hpp"
#include "common/text/markdown.hpp"
#include "common/text/size.hpp"
#include "common/text/words.hpp"

namespace trilane {

std::string process_notes(const Comparison& comparison) {
  if (comparison.processes < 2) return {};
  constexpr std::uint32_t few = 6;
  std::string text = fmt::format(
      "Intervals over {} processes: Student's t with {} of freedom, over their mean ratios.{} "
      "Set-up is the median of the processes, the limit that of the fastest.",
      comparison.processes, counted(comparison.processes - 1, "degree"),
      comparison.processes < few ? " With so few they are wide." : "");
  std::vector<std::string> spreads;
  for (const Measurement& m : comparison.measurements) {
    if (m.status != Status::ok || m.samples.empty()) continue;
    const auto medians = process_medians(m.samples);
    const auto [least, most] = std::ranges::minmax(std::views::values(medians));
    spreads.push_back(fmt::format("{} {} to {}", m.variant, format_us(least), format_us(most)));
  }
  text = bullet(text);
  if (spreads.empty()) return text;
  return text +
         bullet(fmt::format("Medians of the processes in us: {}.", fmt::join(spreads, ", ")));
}

}  // namespace trilane
