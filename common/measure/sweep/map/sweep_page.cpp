#include "common/measure/sweep/map/regimes.hpp"

#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

constexpr std::size_t margin = 8;  // for row values such as "1.25us"

char symbol(const RegimeMap& map, const Cell& cell) {
  switch (cell.status) {
    case Status::ok: break;
    case Status::failed: return '!';
    case Status::not_supported:
    case Status::out_of_memory: return '-';
    case Status::not_run: return '.';
  }
  const auto found = std::ranges::find(map.variants, cell.winner);
  const char letter = map.letters.at(static_cast<std::size_t>(found - map.variants.begin())).at(0);
  return cell.tied.empty() || letter == '*' ? letter : static_cast<char>(letter - 'A' + 'a');
}

std::string column_line(const RegimeMap& map, std::size_t width) {
  std::string line(margin, ' ');
  for (std::size_t column = 0; column < map.columns.values.size(); ++column) {
    const std::string value = short_text(map.columns.knob, map.columns.values[column]);
    const std::size_t end = margin + (column + 1) * width;
    if (end < line.size() + value.size() + (column > 0 ? 1 : 0)) continue;
    line.resize(end - value.size(), ' ');
    line += value;
  }
  return line;
}

std::string grid(const RegimeMap& map) {
  const std::size_t columns = map.columns.values.size();
  const std::size_t width = std::clamp<std::size_t>((page_width - margin) / columns, 1, 6);
  std::string text = in_words(map.rows->knob) + "\n";
  for (std::size_t row = map.rows->values.size(); row-- > 0;) {
    text += fmt::format("{:>{}} ", short_text(map.rows->knob, map.rows->values[row]), margin - 2);
    for (std::size_t column = 0; column < columns; ++column) {
      text += fmt::format("{:>{}}", symbol(map, map.cells[map.position(column, row)]),
                          column == 0 ? width + 1 : width);
    }
    text += '\n';
  }
  return fmt::format("{}{}\n{:>{}}\n", text, column_line(map, width), in_words(map.columns.knob),
                     std::max(margin + columns * width, in_words(map.columns.knob).size()));
}

/// Returns "same operations: S streams, G graph; rewritten: F fused".
std::string key(const RegimeMap& map) {
  std::vector<std::string> tiers;
  for (const Tier tier : enumerators<Tier>) {
    std::vector<std::string> entries;
    for (std::size_t i = 0; i < map.variants.size(); ++i) {
      if (map.tiers[i] == tier) entries.push_back(map.letters[i] + " " + map.variants[i]);
    }
    if (entries.empty()) continue;
    tiers.push_back(fmt::format("{}: {}", name_of(tier), fmt::join(entries, ", ")));
  }
  return fmt::format("{}", fmt::join(tiers, "; "));
}

std::string legend(const RegimeMap& map) {
  std::string text = key(map) + ". A small letter: the fastest ties with others.";
  const auto any = [&](Status status) {
    return std::ranges::count(map.cells, status, &Cell::status) > 0;
  };
  if (any(Status::not_supported) || any(Status::out_of_memory)) text += " -: cannot run here.";
  if (any(Status::failed)) text += " !: failed.";
  if (any(Status::not_run)) text += " .: not run yet.";
  return text;
}

Heading heading(const RegimeMap& map, const std::string& title, const std::string& details) {
  const std::string& simulated = map.context.simulated;
  return {title + (simulated.empty() ? "" : ", simulated " + simulated),
          fmt::format("{}, {} mode", details, name_of(map.mode))};
}

constexpr std::size_t most_rows = 12;  // besides those with a best value

std::set<std::size_t> shown(const RegimeMap& map) {
  const std::size_t count = map.columns.values.size();
  std::set<std::size_t> positions{count - 1};
  for (const Curve& curve : map.curves) {
    if (curve.optimum) positions.insert(curve.optimum->best);
  }
  const std::size_t step = (count + most_rows - 1) / most_rows;
  for (std::size_t at = 0; at < count; at += step) positions.insert(at);
  return positions;
}

/// Returns "5500 *": the time, with a mark if the variant is, or ties with, the fastest there.
std::string cell_text(const RegimeMap& map, const std::string& variant, std::size_t at) {
  const Cell& cell = map.cells[at];
  switch (cell.status) {
    case Status::failed: return "failed ";
    case Status::not_supported:
    case Status::out_of_memory: return "- ";
    case Status::not_run: return ". ";
    case Status::ok: break;
  }
  const auto point = point_of(map, variant, at);
  if (!point) return "- ";
  const double scale = map.merit == Merit::time_per_byte ? 1024 * 1024 : 1;
  const char* mark = cell.winner == variant ? "*" : is_among_the_best(cell, variant) ? "=" : " ";
  return short_time(point->mean * scale) + mark;
}

/// Returns variants by their shortest time, the reference first. A wide table omits the last first.
std::vector<std::string> by_speed(const RegimeMap& map) {
  std::vector<std::pair<double, std::string>> all;
  for (const std::string& variant : map.variants) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t at = 0; at < map.cells.size(); ++at) {
      if (const auto point = point_of(map, variant, at)) best = std::min(best, point->mean);
    }
    all.emplace_back(variant == map.reference ? 0 : best, variant);
  }
  std::ranges::stable_sort(all, {}, &std::pair<double, std::string>::first);
  return transformed(all, &std::pair<double, std::string>::second);
}

/// Returns the head; its space is for the mark after a time.
std::string head_of(const std::string& variant) { return ">" + variant + " "; }

/// Returns a table of as many variants as fit the screen; adds the others to `hidden`.
Table table_of(const RegimeMap& map, std::vector<std::string>& hidden) {
  Table table{{">" + in_words(map.columns.knob)}, {}};
  for (const std::string& variant : map.variants) table.heads.push_back(head_of(variant));
  for (const std::size_t at : shown(map)) {
    auto& row = table.rows.emplace_back();
    row.push_back(value_text(map.columns.knob, map.columns.values[at]));
    for (const std::string& variant : map.variants) row.push_back(cell_text(map, variant, at));
  }
  std::vector<std::string> names = by_speed(map);
  while (names.size() > 1 && widest_line(plain_table(table)) > screen_width) {
    table = without_column(std::move(table), head_of(names.back()));
    hidden.push_back(names.back());
    names.pop_back();
  }
  return table;
}

std::string legend(const RegimeMap& map, const std::vector<std::string>& left_out) {
  const std::size_t hidden = map.columns.values.size() - shown(map).size();
  std::string missing;
  if (map.merit == Merit::none) {
    missing = fmt::format(" No value is the best, because {} changes the work.",
                          in_words(map.columns.knob));
  }
  if (!map.context.simulated.empty()) {
    missing += " Simulated times have no intervals; the model's error is extra.";
  }
  if (hidden > 0) missing += fmt::format(" {} not shown.", counted(hidden, "value"));
  if (!left_out.empty()) missing += fmt::format(" No room for {}.", listed(left_out));
  const char* marks =
      map.context.simulated.empty()
          ? "*: the fastest, =: ties with it."
          : "*: the fastest, or the plainest of those that cannot be distinguished, =: the others.";
  return fmt::format("{}: means in us. {}{}",
                     map.merit == Merit::time_per_byte ? "Wall time per MiB of input" : "Wall time",
                     marks, missing);
}

/// Returns the work that all values share: "transfer, 256 MiB".
std::string shared_work(const RegimeMap& map) {
  const auto ran = std::ranges::find(map.cells, Status::ok, &Cell::status);
  if (map.merit != Merit::time || ran == map.cells.end()) return map.workload;
  return fmt::format("{}, {}", map.workload, format_bytes(ran->workload.bytes));
}

Page map_of(const RegimeMap& map) {
  const std::string details = fmt::format("{}, {} against {}", map.workload,
                                          in_words(map.columns.knob), in_words(map.rows->knob));
  return {heading(map, "Which variant wins where", details), Verbatim{grid(map)},
          Paragraph{legend(map)}};
}

Page curves_of(const RegimeMap& map) {
  std::vector<std::string> left_out;
  Table table = table_of(map, left_out);
  const std::string title = "Wall time against " + in_words(map.columns.knob);
  Page page{heading(map, title, shared_work(map)), std::move(table),
            Paragraph{legend(map, left_out)}};
  for (const Curve& curve : map.curves) {
    page.push_back(LabelledText{curve.variant, curve.words + "."});
  }
  for (const std::string& finding : map.findings) page.push_back(Bullet{"Best, " + finding + "."});
  return page;
}

}  // namespace

Page sweep_page(const RegimeMap& map) {
  Page page = map.rows ? map_of(map) : curves_of(map);
  const bool choice = map.rows || map.variants.size() > 1;
  for (const Band& band : choice ? map.borders : std::vector<Band>{}) {
    page.emplace_back(Bullet{(map.rows ? "" : "Where: ") + band.words + "."});
  }
  page.emplace_back(Paragraph{fmt::format("{}", fmt::join(remarks(map), " "))});
  return page;
}

}  // namespace trilane
