#include "common/base/text/words.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/analysis/verdict/loads.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/report/report.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

/// The cell of a variant that cannot be told from the reference.
constexpr char not_told[] = "?";

/// Returns "3.0x", "same", "<12%" or "?": the speed over the reference; without one the time, "480
/// us".
std::string speed_cell(const Comparison& comparison, const Measurement& m) {
  if (m.variant == comparison.reference) return "same";
  if (!m.ratio) return short_time(m.wall->mean) + " us";
  switch (effect_of(m.ratio)) {
    case Effect::gains:
    case Effect::loses: return said_speed(1 / m.ratio->estimate) + "x";
    case Effect::nothing:
      if (m.ratio->covers != Covers::model_error) return "same";
      if (const std::string less = small_difference(*m.ratio); !less.empty()) return less;
      return not_told;
    case Effect::unclear: break;
  }
  return not_told;
}

Table without_empty(Table table) {
  const std::vector<std::string> heads = table.heads;
  for (std::size_t c = heads.size(); c-- > 1;) {
    const bool empty = std::ranges::all_of(
        table.rows, [&](const std::vector<std::string>& row) { return row[c] == "-"; });
    if (empty) table = without_column(std::move(table), heads[c]);
  }
  return table;
}

Page with_note(Table table, const std::string& note) {
  Page page{without_empty(std::move(table))};
  if (!note.empty()) page.push_back(Paragraph{note});
  return page;
}

constexpr char moved_mark[] = " *";

struct SpeedColumn {
  std::string head;
  std::optional<Change> change;
};

/// Returns a column for each variant except the reference, or, of many, graph and pool.
std::vector<SpeedColumn> speed_columns(const std::vector<Comparison>& comparisons,
                                       const std::string& reference) {
  constexpr std::size_t few = 3;  // with all other columns they fit
  std::vector<SpeedColumn> columns;
  for (const Comparison& comparison : comparisons) {
    for (const Measurement& m : comparison.measurements) {
      if (m.variant == reference || includes(columns, m.variant, &SpeedColumn::head)) continue;
      columns.push_back({m.variant, std::nullopt});
      if (columns.size() > few) return {{"graph", Change::graph}, {"pool", Change::pool}};
    }
  }
  return columns;
}

std::string cell_of(const Comparison& comparison, const SpeedColumn& column) {
  const Measurement* m = column.change ? find_change(comparison, *column.change)
                                       : find_variant(comparison, column.head);
  return m && was_timed(*m) && m->wall ? speed_cell(comparison, *m) : "-";
}

std::string winner_cell(const Comparison& comparison, const Winner* winner) {
  const Measurement* m = winner ? find_variant(comparison, winner->variant) : nullptr;
  if (!m || !m->wall) return "-";
  const char* mark = winner->tier == Tier::moved_together ? moved_mark : "";
  if (m->variant == comparison.reference) return m->variant;
  const std::string speed = speed_cell(comparison, *m);
  return speed == not_told ? speed : fmt::format("{} {}{}", m->variant, speed, mark);
}

std::string reference_time(const Comparison& comparison) {
  const Measurement* reference = find_reference(comparison);
  return reference && reference->wall ? short_time(reference->wall->mean) : "-";
}

std::string common_reference(const std::vector<Comparison>& comparisons) {
  std::string common;
  for (const Comparison& comparison : comparisons) {
    if (comparison.reference.empty()) continue;
    if (!common.empty() && common != comparison.reference) return "";
    common = comparison.reference;
  }
  return common;
}

bool any_cell(const Table& table, std::string_view part) {
  return std::ranges::any_of(table.rows, [&](const std::vector<std::string>& row) {
    return std::ranges::any_of(
        row, [&](const std::string& cell) { return cell.find(part) != cell.npos; });
  });
}

/// Returns the variant's rank of interest to a person: 0 is highest.
int rank_of(const Comparison& comparison, const Measurement& m) {
  if (m.variant == comparison.reference) return 0;
  if (went_wrong(m.status)) return 1;
  if (includes(comparison.winners, m.variant, &Winner::variant)) return 2;
  for (const Change change : enumerators<Change>) {
    if (&m == find_change(comparison, change)) return 3;
  }
  return m.status == Status::ok ? 4 : 5;
}

std::vector<const Measurement*> shown(const Comparison& comparison, std::size_t most) {
  auto all = transformed(comparison.measurements, [](const Measurement& m) { return &m; });
  std::ranges::stable_sort(all, {}, [&](const Measurement* m) { return rank_of(comparison, *m); });
  if (all.size() > most) all.resize(most);
  std::ranges::sort(all, {}, [](const Measurement* m) { return m; });
  return all;
}

std::string speed_with_interval(const Comparison& comparison, const Measurement& m) {
  if (m.status != Status::ok) return name_of(m.status);
  if (m.variant == comparison.reference) return "reference";
  if (!m.ratio || !m.wall) return "-";
  if (!decides(*m.ratio)) return range_words(m.ratio->covers).undecided;
  const std::string speed = speed_cell(comparison, m);
  return fmt::format("{} [{}, {}]", speed, short_speed(1 / m.ratio->high),
                     short_speed(1 / m.ratio->low));
}

}  // namespace

Page workload_rows(const std::vector<Comparison>& comparisons, std::size_t most) {
  const std::string reference = common_reference(comparisons);
  const bool predicted = std::ranges::any_of(comparisons, is_predicted);
  const std::vector<SpeedColumn> columns = speed_columns(comparisons, reference);
  Table table{{"", ">" + (reference.empty() ? "reference" : reference) + ", us"},
              {},
              {">limit, us", ">pool"}};
  for (const SpeedColumn& column : columns) table.heads.push_back(">" + column.head);
  table.heads.insert(table.heads.end(), {"best, same stages", "best rewrite", ">limit, us"});
  for (const Comparison& c : comparisons) {
    if (table.rows.size() == most) break;
    std::vector<std::string> row{row_label(c, comparisons), reference_time(c)};
    for (const SpeedColumn& column : columns) row.push_back(cell_of(c, column));
    row.insert(row.end(),
               {winner_cell(c, best_kept(c)), winner_cell(c, winner_of(c, Tier::rewritten)),
                c.limit ? short_time(c.limit->bound_us) : "-"});
    table.rows.push_back(std::move(row));
  }
  std::string note;
  if (!reference.empty()) {
    note = fmt::format("2x: twice as fast as {}", reference);
    note += predicted ? "." : "; same: no difference, or below 1%.";
  }
  if (any_cell(table, moved_mark)) note += " *: copies all chunks together.";
  if (any_cell(table, "<")) note += " <5%: no difference of that size, by the model's error.";
  if (any_cell(table, not_told)) {
    note += predicted ? " ?: inconclusive, within the model's error." : " ?: too few rounds.";
  }
  const std::size_t left = comparisons.size() - table.rows.size();
  if (left > 0) note += fmt::format(" {} not shown.", counted(left, "more workload"));
  return with_note(std::move(table), note);
}

Page gpu_rows(const std::vector<Comparison>& comparisons, std::size_t most) {
  const std::vector<OnGpu> all = on_each_gpu(comparisons);
  const std::string reference = common_reference(comparisons);
  Table table{{"", "GPU", ">" + (reference.empty() ? "best" : reference) + ", us", ">all at work",
               ">times [95%]", ">one process", "best alone", "best at work"},
              {},
              {">all at work", ">one process"}};
  const auto time = [](const Comparison& comparison, const std::string& variant) {
    const Measurement* const m = find_variant(comparison, variant);
    return m && m->wall ? short_time(m->wall->mean) : "-";
  };
  const auto told = [](const std::optional<Ratio>& ratio) {
    return !ratio || !decides(*ratio)
               ? not_told
               : fmt::format("{:.2f} [{:.2f}, {:.2f}]", ratio->estimate, ratio->low, ratio->high);
  };
  for (const OnGpu& one : all) {
    if (table.rows.size() >= most) break;
    const std::string variant = one.shown_variant();
    const auto ratio = one.longer(variant);
    const Measurement* const in_one =
        one.in_one_process ? find_variant(*one.in_one_process, variant) : nullptr;
    table.rows.push_back({one.alone->workload.label(),
                          fmt::format("{}", one.alone->placement->device),
                          time(*one.alone, variant), time(*one.together, variant), told(ratio),
                          told(in_one ? in_one->over_processes : std::nullopt),
                          winner_cell(*one.alone, best_kept(*one.alone)),
                          winner_cell(*one.together, best_kept(*one.together))});
  }
  const std::size_t left = all.size() - table.rows.size();
  return with_note(std::move(table),
                   "Times: all at work over alone. One process: for all GPUs, over one for each." +
                       (left > 0 ? fmt::format(" {} not shown.", counted(left, "more row")) : ""));
}

Page split_rows(const std::vector<Comparison>& comparisons, std::size_t most) {
  const std::vector<Split> all = splits_in(comparisons);
  std::vector<std::pair<const Split*, const Measurement*>> rows;
  for (const Split& split : all) {
    for (const Measurement& m : split.over->measurements) {
      if (m.over_one_gpu && (all.size() == 1 || &m == split.best())) rows.emplace_back(&split, &m);
    }
  }
  Table table{{"", "variant", ">one GPU, us", fmt::format(">{:.0f} GPUs, us", most_gpus(all)),
               ">times as fast", ">scaling", ">bound, us", "limited by"},
              {},
              {">bound, us"}};
  for (const auto& [split, m] : rows) {
    if (table.rows.size() >= most) break;
    const Limitation limitation = limitation_of(*split->over, *m);
    table.rows.push_back({split->one->workload.label(), m->variant,
                          short_time(find_variant(*split->one, m->variant)->wall->mean),
                          short_time(m->wall->mean), speed_of_split(*m),
                          efficiency_of_split(*m, split->gpus()),
                          m->bound_us ? short_time(*m->bound_us) : "-",
                          limitation.by ? name_of(*limitation.by) : "-"});
  }
  const std::size_t left = rows.size() - table.rows.size();
  return with_note(std::move(table),
                   left > 0 ? fmt::format("{} not shown.", counted(left, "more row")) : "");
}

Page variant_rows(const Comparison& comparison, std::size_t most) {
  Table table{{"", ">wall, us", ">submit, us",
               fmt::format("speed [{}]", range_words(covers_of(comparison)).range), "tier"},
              {},
              {"tier", ">submit, us"}};
  for (const Measurement* m : shown(comparison, most)) {
    const bool timed = m->status == Status::ok && m->wall;
    table.rows.push_back({m->variant, timed ? short_time(m->wall->mean) : "-",
                          timed ? short_time(m->submit->mean) : "-",
                          speed_with_interval(comparison, *m), name_of(tier_of(m->plan.model))});
  }
  std::string note;
  if (comparison.limit) {
    note = fmt::format("Limit, chunk by chunk: {} us.", short_time(comparison.limit->bound_us));
  }
  const std::size_t left = comparison.measurements.size() - table.rows.size();
  if (left > 0) note += fmt::format(" {} not shown.", counted(left, "more variant"));
  if (comparison.workload.origin() == Origin::recording) {
    table = without_column(std::move(table), "tier");
  }
  return with_note(std::move(table), note);
}

}  // namespace trilane
