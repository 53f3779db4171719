#include "common/explain/report/diff_runs.hpp"

#include "common/base/json/members.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

/// Adds a present field as text under its key, "key.member" for a record, "key[0]" for a list.
template <typename Field>
void add_fact(std::vector<Property>& facts, const std::string& key, const Field& field) {
  if constexpr (Described<Field>) {
    for_each_member<Field>([&](auto member) {
      add_fact(facts, key.empty() ? member.name : key + "." + member.name, field.*member.pointer);
    });
  } else if constexpr (requires { field.has_value(); }) {
    if (field) add_fact(facts, key, *field);
  } else if constexpr (std::is_enum_v<Field>) {
    facts.emplace_back(key, name_of(field));
  } else if constexpr (std::is_arithmetic_v<Field> || std::is_same_v<Field, std::string>) {
    facts.emplace_back(key, fmt::format("{}", field));
  } else {
    for (std::size_t i = 0; i < field.size(); ++i)
      add_fact(facts, fmt::format("{}[{}]", key, i), field[i]);
  }
}

/// Properties that change every minute, or that say where the GPU is rather than what it is.
constexpr std::array<std::string_view, 7> left_out{"memory_free_bytes", "memory_available_bytes",
                                                   "load_average",      "temperature_c",
                                                   "power_w",           "ordinal",
                                                   "pci_bus_id"};

template <typename... Args>
[[noreturn]] void refuse(const RunFile& before, const RunFile& now, fmt::format_string<Args...> why,
                         Args&&... args) {
  throw UsageError("compare {} {}: {}", in_quotes(before.path), in_quotes(now.path),
                   fmt::format(why, std::forward<Args>(args)...));
}

using Comparisons = std::vector<const Comparison*>;

void ensure_each_once(const RunFile& run) {
  for (const Comparison& comparison : run.results.comparisons) {
    if (std::ranges::count(run.results.comparisons, work_of(comparison), work_of) == 1) continue;
    trilane::refuse("compare", run.path,
                    "contains {} more than once, as with --repeat; give runs without it",
                    label_of(comparison));
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
  return "--kernel-time chooses the rounds again in each run; give both the same --rounds";
}

/// Refuses workloads of one name with different work, unless the runs share another of that name.
void ensure_no_other_shape(const RunFile& before, const RunFile& now) {
  const Comparisons others = without_partner(now, before);
  for (const Comparison* old : without_partner(before, now)) {
    const auto other = std::ranges::find(others, old->workload.name,
                                         [](const Comparison* c) { return c->workload.name; });
    if (other == others.end() || share_some(old->workload.name, before, now)) continue;
    const auto was = work_of(*old), is = work_of(**other);
    const auto [left, right] = std::ranges::mismatch(was, is);
    refuse(before, now, "{} has {} {} in the first and {} in the second; {}", old->workload.name,
           left->first, left->second, right->second, way_out(left->first, *old, **other));
  }
}

void ensure_same_kind(const RunFile& before, const RunFile& now) {
  const bool was = !before.results.context.simulated.empty();
  const bool is = !now.results.context.simulated.empty();
  if (was == is) return;
  refuse(before, now,
         "the times of the {} are simulated, those of the other measured; give two of the same "
         "kind, or draw them with plots/predicted.py",
         was ? "first" : "second");
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

bool anything_to_compare(const RunChange& runs) {
  for (const WorkloadChange& workload : runs.workloads) {
    for (const VariantChange& change : workload.changes) {
      if (find_variant(*workload.before, change.variant)->status == Status::ok) return true;
    }
  }
  return false;
}

bool of_one_process(const Measurement& m) {
  return std::ranges::all_of(
      m.samples, [&](const Sample& s) { return s.process == m.samples.front().process; });
}

std::string why_no_times(const Measurement& m) {
  const std::string status = m.status == Status::ok ? "no samples" : name_of(m.status);
  if (m.message.empty()) return status;
  return m.message.starts_with(status) ? m.message : fmt::format("{}: {}", status, m.message);
}

Ratio wider(Ratio ratio, double spread) {
  return {ratio.estimate, ratio.low / (1 + spread), ratio.high * (1 + spread), ratio.covers};
}

struct Pair {
  Pair(const RunChange& runs, const WorkloadChange& workload, const VariantChange& change)
      : before(*find_variant(*workload.before, change.variant)),
        now(*find_variant(*workload.now, change.variant)),
        over_runs(runs.request.over_runs) {}

  bool has_both_times() const { return was_timed(before) && was_timed(now); }
  bool one_draw() const { return !over_runs && (of_one_process(before) || of_one_process(now)); }

  const Measurement &before, &now;
  bool over_runs;
};

Ratio ratio_of(const Pair& pair, double confidence) {
  // One model made both: they share its error, and have no noise.
  if (pair.before.prediction && pair.now.prediction) {
    const double ratio = pass_us(pair.now.samples) / pass_us(pair.before.samples);
    return {ratio, ratio, ratio, Covers::nothing};
  }
  const auto ratio = pair.over_runs ? ratio_over_runs : unpaired_ratio;
  return ratio(pair.now.samples, pair.before.samples, confidence);
}

void judge(const RunChange& runs, const WorkloadChange& workload, VariantChange& change) try {
  const Pair pair(runs, workload, change);
  if (was_timed(pair.before)) change.old_us = pass_us(pair.before.samples);
  if (was_timed(pair.now)) change.new_us = pass_us(pair.now.samples);
  if (!pair.has_both_times()) {
    change.verdict = change.old_us ? Verdict::lost : Verdict::no_times;
    change.message = why_no_times(change.old_us ? pair.now : pair.before);
    return;
  }
  const bool simulated = !runs.now->results.context.simulated.empty();
  const double missed = pair.one_draw() ? 0.05 : 0.05 / static_cast<double>(runs.shared_by);
  change.measured = ratio_of(pair, 1 - missed);
  change.ratio =
      wider(*change.measured, pair.one_draw() && !simulated ? runs.request.process_spread : 0);
  change.verdict = verdict_of(*change.ratio, runs.request.same_within);
} catch (const std::invalid_argument& error) {
  refuse(*runs.before, *runs.now, "{} on {}: {}; give files that trilane wrote, unchanged",
         change.variant, label_of(*workload.now), error.what());
}

}  // namespace

std::vector<Property> work_of(const Comparison& comparison) {
  std::vector<Property> facts;
  Workload workload = comparison.workload;
  workload.modified = false;
  add_fact(facts, "", workload);
  add_fact(facts, "mode", comparison.mode);
  add_fact(facts, "batch", comparison.batch);
  add_fact(facts, "wait", comparison.wait);
  add_fact(facts, "slow_down", comparison.slow_down);
  const Placement place = comparison.placement.value_or(Placement{});
  add_fact(facts, "gpu", place.device);
  add_fact(facts, "other_gpus_at_work", place.beside);
  add_fact(facts, "one_process", place.one_process);
  return facts;
}

std::vector<ContextDifference> differences(const Context& before, const Context& now) {
  std::vector<ContextDifference> found;
  const auto add = [&](const std::string& what, const std::string& was, const std::string& is) {
    const auto shown = [](const std::string& text) { return text.empty() ? "nothing" : text; };
    if (was != is) found.push_back({what, shown(was), shown(is)});
  };
  using Properties = std::vector<Property>;
  const auto add_all = [&](const std::string& of, const Properties& was, const Properties& is) {
    Properties either = was;  // names that only one side has count, too
    std::ranges::copy_if(is, std::back_inserter(either), [&](const Property& property) {
      return !includes(was, property.first, &Property::first);
    });
    for (const auto& [name, _] : either) {
      if (includes(left_out, name)) continue;
      add(of + name, value_of(was, name), value_of(is, name));
    }
  };
  const auto joined = [](const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, ", "));
  };
  add("profile", before.simulated, now.simulated);
  add_all("GPU ", before.gpu, now.gpu);
  add_all("GPU after the run, ", before.gpu_after, now.gpu_after);
  add_all("host ", before.host, now.host);
  add_all("environment ", before.environment, now.environment);
  add("other processes on the GPU", joined(before.other_processes), joined(now.other_processes));
  add("Trilane version", before.tool_version, now.tool_version);
  add("Trilane revision", before.git_revision, now.git_revision);
  add("build type", before.build_type, now.build_type);
  return found;
}

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

Verdict verdict_of(const Ratio& ratio, double same_within) {
  const double border = 1 + same_within;
  if (1 / border <= ratio.low && ratio.high <= border) return Verdict::same;
  if (ratio.high < 1) return Verdict::faster;
  return ratio.low > 1 ? Verdict::slower : Verdict::unsure;
}

RunChange diff_runs(const RunFile& before, const RunFile& now, const DiffRequest& request) {
  RunChange runs = pair_up(before, now);
  runs.request = request;
  runs.differences = differences(before.results.context, now.results.context);
  for (const WorkloadChange& workload : runs.workloads) {
    for (const VariantChange& change : workload.changes) {
      const Pair pair(runs, workload, change);
      runs.shared_by += pair.has_both_times() && !pair.one_draw();
    }
  }
  for (WorkloadChange& workload : runs.workloads) {
    for (VariantChange& change : workload.changes) judge(runs, workload, change);
  }
  return runs;
}

}  // namespace trilane
