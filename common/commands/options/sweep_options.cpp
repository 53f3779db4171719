#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/commands/options/run_options.hpp"
#include "common/model/variant/variant.hpp"

namespace trilane {
namespace {

void check_axes(const Given& given, const std::vector<std::string>& texts,
                const SweepRequest& request) {
  std::vector<std::string> knobs{request.columns.knob};
  if (request.rows) {
    if (request.rows->knob == knobs.front()) {
      refuse("sweep", texts[1],
             fmt::format("sweeps {} a second time; name another knob", knobs.front()));
    }
    knobs.push_back(request.rows->knob);
  }
  for (const std::string& knob : knobs) {
    const std::string opposite = knob == "kernel-time" ? "rounds"
                                 : knob == "rounds"    ? "kernel-time"
                                                       : knob;
    for (const std::string& option : {knob, opposite}) {
      given.forbid(option, fmt::format("the sweep gives {} its values; leave one out", knob));
    }
    if (opposite != knob && includes(knobs, opposite)) {
      refuse("sweep", texts[1],
             "kernel-time chooses the rounds that the other knob sets; leave one out");
    }
  }
}

/// Returns the words that define the map, without time, number of measurements and file.
std::string command_of(const Given& given) {
  constexpr std::array others{"json", "force", "time", "processes", "markdown"};
  std::string command = fmt::format("{}", fmt::join(given.operands(), " "));
  for (const auto& [name, text] : given.all()) {
    if (includes(others, name)) continue;
    command += fmt::format(" --{}{}{}", name, text.empty() ? "" : " ", text);
  }
  return command;
}

}  // namespace

SweepRequest read_sweep(const Given& given) {
  const std::vector<std::string>& texts = given.operands();
  SweepRequest request{
      .columns = parse_axis("sweep", texts[0]),
      .base = sweep_base(given),
      .knobs = read_knobs(given),
      .kernel_time_us = given.time_us("kernel-time", max_kernel_time_us).value_or(0),
      .command = command_of(given)};
  if (texts.size() > 1) request.rows = parse_axis("sweep", texts[1]);
  check_axes(given, texts, request);
  return request;
}

std::vector<std::string> main_variants(const std::vector<std::string>& known) {
  const std::vector<std::string> main{"streams",         "engines",     "graph",
                                      "graph_coalesced", "batch",       "pool",
                                      "graph_kernels",   "graph_fused", "fused"};
  std::vector<std::string> chosen;
  std::ranges::copy_if(known, std::back_inserter(chosen),
                       [&](const std::string& name) { return includes(main, name); });
  return chosen.empty() ? known : chosen;
}

std::optional<std::vector<std::string>> variants_of_tier(const Given& given) {
  // In the order of the tiers, twice: abbreviated, and as results files and pages have it.
  const std::vector<std::string> words{"same", "moved", "rewritten", "same operations",
                                       "moved together"};
  const auto text = given.text("tier");
  if (!text) return std::nullopt;
  given.forbid("variant", "names variants, and --tier a whole tier; leave one out");
  const auto& tiers = enumerators<Tier>;
  const Tier tier = tiers[parse_choice("--tier", *text, words) % tiers.size()];
  std::vector<std::string> names = names_of_tier(tier);
  if (names.empty()) {
    refuse("--tier", *text, "has no variant in this program; name some with --variant");
  }
  return names;
}

}  // namespace trilane
