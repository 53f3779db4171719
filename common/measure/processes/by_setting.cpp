#include "common/measure/processes/by_setting.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/explain/analysis/verdict/derive.hpp"
#include "common/measure/processes/merge.hpp"

namespace trilane {

std::vector<std::string> arguments_of(const Setting& setting) {
  return {fmt::format("--host-memory={}", name_of(setting.host_memory)),
          fmt::format("--wait={}", name_of(setting.wait))};
}

std::vector<std::string> line_of_process(std::vector<std::string> arguments, std::uint64_t seed,
                                         double seconds) {
  arguments.push_back(fmt::format("--seed={}", seed));
  arguments.push_back("--processes=1");
  arguments.push_back(fmt::format("--time={:.0f}us", std::max(1.0, seconds * 1e6)));
  return arguments;
}

std::vector<std::vector<std::string>> command_lines(const ProcessRequest& request,
                                                    std::uint64_t first_seed) {
  std::vector<std::vector<std::string>> lines;
  for (std::uint32_t process = 0; process < request.count; ++process) {
    for (const Setting& setting : request.settings) {
      std::vector<std::string> arguments = request.arguments;
      for (const std::string& argument : arguments_of(setting)) arguments.push_back(argument);
      lines.push_back(line_of_process(std::move(arguments), first_seed + process, request.seconds));
    }
  }
  return lines;
}

Results merged_by_setting(std::span<const Results> of_processes, std::size_t settings) {
  std::vector<Results> by_setting;
  std::size_t workloads = 0;
  for (std::size_t setting = 0; setting < std::min(settings, of_processes.size()); ++setting) {
    std::vector<Results> all;
    for (std::size_t i = setting; i < of_processes.size(); i += settings) {
      all.push_back(of_processes[i]);
    }
    by_setting.push_back(merged(all));
    workloads = std::max(workloads, by_setting.back().comparisons.size());
  }
  Results results{
      .context = merged_context(by_setting), .answers = {}, .doubts = {}, .comparisons = {}};
  for (std::size_t i = 0; i < workloads; ++i) {
    for (const Results& one : by_setting) {
      if (i < one.comparisons.size()) results.comparisons.push_back(one.comparisons[i]);
    }
  }
  derive_answers(results);
  return results;
}

}  // namespace trilane
