#include <fmt/format.h>

#include <algorithm>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/explain/report/diff/diff_parts.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

[[noreturn]] void refuse(const RunFile& before, const RunFile& now, const std::string& why) {
  throw UsageError(
      fmt::format("compare {} {}: {}", in_quotes(before.path), in_quotes(now.path), why));
}

using Comparisons = std::vector<const Comparison*>;

void ensure_each_once(const RunFile& run) {
  for (const Comparison& comparison : run.results.comparisons) {
    if (std::ranges::count(run.results.comparisons, work_of(comparison), work_of) == 1) continue;
    trilane::refuse("compare", run.path,
                    fmt::format("holds {} more than once, as with --repeat; give runs without it",
                                label_of(comparison)));
  }
}

const Comparison* same_work(const Comparison& wanted, const RunFile& run) {
  const auto work = work_of(wanted);
  const auto found = std::ranges::find(run.results.comparisons, work, work_of);
  return found == run.results.comparisons.end() ? nullptr : &*found;
}

Comparisons without_partner(const RunFile& run, const RunFile& other) {
  Comparisons found;
  for (const Comparison& comparison : run.results.comparisons) {
    if (!same_work(comparison, other)) found.push_back(&comparison);
  }
  return found;
}

/// Returns true if the runs share a workload of that name; with --chunks there are several.
bool share_some(const std::string& name, const RunFile& before, const RunFile& now) {
  return std::ranges::any_of(before.results.comparisons, [&](const Comparison& old) {
    return old.workload.name == name && same_work(old, now) != nullptr;
  });
}

std::string way_out(const std::string& field, const Comparison& before, const Comparison& now) {
  const bool found = before.requested_kernel_us > 0 || now.requested_kernel_us > 0;
  if (field != "rounds" || !found) return "run both the same way";
  return "--kernel-time finds rounds anew in each run, so give both the same --rounds";
}

/// Refuses workloads of one name with different work, unless the runs share another workload of
/// that name.
void ensure_no_other_shape(const RunFile& before, const RunFile& now) {
  const Comparisons others = without_partner(now, before);
  for (const Comparison* old : without_partner(before, now)) {
    const auto other = std::ranges::find(others, old->workload.name,
                                         [](const Comparison* c) { return c->workload.name; });
    if (other == others.end() || share_some(old->workload.name, before, now)) continue;
    const auto was = work_of(*old), is = work_of(**other);
    const auto [left, right] = std::ranges::mismatch(was, is);
    refuse(
        before, now,
        fmt::format("{} has {} {} in the first and {} in the second; {}", old->workload.name,
                    left->first, left->second, right->second, way_out(left->first, *old, **other)));
  }
}

void ensure_same_kind(const RunFile& before, const RunFile& now) {
  const bool was = !before.results.context.simulated.empty();
  const bool is = !now.results.context.simulated.empty();
  if (was == is) return;
  refuse(before, now,
         fmt::format("the times of the {} are simulated and those of the other measured; give two "
                     "of the same kind, or draw them with plots/predicted.py",
                     was ? "first" : "second"));
}

WorkloadChange variants_of(const Comparison& before, const Comparison& now) {
  WorkloadChange change{.before = &before, .now = &now};
  for (const Measurement& m : before.measurements) {
    if (find_variant(now, m.variant)) {
      change.changes.push_back({.variant = m.variant});
    } else {
      change.only_before.push_back(m.variant);
    }
  }
  for (const Measurement& m : now.measurements) {
    if (!find_variant(before, m.variant)) change.only_now.push_back(m.variant);
  }
  return change;
}

/// Returns true if a variant in both runs has times in the first.
bool anything_to_compare(const RunChange& runs) {
  for (const WorkloadChange& workload : runs.workloads) {
    for (const VariantChange& change : workload.changes) {
      if (find_variant(*workload.before, change.variant)->status == Status::ok) return true;
    }
  }
  return false;
}

}  // namespace

RunChange pair_up(const RunFile& before, const RunFile& now) {
  ensure_same_kind(before, now);
  ensure_each_once(before);
  ensure_each_once(now);
  ensure_no_other_shape(before, now);
  RunChange runs{.before = &before, .now = &now};
  for (const Comparison& old : before.results.comparisons) {
    if (const Comparison* partner = same_work(old, now)) {
      runs.workloads.push_back(variants_of(old, *partner));
    } else {
      runs.only_before.push_back(label_of(old));
    }
  }
  for (const Comparison* other : without_partner(now, before)) {
    runs.only_now.push_back(label_of(*other));
  }
  if (!anything_to_compare(runs)) {
    refuse(before, now,
           "share no workload with a variant that has times in the first; run both with the same "
           "--preset and --variant, or record the same application");
  }
  return runs;
}

}  // namespace trilane
