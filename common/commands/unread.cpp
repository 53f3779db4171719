#include "common/commands/unread.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "common/harness/contenders.hpp"
#include "common/text/exit_code.hpp"
#include "common/text/quoting.hpp"

namespace trilane {
namespace {

/// The names of the entries for which `read` is true.
std::vector<std::string> readers(std::vector<VariantEntry> entries,
                                 bool (*read)(const VariantEntry&)) {
  std::erase_if(entries, std::not_fn(read));
  return names_of(entries);
}

std::vector<VariantEntry> chosen(const Options& options) {
  std::vector<VariantEntry> entries;
  for (const std::string& name : options.comparison.variants) entries.push_back(find_variant(name));
  return entries;
}

/// Whether the number of lanes changes the variant's plan.
bool deals_to_lanes(const VariantEntry& entry) {
  Workload workload = presets().front(), other = workload;
  other.lanes = workload.lanes + 1;
  return entry.plan(workload) != entry.plan(other);
}

void ensure_pool_is_read(const Options& options, const std::string& text) {
  if (!readers(chosen(options), depends_on_policy).empty()) return;
  const auto able = readers(registry(), depends_on_policy);
  throw UsageError(fmt::format(
      "--pool {}: no chosen variant takes memory from a pool; {}leave it out", in_quotes(text),
      able.empty() ? "" : fmt::format("choose {} with --variant, or ", fmt::join(able, " or "))));
}

}  // namespace

void ensure_read(const Options& options) {
  const auto pool = options.given.find("pool");
  if (pool != options.given.end()) ensure_pool_is_read(options, pool->second);
  if (options.comparison.prove_break_even && contenders(options.comparison).size() < 2) {
    throw UsageError(
        "--prove-break-even: the reference is the only variant, so there is nothing to prove; "
        "choose another variant, too, with --variant, or leave it out");
  }
}

std::vector<std::string> unread_knobs(const Options& options) {
  std::vector<std::string> lines;
  if (!readers(chosen(options), deals_to_lanes).empty()) return lines;
  const auto add = [&](const std::string& option) {
    lines.push_back(option + " changes nothing: no chosen variant has lanes");
  };
  for (const char* knob : {"lanes", "order"}) {
    const auto found = options.given.find(knob);
    if (found != options.given.end()) add(fmt::format("--{} {}", knob, in_quotes(found->second)));
  }
  const auto& sweep = options.sweep;
  if (sweep && (sweep->columns.knob == "lanes" || sweep->rows.knob == "lanes"))
    add("--sweep lanes");
  return lines;
}

}  // namespace trilane
