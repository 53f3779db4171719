#include "common/commands/options/loop_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text/choice.hpp"
#include "common/model/workload/knobs.hpp"

namespace trilane {
namespace {

constexpr double longest_item_us = 100e3;
/// A file holds all samples of this many, see most_samples and most_json_values.
constexpr std::size_t most_combinations = 24;

using ParseTime = double (*)(const std::string&, const std::string&);

double parse_kernel_time(const std::string& option, const std::string& text) {
  return parse_time_us(option, text, 0, longest_item_us);
}

double parse_analysis_time(const std::string& option, const std::string& text) {
  return text == "none" ? 0 : parse_time_us(option, text, 0, longest_item_us);
}

std::vector<double> parse_times(const std::string& option, const std::string& text,
                                ParseTime parse) {
  std::vector<double> times;
  for (const std::string& part : split(text, ',')) {
    times.push_back(parse(option, part));
    if (std::ranges::count(times, times.back()) > 1) {
      refuse(option, part, "is given more than once; leave one out");
    }
  }
  return times;
}

std::vector<Loop> named_loops(const Given& given) {
  const std::vector<Loop>& all = loop_presets();
  std::vector<std::string> names;
  for (const Loop& loop : all) names.push_back(loop.name);
  std::vector<Loop> some;
  for (const std::string& name : given.operands()) {
    some.push_back(all[parse_choice("loop", name, names)]);
  }
  return some.empty() ? all : some;
}

}  // namespace

std::vector<Loop> chosen_loops(const Given& given) {
  const auto kernels = given.read("kernel-time", parse_times, parse_kernel_time);
  const auto analyses = given.read("analysis-time", parse_times, parse_analysis_time);
  std::vector<Loop> all;
  for (Loop loop : named_loops(given)) {
    loop.lanes = given.count<std::uint32_t>("lanes", 1, max_lanes).value_or(loop.lanes);
    for (const double kernel_us : kernels.value_or(std::vector{loop.kernel_us})) {
      for (const double analysis_us : analyses.value_or(std::vector{loop.analysis_us})) {
        loop.kernel_us = kernel_us;
        loop.analysis_us = analysis_us;
        all.push_back(loop);
      }
    }
  }
  if (all.size() > most_combinations) {
    throw UsageError(fmt::format(
        "{} combinations of loop, kernel time and analysis time are more than {}; name fewer",
        all.size(), most_combinations));
  }
  return all;
}

}  // namespace trilane
