#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/commands/options/option_parts.hpp"

namespace trilane {
namespace {

Mode read_mode(const Given& given) {
  const auto name = given.one_of("mode", {"latency", "throughput"});
  return name == "throughput" ? Mode::throughput : Mode::latency;
}

void read_measuring(const Given& given, ComparisonSettings& comparison) {
  comparison.mode = read_mode(given);
  comparison.seed = given.count("seed", std::uint64_t{0}, std::uint64_t{1} << 63).value_or(1);
  comparison.precision = given.share("precision", 1e-5, 1).value_or(comparison.precision);
  const auto time_us = given.time_us("time", 24 * 3600e6);
  if (time_us) comparison.seconds = *time_us / 1e6;
}

OutputOptions read_outputs(const Given& given) {
  const OutputOptions outputs{.json = given.output("json"),
                              .csv = given.output("csv"),
                              .trace = given.output("trace"),
                              .force = given.has("force")};
  check_files({{"--json", outputs.json}, {"--csv", outputs.csv}, {"--trace", outputs.trace}},
              {{"--profile", given.text("profile").value_or("")}});
  return outputs;
}

/// On the simulated device a prediction takes one pass, unless --check asks for all.
Effort read_effort(const Given& given, const Caller& caller) {
  if (!caller.simulated || given.has("check")) return Effort::measure;
  given.forbid("prove-break-even", "needs --check, because a prediction is one pass; add it");
  return Effort::predict;
}

}  // namespace

std::vector<std::string> arguments_of_child(const Given& given, const char* command) {
  constexpr std::array own{"processes", "time", "host-memory", "wait",
                           "seed",      "json", "csv",         "force"};
  std::vector<std::string> words{command};
  words.insert(words.end(), given.operands().begin(), given.operands().end());
  for (const auto& [name, text] : given.all()) {
    if (std::ranges::find(own, name) != own.end()) continue;
    words.push_back(text.empty() ? "--" + name : fmt::format("--{}={}", name, text));
  }
  return words;
}

std::uint32_t read_processes(const Given& given, const Caller& caller) {
  return given.count("processes", 1u, 1000u).value_or(caller.simulated ? 1 : 5);
}

DeviceOptions read_device(const Given& given) {
  return {
      .number = given.count("device", 0, 1023).value_or(0),
      .profile = given.text_or_refuse("profile", "names no file; give one"),
      .fault = given.text_or_refuse("fault", "is not a fault; write NUMBER=CODE, like 100=700")};
}

ShowOptions read_show(const Given& given) {
  return {.quiet = given.has("quiet"), .markdown = given.has("markdown")};
}

void read_rest(const Given& given, const Caller& caller, const char* command, RunOptions& options,
               std::uint32_t processes) {
  read_measuring(given, options.comparison);
  options.comparison.effort = read_effort(given, caller);
  options.device = read_device(given);
  options.show = read_show(given);
  options.outputs = read_outputs(given);
  options.processes = {.count = given.count("processes", 1u, 1000u).value_or(processes),
                       .settings = chosen_settings(given),
                       .arguments = arguments_of_child(given, command)};
  options.processes.seconds = options.comparison.seconds / options.processes.count;
  options.comparison.wait = options.processes.settings.front().wait;
}

}  // namespace trilane
