#include "common/commands/runs/unread.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/measure/harness/contenders.hpp"

namespace trilane {
namespace {

/// Returns the names of the entries for which `read` is true.
std::vector<std::string> readers(std::vector<VariantEntry> entries,
                                 bool (*read)(const VariantEntry&)) {
  std::erase_if(entries, std::not_fn(read));
  return names_of(entries);
}

std::vector<VariantEntry> chosen(const ComparisonSettings& comparison) {
  std::vector<VariantEntry> entries;
  for (const std::string& name : comparison.variants) entries.push_back(find_variant(name));
  return entries;
}

/// Returns true if the number of lanes changes the variant's plan.
bool deals_to_lanes(const VariantEntry& entry) {
  Workload workload = presets().front(), other = workload;
  other.lanes = workload.lanes + 1;
  return entry.plan(workload) != entry.plan(other);
}

void ensure_pool_is_read(const ComparisonSettings& comparison, const std::string& text) {
  if (!readers(chosen(comparison), depends_on_policy).empty()) return;
  const auto able = readers(registry(), depends_on_policy);
  throw UsageError(fmt::format(
      "--pool {}: no chosen variant takes memory from a pool; {}leave it out", in_quotes(text),
      able.empty() ? "" : fmt::format("choose {} with --variant, or ", fmt::join(able, " or "))));
}

}  // namespace

void ensure_read(const Given& given, const ComparisonSettings& comparison) {
  if (const auto pool = given.text("pool")) ensure_pool_is_read(comparison, *pool);
  if (comparison.prove_break_even && contenders(comparison).size() < 2) {
    throw UsageError(
        "--prove-break-even: the reference is the only variant, so there is nothing to prove; "
        "choose another variant, too, with --variant, or leave it out");
  }
}

std::vector<std::string> unread_knobs(const Given& given, const ComparisonSettings& comparison) {
  std::vector<std::string> lines;
  if (!readers(chosen(comparison), deals_to_lanes).empty()) return lines;
  const auto add = [&](const std::string& words) {
    lines.push_back(words + " changes nothing: no chosen variant has lanes");
  };
  for (const char* knob : {"lanes", "order"}) {
    if (const auto text = given.text(knob)) add(fmt::format("--{} {}", knob, in_quotes(*text)));
  }
  for (const std::string& operand : given.operands()) {
    if (operand.starts_with("lanes=")) add(in_quotes(operand));
  }
  return lines;
}

}  // namespace trilane
