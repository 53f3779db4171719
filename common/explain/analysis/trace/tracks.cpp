#include "common/explain/analysis/trace/tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/explain/analysis/trace/causes.hpp"

namespace trilane {

namespace {

/// Puts each item, in the order of their starts, into the first free row.
template <typename Item>
std::vector<std::vector<const Item*>> rows_of(const std::vector<const Item*>& items) {
  std::vector<std::vector<const Item*>> rows;
  for (const Item* item : items) {
    const auto free = std::ranges::find_if(
        rows, [&](const auto& row) { return row.back()->end_us <= item->start_us; });
    (free == rows.end() ? rows.emplace_back() : *free).push_back(item);
  }
  return rows;
}

template <typename Item>
void add(std::vector<Track>& tracks, const std::string& name, std::vector<const Item*> Track::*list,
         const std::vector<const Item*>& items) {
  int number = 0;
  for (auto& row : rows_of(items)) {
    Track track{.name = ++number == 1 ? name : fmt::format("{}, row {}", name, number),
                .calls = {},
                .operations = {}};
    track.*list = std::move(row);
    tracks.push_back(std::move(track));
  }
}

std::string lane_name(std::uint32_t lane, const TracedPass& pass) {
  if (lane == Label::none) return "whole pass";
  return fmt::format("{} {}", pass.recorded ? "stream" : "lane", lane);
}

}  // namespace

Tracks::Tracks(const TracedPass& pass) {
  std::map<std::uint64_t, std::vector<const TracedCall*>> threads;
  for (const TracedCall& call : pass.records.calls) threads[call.thread].push_back(&call);
  // The thread that began the pass is the host; the threads of a crew follow.
  const std::uint64_t first = pass.records.calls.empty() ? 0 : pass.records.calls.front().thread;
  if (!threads.empty()) add(host, "host", &Track::calls, threads.extract(first).mapped());
  for (int number = 2; const auto& [thread, calls] : threads) {
    add(host, fmt::format("host thread {}", number++), &Track::calls, calls);
  }

  auto of_engine = by_engine(pass);
  for (const char* engine : engine_names) {
    add(engines, engine, &Track::operations, of_engine[engine]);
  }
  std::map<std::uint32_t, OperationList> by_lane;
  for (const TracedOperation& operation : pass.records.operations) {
    by_lane[operation.label.lane].push_back(&operation);
  }
  for (const auto& [lane, operations] : by_lane) {
    add(lanes, lane_name(lane, pass), &Track::operations, operations);
  }
}

}  // namespace trilane
