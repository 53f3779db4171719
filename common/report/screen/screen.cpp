#include "common/report/screen/screen.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/analysis/statistics/paired_ratio.hpp"
#include "common/analysis/verdict/answers.hpp"
#include "common/analysis/verdict/doubts.hpp"
#include "common/analysis/verdict/verdict.hpp"
#include "common/analysis/verdict/winners.hpp"
#include "common/report/screen/screen_parts.hpp"
#include "common/results/find.hpp"
#include "common/text/layout.hpp"
#include "common/text/words.hpp"

namespace trilane {
namespace {

std::string machine(const Context& context) {
  if (!context.simulated.empty()) return fmt::format("Simulated {}", context.simulated);
  return fmt::format("{}, driver {}, CUDA {}", value_of(context.gpu, "name"),
                     value_of(context.gpu, "driver_version"),
                     value_of(context.gpu, "cuda_runtime_version"));
}

/// "Every result was right.", or what was not.
std::string outcome(const Results& results) {
  std::vector<std::string> failed, not_run;
  for (const Comparison& comparison : results.comparisons) {
    for (const Measurement& m : comparison.measurements) {
      const std::string name = fmt::format("{} on {}", m.variant, comparison.workload.label());
      if (m.status == Status::failed) failed.push_back(name);
      if (m.status == Status::not_run) not_run.push_back(name);
    }
  }
  std::string text;
  if (!failed.empty()) text += fmt::format(" FAILED: {}.", listed(failed));
  if (!not_run.empty()) text += fmt::format(" Not run: {}.", shortened(not_run));
  return text.empty() ? " Every result was right." : text;
}

std::string first_line(const Results& results) {
  std::size_t variants = 0;
  double seconds = 0;
  for (const Comparison& comparison : results.comparisons) {
    variants = std::max(variants, comparison.measurements.size());
    seconds += comparison.seconds;
  }
  return screen_line(fmt::format("{}: {}, {}, {:.0f} s.{}", machine(results.context),
                                  counted(results.comparisons.size(), "workload"),
                                  counted(variants, "variant"), seconds, outcome(results)));
}

std::string answer_lines(const Results& results) {
  std::string text;
  for (const auto& [question, answer] : answers_to(results.comparisons)) {
    text += labelled_line(question, answer);
  }
  return text;
}

std::string doubt_lines(const Results& results) {
  std::string text;
  const char* label = "Doubtful:";
  for (const std::string& doubt : doubts_about(results)) {
    text += labelled_line(std::exchange(label, ""), doubt);
  }
  return text;
}

}  // namespace

std::string screen(const Results& results, const std::string& more) {
  const bool one = results.comparisons.size() == 1;
  std::string text = first_line(results) + "\n";
  text += one ? variant_rows(results.comparisons.front()) : workload_rows(results.comparisons);
  text += "\n";
  if (one) text += labelled_line("Use:", advice_line(results.comparisons.front()));
  text += answer_lines(results) + doubt_lines(results);
  if (!more.empty()) text += labelled_line("More:", more);
  return text;
}

std::string answers_only(const Results& results) {
  std::string text;
  for (const Comparison& comparison : results.comparisons) {
    text += fmt::format("{}: {}\n", comparison.workload.label(), advice_line(comparison));
  }
  for (const auto& [question, answer] : answers_to(results.comparisons)) {
    text += fmt::format("{} {}\n", question, answer);
  }
  return text;
}

}  // namespace trilane
