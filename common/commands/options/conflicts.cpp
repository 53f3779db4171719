#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/commands/options/option_parts.hpp"
#include "common/text/quoting.hpp"

namespace trilane {
namespace {

/// Options of the simulated device only.
void check_flavour(const Given& given, bool simulated) {
  if (simulated) return;
  for (const char* option : {"profile", "fault"}) {
    given.forbid(option, "only trilane-sim has this option; leave it out or run trilane-sim");
  }
}

/// --calibrate runs no workloads and has one output.
void check_calibration(const Given& given) {
  constexpr std::array beside{"calibrate", "device", "force", "profile"};
  for (const auto& [name, text] : given.all()) {
    if (std::ranges::find(beside, name) != beside.end()) continue;
    given.forbid("calibrate", "measures a profile, not variants; leave out --" + name);
  }
}

/// --aa compares a variant with itself.
void check_aa(const Given& given) {
  if (!given.has("aa")) {
    for (const char* option : {"repeat", "slow-down"}) {
      given.forbid(option, "needs --aa; add --aa NAME or leave it out");
    }
    return;
  }
  for (const char* option : {"variant", "reference"}) {
    given.forbid(option,
                 "has no effect, because --aa compares one variant with itself; leave one out");
  }
  if (given.has("prove-break-even")) {
    given.forbid(
        "aa",
        "compares a variant with itself, which has no break-even; leave --prove-break-even out");
  }
  if (given.text("pool").value_or("").find('/') != std::string::npos) {
    given.forbid("pool",
                 "compares policies, but --aa compares a variant with itself; give one policy");
  }
  if (given.has("repeat")) given.forbid("csv", "does not tell comparisons apart; use --json");
  given.forbid("trace", "does not go with --aa, which runs one variant; use --variant");
}

/// A sweep keeps no samples, and stops measuring a cell when its winner is clear.
void check_sweep(const Given& given) {
  constexpr std::array without{"csv", "trace",  "precision", "dry-run",
                               "aa",  "repeat", "slow-down", "prove-break-even"};
  if (!given.has("sweep")) return;
  for (const char* option : without) {
    given.forbid(option, "does not go with --sweep; leave one out");
  }
}

/// Refuses options that cannot be combined with `option`, which runs several processes: those for
/// one process only, and those that would give the processes different work.
void check_merging(const Given& given, const std::string& option) {
  given.forbid("kernel-time",
               "every process would find other rounds for it; give --rounds instead");
  for (const char* other : {"repeat", "dry-run", "sweep"}) {
    if (!given.has(other)) continue;
    given.forbid(option, fmt::format("does not go with --{}; leave one out", other));
  }
  given.forbid("trace",
               fmt::format("traces one process, but --{} runs several; leave one out", option));
  if (given.has("prove-break-even")) {
    given.forbid(option,
                 "runs several processes, but --prove-break-even tests the prediction of one; "
                 "leave one out");
  }
}

/// Each setting also runs in a process of its own.
void check_processes(const Given& given) {
  if (given.has("processes")) check_merging(given, "processes");
  for (const char* option : {"host-memory", "wait"}) {
    const std::string text = given.text(option).value_or("");
    if (text.find(',') != std::string::npos) check_merging(given, option);
  }
}

/// Refuses options that contradict each other.
void check_contradictions(const Given& given) {
  if (given.has("rounds")) {
    given.forbid("kernel-time",
                 fmt::format("finds the rounds, but --rounds {} gives them; leave one out",
                             in_quotes(*given.text("rounds"))));
  }
  if (!given.has("dry-run")) return;
  for (const char* option : {"json", "csv", "trace", "profile", "fault"}) {
    given.forbid(option, "has no effect, because --dry-run runs nothing; leave one out");
  }
}

}  // namespace

void check_conflicts(const Given& given, bool simulated) {
  check_flavour(given, simulated);
  check_calibration(given);
  check_diff(given);
  check_aa(given);
  check_sweep(given);
  check_processes(given);
  check_contradictions(given);
  check_files(given);
}

}  // namespace trilane
