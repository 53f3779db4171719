#include "common/measure/loop/results/loop_results.hpp"

#include "common/base/json/json_values.hpp"
#include "common/base/text/size.hpp"
#include "common/base/text/words.hpp"
#include "common/model/workload/knobs.hpp"

namespace trilane {
namespace {

/// Rounding to the digits of a file may lift a sum above the span that contains it.
constexpr double rounding = 1e-9;
/// A nanosecond, in microseconds: rates divide by these times, and must stay finite.
constexpr double least_us = 1e-3;

void require_at_most(const char* key, std::size_t count, std::uint64_t items) {
  if (count <= items) return;
  throw Misfit{step(std::string_view(key)),
               fmt::format("has {} entries, and there are {} items", count, items)};
}

/// Keeps every n-th sample, beginning with the one at `first`.
void thin(std::vector<double>& samples, std::uint32_t every, std::uint32_t first) {
  std::size_t kept = 0;
  for (std::size_t i = first; i < samples.size(); i += every) samples[kept++] = samples[i];
  samples.resize(kept);
}

void thin(LoopTurn& turn, std::uint32_t every, std::uint32_t first) {
  thin(turn.told_us, every, first);
  thin(turn.restart_us, every, first);
}

/// Spreads the first samples of turns evenly over 0 to every - 1, by Weyl's sequence: a turn's
/// first item, on an idle device, must not be kept more often than others.
std::uint32_t first_of(std::uint64_t turn, std::uint32_t every) {
  constexpr double golden = 0.6180339887498949;
  const double steps = golden * static_cast<double>(turn);
  return static_cast<std::uint32_t>((steps - std::floor(steps)) * every);
}

void add(LoopTurn& sum, const LoopTurn& turn) {
  sum.turns += turn.turns;
  sum.items += turn.items;
  sum.wall_us += turn.wall_us;
  sum.span_us += turn.span_us;
  sum.busy_us += turn.busy_us;
  if (sum.cpu_us && turn.cpu_us) {
    *sum.cpu_us += *turn.cpu_us;
  } else {
    sum.cpu_us.reset();
  }
  sum.clock_error_us = std::max(sum.clock_error_us, turn.clock_error_us);
  std::ranges::copy(turn.told_us, std::back_inserter(sum.told_us));
  std::ranges::copy(turn.restart_us, std::back_inserter(sum.restart_us));
}

void add_up_neighbours(std::vector<LoopTurn>& turns) {
  for (std::size_t i = 0; i + 1 < turns.size(); i += 2) {
    add(turns[i], turns[i + 1]);
    if (i > 0) turns[i / 2] = std::move(turns[i]);
  }
  turns.resize(turns.size() / 2);
}

/// Keeps samples of every `every`-th item, a multiple of the earlier step.
void thin(LoopMeasurement& measurement, std::uint32_t every) {
  for (LoopTurn& turn : measurement.turns) thin(turn, every / measurement.sampled_every, 0);
  measurement.sampled_every = every;
}

std::size_t samples_in(const std::vector<LoopTurn>& turns) {
  std::size_t samples = 0;
  for (const LoopTurn& turn : turns) samples += turn.told_us.size();
  return samples;
}

void bound_samples(LoopMeasurement& measurement) {
  while (samples_in(measurement.turns) > most_samples)
    thin(measurement, 2 * measurement.sampled_every);
}

/// Adds a process, with its number, to earlier ones. Samples are dropped until both sets are of
/// every n-th item, and beyond `most_samples`.
void append(LoopMeasurement& all, LoopMeasurement more, std::uint32_t process) {
  if (all.teller != more.teller || all.resubmission != more.resubmission) {
    throw std::invalid_argument("the processes have different contenders");
  }
  if (all.status == LoopStatus::ok) {
    all.status = more.status;
    all.reason = more.reason;
  }
  all.checked += more.checked;
  const std::uint32_t every = std::max(all.sampled_every, more.sampled_every);
  thin(all, every);
  thin(more, every);
  for (LoopTurn& turn : more.turns) {
    turn.process = process;
    all.turns.push_back(std::move(turn));
  }
  bound_samples(all);
}

}  // namespace

const std::vector<Loop>& loop_presets() {
  constexpr std::uint64_t KiB = 1024;
  static const std::vector<Loop> all{
      {.name = "pair", .lanes = 2, .in_bytes = 16 * KiB, .out_bytes = 4 * KiB, .kernel_us = 1000},
      {.name = "swarm", .lanes = 8, .in_bytes = 16 * KiB, .out_bytes = 4 * KiB, .kernel_us = 50}};
  return all;
}

Workload workload_of(const Loop& loop) {
  return {.name = "custom",
          .bytes = loop.lanes * loop.in_bytes,
          .chunk_bytes = loop.in_bytes,
          .result_bytes = loop.out_bytes,
          .lanes = loop.lanes,
          .rounds = loop.rounds};
}

std::string lanes_of(const Loop& loop) {
  return fmt::format("{}, {} in, {} out", counted(loop.lanes, "lane"), format_bytes(loop.in_bytes),
                     format_bytes(loop.out_bytes));
}

std::string times_of(const Loop& loop) {
  const std::string kernel = "kernel of " + time_in_words(loop.kernel_us);
  return loop.analysis_us == 0 ? kernel
                               : kernel + ", analysis of " + time_in_words(loop.analysis_us);
}

void cross_check(const Loop& loop) {
  if (loop.lanes < 1 || loop.lanes > max_lanes) {
    throw Misfit{".lanes", fmt::format("is {} and must be from 1 to {}", loop.lanes, max_lanes)};
  }
  if (loop.in_bytes > max_size / loop.lanes) {
    throw Misfit{".in_bytes",
                 fmt::format("is {}, too much for {} lanes", loop.in_bytes, loop.lanes)};
  }
  if (const std::string flaw = flaw_of(workload_of(loop)); !flaw.empty()) misfit(flaw);
}

void cross_check(const LoopTurn& turn) {
  if (turn.turns == 0) throw Misfit{".turns", "is 0"};
  if (turn.items == 0) throw Misfit{".items", "is 0"};
  for (const auto& [key, us] : {std::pair{"wall_us", turn.wall_us}, {"span_us", turn.span_us}}) {
    within(std::string_view(key), [&] { require_in(us, {least_us, day_us}); });
  }
  if (turn.busy_us > turn.span_us * (1 + rounding)) {
    throw Misfit{".busy_us", fmt::format("is {}, above span_us, {}", turn.busy_us, turn.span_us)};
  }
  require_at_most("told_us", turn.told_us.size(), turn.items);
  require_at_most("restart_us", turn.restart_us.size(), turn.items);
}

void cross_check(const LoopMeasurement& m) {
  if (m.teller.empty()) throw Misfit{".teller", "is empty"};
  if (m.sampled_every == 0) throw Misfit{".sampled_every", "is 0"};
  for (std::size_t i = 0; i < m.turns.size(); ++i) {
    if (m.turns[i].items <= m.checked) continue;
    throw Misfit{".turns" + step(i) + ".items",
                 fmt::format("is {}, and {} were checked", m.turns[i].items, m.checked)};
  }
  const auto told = [](const LoopTurn& turn) { return !turn.told_us.empty(); };
  if (!m.turns.empty() && std::ranges::none_of(m.turns, told)) {
    throw Misfit{".turns", "have no entry in told_us"};
  }
}

void cross_check(const LoopComparison& comparison) {
  std::set<std::pair<std::string, Resubmission>> seen;
  for (std::size_t i = 0; i < comparison.measurements.size(); ++i) {
    const LoopMeasurement& m = comparison.measurements[i];
    if (seen.emplace(m.teller, m.resubmission).second) continue;
    throw Misfit{".measurements" + step(i),
                 fmt::format("is of {}, {}, as before", m.teller, name_of(m.resubmission))};
  }
}

void add_turn(LoopMeasurement& measurement, LoopTurn turn, std::size_t most) {
  std::vector<LoopTurn>& turns = measurement.turns;
  std::uint64_t before = 0;
  for (const LoopTurn& earlier : turns) before += earlier.turns;
  thin(turn, measurement.sampled_every, first_of(before, measurement.sampled_every));
  if (!turns.empty() && turns.back().turns != turns.front().turns) {
    add(turns.back(), turn);  // which is not complete
  } else {
    if (turns.size() == most) add_up_neighbours(turns);
    turns.push_back(std::move(turn));
  }
  bound_samples(measurement);
}

LoopResults merged_loops(std::span<const LoopResults> all) {
  if (all.empty()) throw std::invalid_argument("no loops to merge");
  LoopResults merged = *std::ranges::max_element(
      all, {}, [](const LoopResults& results) { return results.loops.size(); });
  merged.context = all.front().context;
  merged.seed = all.front().seed;
  for (std::size_t i = 0; i < merged.loops.size(); ++i) {
    std::vector<LoopMeasurement>& measurements = merged.loops[i].measurements;
    for (LoopMeasurement& m : measurements) {
      m = {.teller = m.teller, .resubmission = m.resubmission};
    }
    for (std::uint32_t process = 0; process < all.size(); ++process) {
      if (i >= all[process].loops.size()) continue;
      const LoopComparison& more = all[process].loops[i];
      for (std::size_t m = 0; m < measurements.size(); ++m) {
        append(measurements[m], more.measurements.at(m), process);
      }
    }
  }
  return merged;
}

void round_to_nanoseconds(LoopComparison& comparison) {
  for (LoopMeasurement& measurement : comparison.measurements) {
    for (LoopTurn& turn : measurement.turns) {
      for (double& us : turn.told_us) us = to_nanoseconds(us);
      for (double& us : turn.restart_us) us = to_nanoseconds(us);
    }
  }
}

std::string to_json(const LoopResults& results) {
  return pretty(document_of(loops_schema, results));
}

LoopResults loops_from_json(const std::string& text) {
  return record_from<LoopResults>(text, loops_schema, "loop file");
}

}  // namespace trilane
