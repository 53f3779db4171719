#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "common/commands/options/option_parts.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

void check_axes(const Given& given, const std::vector<std::string>& texts,
                const SweepRequest& request) {
  if (request.columns.knob == request.rows.knob) {
    refuse("sweep", texts[1],
           fmt::format("sweeps {} a second time; name another knob", request.rows.knob));
  }
  for (const std::string& knob : {request.columns.knob, request.rows.knob}) {
    const std::string opposite = knob == "kernel-time" ? "rounds"
                                 : knob == "rounds"    ? "kernel-time"
                                                       : knob;
    for (const std::string& option : {knob, opposite}) {
      given.forbid(option, fmt::format("the sweep gives {} in every cell; leave one out", knob));
    }
    if (opposite != knob && (request.columns.knob == opposite || request.rows.knob == opposite)) {
      refuse("sweep", texts[1],
             "kernel-time finds the rounds that the other knob gives; leave one out");
    }
  }
}

/// The words that define the map: not the time limit and the file's name.
std::string command_of(const Given& given) {
  std::string command = fmt::format("{}", fmt::join(given.operands(), " "));
  for (const auto& [name, text] : given.all()) {
    if (name == "json" || name == "force" || name == "time") continue;
    command += fmt::format(" --{}{}{}", name, text.empty() ? "" : " ", text);
  }
  return command;
}

}  // namespace

SweepRequest read_sweep(const Given& given) {
  const std::vector<std::string>& texts = given.operands();
  SweepRequest request{
      .columns = parse_axis("sweep", texts[0]),
      .rows = parse_axis("sweep", texts[1]),
      .base = sweep_base(given),
      .knobs = read_knobs(given),
      .kernel_time_us = given.time_us("kernel-time", max_kernel_time_us).value_or(0),
      .command = command_of(given)};
  check_axes(given, texts, request);
  return request;
}

std::vector<std::string> main_variants(const std::vector<std::string>& known) {
  const std::vector<std::string> main{"streams", "engines",       "graph",       "graph_coalesced",
                                      "pool",    "graph_kernels", "graph_fused", "fused"};
  std::vector<std::string> chosen;
  std::ranges::copy_if(known, std::back_inserter(chosen), [&](const std::string& name) {
    return std::ranges::find(main, name) != main.end();
  });
  return chosen.empty() ? known : chosen;
}

}  // namespace trilane
