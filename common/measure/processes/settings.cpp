#include "common/measure/processes/settings.hpp"

#include "common/explain/analysis/verdict/derive.hpp"
#include "common/measure/processes/merge.hpp"

namespace trilane {

std::vector<std::string> arguments_of(const Setting& setting) {
  std::vector<std::string> words{fmt::format("--host-memory={}", name_of(setting.host_memory)),
                                 fmt::format("--wait={}", name_of(setting.wait)),
                                 fmt::format("--device={}", fmt::join(setting.devices, ","))};
  if (setting.together) words.push_back(fmt::format("--together={}", name_of(*setting.together)));
  return words;
}

std::vector<std::string> line_of_process(std::vector<std::string> arguments, std::uint64_t seed,
                                         double seconds) {
  arguments.push_back(fmt::format("--seed={}", seed));
  arguments.push_back("--processes=1");
  arguments.push_back(fmt::format("--time={:.0f}us", std::max(1.0, seconds * 1e6)));
  return arguments;
}

std::vector<ProcessLine> command_lines(const ProcessRequest& request, std::uint64_t first_seed) {
  std::vector<ProcessLine> lines;
  for (std::uint32_t process = 0; process < request.count; ++process) {
    for (const Setting& setting : request.settings) {
      std::vector<std::string> arguments = request.arguments;
      for (const std::string& argument : arguments_of(setting)) arguments.push_back(argument);
      const std::uint32_t together = setting.devices.size() > 1 ? 1 : setting.gpus;
      lines.push_back(
          {line_of_process(std::move(arguments), first_seed + process, request.seconds), together});
    }
  }
  return lines;
}

namespace {

/// Returns the results with the comparisons of one GPU alone.
Results on_device(Results results, int device, std::uint32_t gpus) {
  std::erase_if(results.comparisons, [&](const Comparison& comparison) {
    return comparison.placement && comparison.placement->device != static_cast<unsigned>(device);
  });
  for (Comparison& comparison : results.comparisons) {
    if (comparison.placement) comparison.placement->beside = gpus - 1;
  }
  return results;
}

}  // namespace

Results merged_by_setting(std::span<const Results> of_processes,
                          std::span<const std::size_t> numbers,
                          const std::vector<Setting>& settings) {
  std::vector<Results> by_setting;
  std::size_t workloads = 0;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const bool each = settings[i].together.has_value();  // otherwise passes may be split over all
    for (const int device :
         std::span(settings[i].devices).first(each ? settings[i].devices.size() : 1)) {
      std::vector<Results> all;
      for (std::size_t k = 0; k < of_processes.size(); ++k) {
        if (numbers[k] % settings.size() != i) continue;
        all.push_back(on_device(of_processes[k], device, settings[i].gpus));
      }
      if (all.empty()) continue;
      by_setting.push_back(merged(all));
      workloads = std::max(workloads, by_setting.back().comparisons.size());
    }
  }
  Results results{.context = merged_context(by_setting)};
  for (std::size_t i = 0; i < workloads; ++i) {
    for (const Results& one : by_setting) {
      if (i < one.comparisons.size()) results.comparisons.push_back(one.comparisons[i]);
    }
  }
  derive_answers(results);
  return results;
}

}  // namespace trilane
