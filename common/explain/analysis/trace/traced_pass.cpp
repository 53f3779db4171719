#include "common/explain/analysis/trace/traced_pass.hpp"

#include <boost/json.hpp>

#include "common/explain/analysis/trace/trace_summary.hpp"
#include "common/model/results/find.hpp"

namespace trilane {
namespace {

TracedPass* pass_at(std::span<TracedPass> passes, double us) {
  const auto found = std::ranges::find_if(
      passes, [us](const TracedPass& pass) { return us >= pass.begin_us && us < pass.end_us; });
  return found == passes.end() ? nullptr : &*found;
}

template <typename Records>
void by_start(Records& records) {
  std::ranges::stable_sort(
      records, {}, [](const auto& record) { return std::pair(record.start_us, record.end_us); });
}

/// Shortens the last wait, which includes the second marker, to the end of the last operation.
void shorten_wait(TracedPass& pass) {
  if (pass.markers.empty() || pass.records.operations.empty()) return;
  const double marker_end = pass.markers.back().end_us;
  for (TracedCall& call : pass.records.calls) {
    if (call.end_us <= marker_end) continue;
    call.end_us -= std::max(0.0, marker_end - std::max(pass.last_end_us(), call.start_us));
  }
}

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
    Track track{.name = ++number == 1 ? name : fmt::format("{}, row {}", name, number)};
    track.*list = std::move(row);
    tracks.push_back(std::move(track));
  }
}

std::string lane_name(std::uint32_t lane, const TracedPass& pass) {
  if (lane == Label::none) return "whole pass";
  return fmt::format("{} {}", pass.recorded ? "stream" : "lane", lane);
}

namespace json = boost::json;

class ProcessWriter {
 public:
  ProcessWriter(json::array& events, int pid, const TracedPass& pass)
      : events_(events), pid_(pid), pass_(pass), tracks_(pass) {
    for (const TracedCall& call : pass.records.calls) calls_[call.id] = {&call, 0};
  }

  void write(const std::string& name) {
    metadata("process_name", 0, {{"name", name}});
    metadata("process_sort_index", 0, {{"sort_index", pid_}});
    for (const Track& track : tracks_.host) write_calls(track);
    for (const Track& track : tracks_.engines) write_operations(track, "engine");
    for (const Track& track : tracks_.lanes) write_operations(track, "lane");
  }

 private:
  void metadata(const char* what, int tid, json::object args) {
    events_.push_back(json::object{
        {"ph", "M"}, {"pid", pid_}, {"tid", tid}, {"name", what}, {"args", std::move(args)}});
  }

  void begin(const Track& track) {
    ++tid_;
    metadata("thread_name", tid_, {{"name", track.name}});
    metadata("thread_sort_index", tid_, {{"sort_index", tid_}});
  }

  /// Rounds, because the clock counts whole nanoseconds.
  double since_begin(double us) const { return rounded(us - pass_.begin_us); }
  static double rounded(double us) { return std::round(us * 1e3) / 1e3; }

  /// The end is rounded too, so that consecutive spans do not overlap.
  template <typename Item>
  void span(const char* category, const Item& item, json::object args) {
    const double start = since_begin(item.start_us);
    events_.push_back(json::object{{"ph", "X"},
                                   {"pid", pid_},
                                   {"tid", tid_},
                                   {"cat", category},
                                   {"name", item.name},
                                   {"ts", start},
                                   {"dur", rounded(since_begin(item.end_us) - start)},
                                   {"args", std::move(args)}});
  }

  static json::object label(const Label& label) {
    json::object args;
    if (label.chunk != Label::none) args["chunk"] = label.chunk;
    if (label.lane != Label::none) args["lane"] = label.lane;
    return args;
  }

  void write_calls(const Track& track) {
    begin(track);
    for (const TracedCall* call : track.calls) {
      calls_[call->id].second = tid_;
      span("call", *call, label(call->label));
    }
  }

  void write_operations(const Track& track, const char* category) {
    begin(track);
    for (const TracedOperation* operation : track.operations) {
      span(category, *operation, arguments(*operation));
      if (std::string_view(category) == "engine") flow(*operation);
    }
  }

  json::object arguments(const TracedOperation& operation) const {
    json::object args = label(operation.label);
    args["activity"] = name_of(operation.activity);
    args["stream"] = operation.stream;
    if (operation.graph_node != 0) args["graph_node"] = operation.graph_node;
    if (operation.bytes != 0) args["bytes"] = operation.bytes;
    const auto call = calls_.find(operation.call);
    if (call != calls_.end()) args["call"] = call->second.first->name;
    return args;
  }

  void flow(const TracedOperation& operation) {
    const auto found = calls_.find(operation.call);
    if (found == calls_.end() || found->second.second == 0) return;
    const auto& [call, tid] = found->second;
    json::object event{{"ph", "s"},
                       {"pid", pid_},
                       {"tid", tid},
                       {"cat", "issue"},
                       {"name", "issue"},
                       {"id", pid_ * 1'000'000 + ++flows_},
                       {"ts", since_begin(call->start_us)}};
    events_.push_back(event);
    event["ph"] = "f";
    event["bp"] = "e";
    event["tid"] = tid_;
    event["ts"] = since_begin(operation.start_us);
    events_.push_back(std::move(event));
  }

  json::array& events_;
  int pid_;
  const TracedPass& pass_;
  Tracks tracks_;
  std::unordered_map<std::uint64_t, std::pair<const TracedCall*, int>> calls_;  // with its track
  int tid_ = 0, flows_ = 0;
};

}  // namespace

double TracedPass::last_end_us() const {
  return std::ranges::max_element(records.operations, {}, &TracedOperation::end_us)->end_us;
}

const TracedPass& VariantTrace::shown() const {
  auto by_time = transformed(passes, [](const TracedPass& pass) { return &pass; });
  const auto middle = by_time.begin() + static_cast<std::ptrdiff_t>((by_time.size() - 1) / 2);
  std::ranges::nth_element(by_time, middle, {}, &TracedPass::event_us);
  return **middle;
}

void distribute(TraceRecords records, std::span<TracedPass> passes) {
  std::unordered_map<std::uint64_t, TracedPass*> of_call;
  for (TracedCall& call : records.calls) {
    TracedPass* const pass = pass_at(passes, call.start_us);
    if (pass == nullptr) continue;
    of_call[call.id] = pass;
    if (call.label.chunk != Label::marker) pass->records.calls.push_back(std::move(call));
  }
  for (TracedOperation& operation : records.operations) {
    const auto pass = of_call.find(operation.call);
    if (pass == of_call.end()) continue;
    const bool marker = operation.label.chunk == Label::marker;
    auto& list = marker ? pass->second->markers : pass->second->records.operations;
    list.push_back(std::move(operation));
  }
  for (TracedPass& pass : passes) {
    by_start(pass.records.operations);
    by_start(pass.records.calls);
    by_start(pass.markers);
    shorten_wait(pass);
    pass.records.lost = records.lost;
    if (!pass.records.calls.empty()) pass.begin_us = pass.records.calls.front().start_us;
  }
}

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

std::string chrome_trace(const std::vector<ComparisonTrace>& comparisons, const Context& context) {
  json::array events, passes;
  for (const ComparisonTrace& comparison : comparisons) {
    for (const VariantTrace& trace : comparison.variants) {
      const TracedPass& pass = trace.shown();
      const int pid = static_cast<int>(passes.size()) + 1;
      ProcessWriter(events, pid, pass).write(comparison.workload + ": " + trace.variant);
      passes.push_back(json::object{{"pid", pid},
                                    {"comparison", comparison.comparison},
                                    {"workload", comparison.workload},
                                    {"variant", trace.variant},
                                    {"recorded", pass.recorded},
                                    {"event_us", pass.event_us}});
    }
  }
  return json::serialize(
      json::object{{"traceEvents", std::move(events)},
                   {"displayTimeUnit", "ns"},
                   {"otherData", json::object{{"tool", "trilane " + context.tool_version},
                                              {"revision", context.git_revision},
                                              {"simulated", context.simulated},
                                              {"gpu", value_of(context.gpu, "name")},
                                              {"passes", std::move(passes)}}}});
}

}  // namespace trilane
