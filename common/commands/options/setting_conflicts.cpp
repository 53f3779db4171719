#include <fmt/format.h>

#include <string>

#include "common/base/text/quoting.hpp"
#include "common/commands/options/option_parts.hpp"

namespace trilane {
namespace {

/// Refuses options that only one process can have, and those that would give processes different
/// work, if `option` runs several.
void check_merging(const Given& given, const std::string& option) {
  given.forbid("kernel-time",
               "every process would find other rounds for it; give --rounds instead");
  given.forbid("trace",
               fmt::format("traces one process, but --{} runs several; leave one out", option));
  for (const char* other : {"repeat", "prove-break-even"}) {
    if (!given.has(other)) continue;
    given.forbid(option, fmt::format("runs several processes, but --{} one; leave one out", other));
  }
}

}  // namespace

void check_rounds(const Given& given) {
  if (!given.has("rounds")) return;
  given.forbid("kernel-time", fmt::format("finds the rounds, but --rounds {} gives them; leave one "
                                          "out",
                                          in_quotes(*given.text("rounds"))));
}

void check_processes(const Given& given) {
  if (given.count("processes", 1u, 1000u).value_or(1) > 1) check_merging(given, "processes");
  for (const char* option : {"host-memory", "wait"}) {
    const std::string text = given.text(option).value_or("");
    if (text.find(',') != std::string::npos) check_merging(given, option);
  }
}

void check_one_setting(const Given& given) {
  for (const char* option : {"host-memory", "wait"}) {
    if (given.text(option).value_or("").find(',') != std::string::npos)
      given.forbid(option, "names several; give one, or compare them with trilane run");
  }
}

}  // namespace trilane
