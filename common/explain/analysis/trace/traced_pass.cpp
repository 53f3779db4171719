#include "common/explain/analysis/trace/traced_pass.hpp"

namespace trilane {
namespace {

/// Returns the pass in which a call began; nullptr for a call between passes.
TracedPass* pass_at(std::span<TracedPass> passes, double us) {
  const auto found = std::ranges::find_if(
      passes, [us](const TracedPass& pass) { return us >= pass.begin_us && us < pass.end_us; });
  return found == passes.end() ? nullptr : &*found;
}

template <typename Records>
void by_start(Records& records) {
  std::ranges::stable_sort(records, [](const auto& a, const auto& b) {
    return a.start_us < b.start_us || (a.start_us == b.start_us && a.end_us < b.end_us);
  });
}

/// Shortens the last wait, which lasts until the second marker ends: removes its part after the end
/// of the last operation.
void shorten_wait(TracedPass& pass) {
  if (pass.markers.empty() || pass.records.operations.empty()) return;
  const double marker_end = pass.markers.back().end_us;
  for (TracedCall& call : pass.records.calls) {
    if (call.end_us <= marker_end) continue;
    call.end_us -= std::max(0.0, marker_end - std::max(pass.last_end_us(), call.start_us));
  }
}

}  // namespace

double TracedPass::between_markers_us() const {
  return markers.back().end_us - markers.front().end_us;
}
double TracedPass::first_start_us() const { return records.operations.front().start_us; }
double TracedPass::last_end_us() const {
  return std::ranges::max_element(records.operations, {}, &TracedOperation::end_us)->end_us;
}

const TracedPass& VariantTrace::shown() const {
  std::vector<const TracedPass*> by_time;
  for (const TracedPass& pass : passes) by_time.push_back(&pass);
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

}  // namespace trilane
