#include "common/analysis/verdict/verdict.hpp"
#include "common/report/report.hpp"

namespace trilane {

std::string table(const Comparison& comparison, const std::string& simulated) {
  Page page = times_page(comparison, simulated);
  if (comparison.limit) append(page, bounds_page(comparison));
  append(page, setup_page(comparison));
  page.push_back(Paragraph{verdict(comparison, simulated)});
  return as_markdown(page);
}

std::string plan_table(const Workload& workload, const std::string& variant, const Plan& plan) {
  return as_markdown(plan_page(workload, variant, plan));
}

std::string series_section(std::span<const Comparison> comparisons, const std::string& simulated) {
  return as_markdown(series_page(comparisons, simulated));
}

std::string settings_section(std::span<const Comparison> comparisons,
                             const std::string& simulated) {
  return as_markdown(settings_page(comparisons, simulated));
}

std::string timeline_section(const Comparison& comparison, const std::string& simulated) {
  return as_markdown(timeline_page(comparison, simulated));
}

std::string aa_table(const Results& results) { return as_markdown(aa_page(results)); }

}  // namespace trilane
