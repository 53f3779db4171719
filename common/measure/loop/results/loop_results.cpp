#include "common/measure/loop/results/loop_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "common/base/json/pretty_json.hpp"
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

}  // namespace

const std::vector<Loop>& loop_presets() {
  constexpr std::uint64_t KiB = 1024;
  static const std::vector<Loop> all{
      {.name = "pair", .lanes = 2, .in_bytes = 16 * KiB, .out_bytes = 4 * KiB, .kernel_us = 1000},
      {.name = "swarm", .lanes = 8, .in_bytes = 16 * KiB, .out_bytes = 4 * KiB, .kernel_us = 50}};
  return all;
}

Workload workload_of(const Loop& loop) {
  Workload workload;
  workload.name = "custom";
  workload.bytes = loop.lanes * loop.in_bytes;
  workload.chunk_bytes = loop.in_bytes;
  workload.result_bytes = loop.out_bytes;
  workload.lanes = loop.lanes;
  workload.rounds = loop.rounds;
  return workload;
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
