#include "common/measure/loop/results/merged_loops.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace trilane {
namespace {

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

void append(std::vector<double>& samples, const std::vector<double>& more) {
  samples.insert(samples.end(), more.begin(), more.end());
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
  append(sum.told_us, turn.told_us);
  append(sum.restart_us, turn.restart_us);
}

/// Returns true if the last record is complete. The first record always is, so it shows how many
/// turns a record has.
bool is_complete(const LoopTurn& last, const std::vector<LoopTurn>& turns) {
  return last.turns == turns.front().turns;
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

void add_turn(LoopMeasurement& measurement, LoopTurn turn, std::size_t most) {
  std::vector<LoopTurn>& turns = measurement.turns;
  std::uint64_t before = 0;
  for (const LoopTurn& earlier : turns) before += earlier.turns;
  thin(turn, measurement.sampled_every, first_of(before, measurement.sampled_every));
  if (!turns.empty() && !is_complete(turns.back(), turns)) {
    add(turns.back(), turn);
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
      m = {.teller = m.teller, .resubmission = m.resubmission, .reason = {}, .turns = {}};
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

}  // namespace trilane
