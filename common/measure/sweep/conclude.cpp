#include "common/measure/sweep/conclude.hpp"

#include "common/base/console/interrupt.hpp"
#include "common/explain/analysis/verdict/verdict.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/rounds/contest.hpp"
#include "common/measure/rounds/harness.hpp"
#include "common/measure/sweep/standing.hpp"

namespace trilane {
namespace {

constexpr double hopeless = 1.5;

bool is_close(const Ratio& ratio) { return ratio.high < 1 + 2 * tie_margin; }

/// Rounds times to nanoseconds and ratios to millionths, so that simulated maps are reproducible.
double rounded(double value, double step) { return std::round(value / step) * step; }

Ratio rounded(const Ratio& ratio) {
  return {rounded(ratio.estimate, 1e-6), rounded(ratio.low, 1e-6), rounded(ratio.high, 1e-6),
          ratio.covers};
}

bool ties(const Ratio& ratio) { return !(ratio.low > 1) || ratio.estimate < 1 + tie_margin; }

void rank_others(Cell& cell) {
  cell.tied.clear();
  const CellVariant* next = nullptr;
  for (const CellVariant& entry : cell.variants) {
    if (entry.variant == cell.winner) continue;
    if (ties({entry.over_winner, entry.low, entry.high})) cell.tied.push_back(entry.variant);
    if (!next || entry.over_winner < next->over_winner) next = &entry;
  }
  cell.runner_up = next ? next->variant : "";
}

std::vector<Winner> winners_in(const Comparison& comparison) {
  std::vector<Winner> winners;
  const Measurement* const reference = find_reference(comparison);
  for (const auto& [tier, places] : tiers_in(comparison)) {
    const Comparison part = part_of(comparison, places);
    const Standing standing = standing_of(part);
    if (!standing.leader) continue;
    Winner& winner = winners.emplace_back();
    winner.tier = tier;
    winner.variant = standing.leader->variant;
    if (reference && winner.variant != reference->variant && was_timed(*reference)) {
      winner.ratio = ratio_over_leader(*standing.leader, *reference);
      if (winner.ratio) winner.ratio = rounded(*winner.ratio);
    }
    for (std::size_t i = 0; i < part.measurements.size(); ++i) {
      const Measurement& m = part.measurements[i];
      const bool tied = standing.ratios[i] && ties(rounded(*standing.ratios[i]));
      if (tied && &m != standing.leader) winner.tied.push_back(m.variant);
    }
  }
  return winners;
}

std::optional<Ratio> gain_over(const Cell& cell, const std::string& other, Covers covers) {
  const CellVariant* const found = find_variant(cell, other);
  if (!found) return std::nullopt;
  return Ratio{found->over_winner, found->low, found->high, covers};
}

/// The findings of all visits by variant name, with a sample for each process.
using Found = std::map<std::string, CellVariant>;

Comparison over_processes(Comparison visit, const Found& found, std::uint32_t visits) {
  visit.processes = visits;
  for (Measurement& m : visit.measurements) {
    m.samples.clear();
    const auto of = found.find(m.variant);
    if (of == found.end() || of->second.processes.size() != visits) continue;
    for (const ProcessTimes& times : of->second.processes) {
      const auto process = static_cast<std::uint32_t>(m.samples.size());
      m.samples.push_back(
          {.submit_us = times.submit_us, .wall_us = times.wall_us, .process = process});
    }
  }
  return visit;
}

/// Returns true if every other variant is clearly slower than the winner or ties with it.
bool is_decided(const Cell& cell) {
  return std::ranges::all_of(cell.variants, [](const CellVariant& entry) {
    return entry.low > 1 + tie_margin || entry.high < 1 + 2 * tie_margin;
  });
}

auto first_left_out(const Cell& cell, Status status) {
  return std::ranges::find_if(cell.left_out, [&](const Property& entry) {
    return entry.second.starts_with(name_of(status));
  });
}

bool has(const Cell& cell, Status status) {
  return cell.status == status || first_left_out(cell, status) != cell.left_out.end();
}

}  // namespace

/// Drops the variants that have lost to the leader. Returns true if every other one ties.
bool Race::settle(const Comparison& tier, std::vector<bool>& dropped) const {
  const Standing standing = standing_of(tier);
  bool all_clear = true;
  for (std::size_t i = 0; i < standing.ratios.size(); ++i) {
    const Measurement& m = tier.measurements[i];
    if (!standing.ratios[i] || dropped[i]) continue;
    const bool known = aim_ != Aim::curve || is_known_to(tie_margin, m);
    if (!known) all_clear = false;
    if (&m == standing.leader) continue;
    const std::vector<double> ratios = round_ratios(m.samples, standing.leader->samples);
    const bool enough = ratios.size() >= fewest_rounds;
    const Ratio ratio = enough ? cautious_ratio(ratios) : *standing.ratios[i];
    if (enough ? has_lost(ratio, tie_margin)
               : ratio.low > hopeless && m.variant != tier.reference) {
      dropped[i] = known;
    } else if (!is_close(ratio)) {
      all_clear = false;
    }
  }
  return all_clear;
}

std::string Race::operator()(const Comparison& comparison, std::vector<bool>& dropped) {
  if (comparison.rounds < next_look_) return "";
  next_look_ = next_look(comparison.rounds);
  bool all_clear = comparison.rounds >= fewest_rounds;
  Comparison leaders = part_of(comparison, {});
  for (const auto& [tier, places] : tiers_in(comparison)) {
    const Comparison part = part_of(comparison, places);
    std::vector<bool> lost;
    for (const std::size_t place : places) lost.push_back(dropped[place]);
    all_clear &= settle(part, lost);
    for (std::size_t i = 0; i < places.size(); ++i) dropped[places[i]] = lost[i];
    if (const Measurement* leader = standing_of(part).leader)
      leaders.measurements.push_back(*leader);
  }
  // A variant that lost to another tier still races within its own.
  std::vector<bool> stay(leaders.measurements.size());
  all_clear &= settle(leaders, stay);
  return all_clear ? "decided" : "";
}

void conclude(const Comparison& comparison, Cell& cell) {
  cell.rounds = comparison.rounds;
  cell.seconds = comparison.seconds;
  cell.variants.clear();
  cell.left_out.clear();
  const Standing standing = standing_of(comparison);
  const double leader_us = standing.leader ? pass_us(standing.leader->samples) : 0;
  for (std::size_t i = 0; i < comparison.measurements.size(); ++i) {
    const Measurement& m = comparison.measurements[i];
    if (!standing.leader || !standing.ratios[i]) {
      cell.left_out.emplace_back(m.variant, fmt::format("{}: {}", name_of(m.status), m.message));
    } else {
      const Ratio ratio = rounded(*standing.ratios[i]);
      const WallTime wall = wall_time_of(m);
      // A dropped variant shares only some rounds with the leader, to which it is compared.
      const double paired = m.prediction ? 1 : leader_us * ratio.estimate / wall.mean;
      cell.variants.push_back({.variant = m.variant,
                               .wall_us = rounded(wall.mean * paired, 1e-3),
                               .submit_us = rounded(pass_us(m.samples, &Sample::submit_us), 1e-3),
                               .wall_low_us = rounded(wall.low * paired, 1e-3),
                               .wall_high_us = rounded(wall.high * paired, 1e-3),
                               .over_winner = ratio.estimate,
                               .low = ratio.low,
                               .high = ratio.high,
                               .rounds = rounds_in(m.samples)});
    }
  }
  const bool memory =
      any_with(Status::out_of_memory, comparison) && !any_with(Status::failed, comparison);
  cell.status = standing.leader ? Status::ok : memory ? Status::out_of_memory : Status::failed;
  cell.stopped = standing.leader ? comparison.stopped : "";
  cell.winner = standing.leader ? standing.leader->variant : "";
  cell.winners = winners_in(comparison);
  cell.reason = standing.leader || cell.left_out.empty()
                    ? ""
                    : cell.left_out.front().first + " " + cell.left_out.front().second;
  rank_others(cell);
  cell.over_runner_up = gain_over(cell, cell.runner_up, covers_of(comparison));
  cell.over_reference = gain_over(cell, comparison.reference, covers_of(comparison));
}

void add_visit(Comparison visit, Cell& cell) {
  const std::vector<Property> left_out = std::move(cell.left_out);
  std::erase_if(visit.measurements, [&](const Measurement& m) {
    return includes(left_out, m.variant, &Property::first);
  });
  Found found;
  for (const CellVariant& entry : cell.variants) found[entry.variant] = entry;
  const std::uint32_t rounds = cell.rounds + visit.rounds;
  conclude(visit, cell);
  for (const CellVariant& entry : cell.variants) {
    CellVariant& of = found[entry.variant];
    of.rounds += entry.rounds;
    of.processes.push_back({entry.wall_us, entry.submit_us});
  }
  if (++cell.visits > 1) {
    conclude(over_processes(std::move(visit), found, cell.visits), cell);
    if (cell.status == Status::ok) cell.stopped = is_decided(cell) ? "decided" : "time";
  }
  cell.rounds = rounds;
  for (CellVariant& entry : cell.variants) {
    entry.rounds = found[entry.variant].rounds;
    entry.processes = found[entry.variant].processes;
  }
  cell.left_out.insert(cell.left_out.begin(), left_out.begin(), left_out.end());
}

bool attempt(Cell& cell, const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const Interrupted&) {
    // Interrupted: the cell stays as it was.
  } catch (const UsageError& error) {  // knobs contradict each other in this cell
    cell.status = Status::not_supported;
    cell.reason = error.what();
  } catch (const std::bad_alloc&) {
    cell.status = Status::out_of_memory;
    cell.reason = "the host ran out of memory: sweep to smaller sizes";
  } catch (...) {
    std::tie(cell.status, cell.reason) = failure_of(std::current_exception());
  }
  return false;
}

std::string failure_in(const Cell& cell) {
  const auto failed = first_left_out(cell, Status::failed);
  return failed == cell.left_out.end() ? cell.reason : failed->first + " " + failed->second;
}

std::string loss_text(const RegimeMap& map, const Cell& cell, bool resumable) {
  const auto left = std::ranges::count(map.cells, Status::not_run, &Cell::status);
  std::string text = fmt::format("{}: {}: this leaves the GPU unusable for the process",
                                 place_text(map, cell), failure_in(cell));
  if (left == 0) return text;
  return text + fmt::format(", and {} of {} {}s were not run; {}", left, map.cells.size(),
                            noun_of(map),
                            resumable ? "the same command resumes with them"
                                      : "with --json FILE the same command could resume with them");
}

ExitCode exit_code_of(const RegimeMap& map) {
  bool anything = false, out_of_memory = false;
  for (const Cell& cell : map.cells) {
    if (has(cell, Status::failed)) return exit_wrong;
    anything |= cell.status == Status::ok;
    out_of_memory |= has(cell, Status::out_of_memory);
  }
  return anything && !out_of_memory ? exit_ok : exit_not_possible;
}

}  // namespace trilane
