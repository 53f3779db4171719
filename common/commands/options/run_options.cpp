#include "common/commands/options/run_options.hpp"

#include "common/base/text/words.hpp"
#include "common/commands/options/what_if.hpp"
#include "common/measure/gpu/runtime/device.hpp"

namespace trilane {
namespace {

/// Refuses options that only one process can have, and those that would give processes different
/// work, if `option` runs several.
void check_merging(const Given& given, const std::string& option) {
  given.forbid("kernel-time", "each process would choose different rounds; give --rounds instead");
  given.forbid("trace",
               fmt::format("traces one process, but --{} runs several; leave one out", option));
  for (const char* other : {"repeat", "prove-break-even"}) {
    if (!given.has(other)) continue;
    given.forbid(option, fmt::format("runs several processes, but --{} one; leave one out", other));
  }
}

void check_rounds(const Given& given) {
  if (!given.has("rounds")) return;
  given.forbid("kernel-time",
               fmt::format("chooses the rounds, but --rounds {} sets them; leave one out",
                           in_quotes(*given.text("rounds"))));
}

/// Options that name a setting, or several to compare.
constexpr std::array setting_options{"host-memory", "wait", "device"};

/// Refuses what several processes cannot do, if --processes or several settings ask for them.
void check_processes(const Given& given) {
  if (given.count("processes", 1u, 1000u).value_or(1) > 1) check_merging(given, "processes");
  if (given.has("split")) check_merging(given, "split");
  if (given.text("device") == "all") check_merging(given, "device");
  for (const char* option : setting_options) {
    const std::string text = given.text(option).value_or("");
    if (text.find(',') != std::string::npos) check_merging(given, option);
  }
}

/// Refuses several settings, for commands that compare none.
void check_one_setting(const Given& given) {
  for (const char* option : setting_options) {
    if (given.text(option).value_or("").find(',') != std::string::npos)
      given.forbid(option, "names several; give one, or compare them with trilane run");
  }
  if (names_several_devices(given)) {
    given.forbid("device", "names several; give one, or compare them with trilane run");
  }
}

void read_measuring(const Given& given, ComparisonSettings& comparison) {
  comparison.mode = given.one_of<Mode>("mode", {"latency", "throughput"}).value_or(Mode::latency);
  comparison.seed = given.count("seed", std::uint64_t{0}, std::uint64_t{1} << 63).value_or(1);
  comparison.precision = given.share("precision", 1e-5, 1).value_or(comparison.precision);
  const auto time_us = given.time_us("time", 24 * 3600e6);
  if (time_us) comparison.seconds = *time_us / 1e6;
}

OutputOptions read_outputs(const Given& given) {
  const OutputOptions outputs{.json = given.output("json"),
                              .csv = given.output("csv"),
                              .trace = given.output("trace"),
                              .force = given.has("force"),
                              .name_node = given.has("name-node")};
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

/// Enough for the minimum of 20 rounds: a round of two variants with passes of 1 ms takes 18 ms.
constexpr double short_comparison_seconds = 0.4;
/// Processes differ by more than the passes of one. So there are as many as fit into a minute, with
/// turns as short as possible: seven took 64 s for nine variants on six presets (H100).
constexpr std::uint32_t several_processes = 6;
constexpr double seconds_of_several = 2;
constexpr double map_seconds = 300, curve_seconds = 60;

/// Returns the chosen variants in the order of `known`.
std::vector<std::string> chosen_variants(const Given& given, std::vector<std::string> known,
                                         const std::vector<std::string>& by_default) {
  const auto named = given.some_of("variant", known);
  if (!named) return by_default;
  std::erase_if(known, [&](const std::string& name) { return !includes(*named, name); });
  return known;
}

std::string read_reference(const Given& given, const std::vector<std::string>& known,
                           const std::vector<std::string>& chosen) {
  const auto is_chosen = [&](const std::string& name) { return includes(chosen, name); };
  const auto place = given.read("reference", parse_choice, known);
  if (!place) return is_chosen("streams") ? "streams" : "";
  const std::string& name = known[*place];
  if (!is_chosen(name)) {
    refuse("--reference", name, "is not measured; add it to --variant or choose from {}",
           fmt::join(chosen, ", "));
  }
  return name;
}

/// Returns several policies; a single one belongs to the workload, see chosen_workloads().
std::vector<NamedPolicy> several_policies(const Given& given) {
  auto policies = given.read("pool", parse_policies).value_or(std::vector<NamedPolicy>{});
  if (policies.size() < 2) policies.clear();
  return policies;
}

ComparisonSettings read_variants(const Given& given, const std::vector<std::string>& known,
                                 const std::vector<std::string>& by_default) {
  ComparisonSettings comparison;
  comparison.variants = chosen_variants(given, known, by_default);
  comparison.reference = read_reference(given, known, comparison.variants);
  comparison.policies = several_policies(given);
  comparison.kernel_time_us = given.time_us("kernel-time", max_kernel_time_us).value_or(0);
  return comparison;
}

void read_trial(const Given& given, RunOptions& options) {
  constexpr double most_us = 86400e6;
  options.kernel_limit_us =
      given.time_us("kernel-limit", most_us).value_or(options.kernel_limit_us);
  for (const char* knob : {"size", "chunks", "chunk-size", "stride", "host-memory"}) {
    const auto text = given.text(knob);
    if (text) options.pipeline_knobs.push_back(fmt::format("--{}={}", knob, *text));
  }
}

/// Returns the number of processes of a comparison: enough for an interval over processes, or 1 if
/// there is nothing to compare or the request concerns one process.
std::uint32_t default_processes(const Given& given, const Caller& caller,
                                const RunOptions& options) {
  const bool compares = options.comparison.variants.size() > 1 ||
                        !options.comparison.policies.empty() || names_several_devices(given);
  if (caller.simulated || !compares) return 1;
  for (const char* one : {"kernel-time", "trace", "prove-break-even"}) {
    if (given.has(one)) return 1;
  }
  return several_processes;
}

RunOptions read_work(const Given& given, const Caller& caller) {
  check_rounds(given);
  RunOptions options;
  options.workloads = chosen_workloads(given);
  options.comparison = read_variants(given, caller.variants, caller.variants);
  read_trial(given, options);
  return options;
}

/// Puts each workload before the same one split over the devices.
void add_split(const std::vector<int>& devices, RunOptions& options) {
  if (devices.size() < 2) {
    throw UsageError(
        "--split: needs several GPUs; name them, such as --device 0,1, or leave it out");
  }
  for (const Workload& workload : std::exchange(options.workloads, {})) {
    if (workload.chunks() < 2) {
      throw UsageError("--split: {} has one chunk; choose more of them, or leave it out",
                       workload.label());
    }
    options.workloads.insert(options.workloads.end(), 2, workload);
    options.workloads.back().gpus.emplace(devices.begin(), devices.end());
  }
  options.comparison.gpus = options.workloads.back().gpus;
}

/// Reads everything except workloads and variants. `command` is that of a child process,
/// `processes` their number without --processes.
void read_rest(const Given& given, const Caller& caller, const char* command, RunOptions& options,
               std::uint32_t processes = 1) {
  read_measuring(given, options.comparison);
  options.comparison.effort = read_effort(given, caller);
  std::vector<Setting> settings = placed_settings(given, options.comparison.effort);
  options.device = read_device(given, settings.front().devices.front());
  options.show = read_show(given);
  options.outputs = read_outputs(given);
  options.processes = {.count = given.count("processes", 1u, 1000u).value_or(processes),
                       .settings = std::move(settings),
                       .arguments = arguments_of_child(given, command)};
  if (given.has("split")) add_split(options.processes.settings.front().devices, options);
  // Each setting names its own.
  std::erase_if(options.processes.arguments, [](const std::string& word) {
    return word.starts_with("--device=") || word.starts_with("--together=");
  });
  options.processes.seconds = options.comparison.seconds / options.processes.count;
  options.comparison.wait = options.processes.settings.front().wait;
}

}  // namespace

std::vector<std::string> arguments_of_child(const Given& given, const char* command) {
  constexpr std::array own{"processes", "time", "host-memory", "wait",
                           "seed",      "json", "csv",         "force"};
  std::vector<std::string> words{command};
  words.insert(words.end(), given.operands().begin(), given.operands().end());
  for (const auto& [name, text] : given.all()) {
    if (includes(own, name)) continue;
    words.push_back(text.empty() ? "--" + name : fmt::format("--{}={}", name, text));
  }
  return words;
}

std::uint32_t read_processes(const Given& given, const Caller& caller) {
  return given.count("processes", 1u, 1000u).value_or(caller.simulated ? 1 : 5);
}

DeviceOptions read_device(const Given& given, int number) {
  return {.number = number,
          .profile = given.text_or_refuse("profile", "names no file; give one"),
          .fault = given.text_or_refuse("fault", "is not a fault; write NUMBER=CODE, like 100=700"),
          .gpus = given.text_or_refuse("gpus", "is no number of GPUs; write it like 8 or 8,3=95%"),
          .change = what_if(given.text_or_refuse("set", "is no change; write in_gbps=110"))};
}

ShowOptions read_show(const Given& given) {
  return {.quiet = given.has("quiet"), .markdown = given.has("markdown")};
}

RunOptions read_trial_run(const Given& given) {
  RunOptions options;
  options.workloads = chosen_workloads(given);
  options.device = read_device(given);
  options.show = read_show(given);
  options.comparison.seed = given.count("seed", std::uint64_t{0}, UINT64_MAX).value_or(1);
  read_trial(given, options);
  return options;
}

RunOptions read_plan(const Given& given, const Caller& caller) {
  check_one_setting(given);
  return read_work(given, caller);
}

RunOptions read_run(const Given& given, const Caller& caller) {
  check_processes(given);
  RunOptions options = read_work(given, caller);
  options.comparison.prove_break_even = given.has("prove-break-even");
  if (options.comparison.reference.empty()) {
    given.forbid("prove-break-even",
                 "there is no reference to break even with; name one with --reference");
  }
  const std::uint32_t processes = default_processes(given, caller, options);
  if (given.count("processes", 1u, 1000u).value_or(processes) > 1) {
    options.comparison.seconds = seconds_of_several;
  }
  read_rest(given, caller, "run", options, processes);
  return options;
}

RunOptions read_aa(const Given& given, const Caller& caller, std::uint32_t& repeat) {
  if (names_several_devices(given)) given.forbid("device", "names several GPUs; give one");
  check_rounds(given);
  check_processes(given);
  RunOptions options;
  options.workloads = chosen_workloads(given);
  read_trial(given, options);
  ComparisonSettings& comparison = options.comparison;
  const std::string& name = given.operands().front();
  comparison.variants = {caller.variants[parse_choice("aa", name, caller.variants)]};
  comparison.reference = name;
  comparison.with_itself = true;
  comparison.kernel_time_us = given.time_us("kernel-time", max_kernel_time_us).value_or(0);
  comparison.slow_down = given.share("slow-down", 1e-5, 1).value_or(0);
  if (!several_policies(given).empty()) {
    given.forbid("pool", "has several policies, but aa compares a variant with itself; give one");
  }
  repeat = given.count("repeat", 1u, 100'000u).value_or(0);
  if (repeat > 0) {
    given.forbid("csv", "cannot distinguish the comparisons of --repeat; use --json");
    comparison.only_intervals = true;
    comparison.seconds = short_comparison_seconds;
  }
  read_rest(given, caller, "aa", options);
  options.comparison.effort = Effort::measure;  // a prediction has no intervals to trust
  return options;
}

RunOptions read_sweep_run(const Given& given, const Caller& caller) {
  check_rounds(given);
  check_one_setting(given);
  RunOptions options;
  options.comparison = read_variants(
      given, caller.variants, variants_of_tier(given).value_or(main_variants(caller.variants)));
  options.comparison.seconds = given.operands().size() > 1 ? map_seconds : curve_seconds;
  read_trial(given, options);
  if (caller.simulated && given.count("processes", 1u, 1000u).value_or(1) > 1) {
    given.forbid("processes",
                 "needs a GPU, because simulated processes do not differ; leave it out");
  }
  read_rest(given, caller, "sweep", options, caller.simulated ? 1 : 5);
  return options;
}

}  // namespace trilane
