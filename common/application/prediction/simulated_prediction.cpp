#include "common/application/prediction/simulated_prediction.hpp"

#include <cuda_runtime_api.h>

#include "common/application/iteration/call_segments.hpp"
#include "common/application/iteration/call_traits.hpp"
#include "common/application/prediction/ways/ways.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/explain/analysis/verdict/derive.hpp"
#include "common/explain/statistics/statistics.hpp"
#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {
namespace {

constexpr int few = 3;

/// Returns the time of `count` iterations, from an idle device to an idle device.
double passes_us(const SimulatedPass& pass, int count) {
  return timed_us([&] {
    for (int i = 0; i < count; ++i) pass();
    check(cudaDeviceSynchronize());
  });
}

/// Returns the time of one more iteration after others: a host that does not wait runs ahead.
double iteration_us(const SimulatedPass& pass) {
  passes_us(pass, 1);
  const double few_us = passes_us(pass, few);
  return (passes_us(pass, 2 * few) - few_us) / few;
}

std::string why_no_pool(const ApplicationRecording& recording) {
  if (!includes(recording.calls, CallKind::allocate, &RecordedCall::kind)) {
    return "the iteration calls no cudaMalloc";
  }
  if (recording.streams.size() > 1) {
    return "the iteration uses several streams, and which of them frees the memory is not known";
  }
  return {};
}

bool uses_several_engines(const ApplicationRecording& recording) {
  std::set<RecordedEngine> engines;
  for (const RecordedCall& call : recording.calls) {
    if (is_simulated(call)) engines.insert(engine_of(call, recording));
  }
  return engines.size() > 1;
}

std::string why_no_engines(const ApplicationRecording& recording) {
  for (const RecordedCall& call : recording.calls) {
    if (allocated_kind(call.kind) == MemoryKind::pool) {
      return call.name + ": its memory comes and goes in the order of its stream";
    }
  }
  return uses_several_engines(recording) ? "" : "all operations run on one engine";
}

/// Returns why that way says nothing about a recording that can be simulated; empty if it does.
std::string why_not_this_way(SimulatedWay way, const ApplicationRecording& recording) {
  const bool something_varies = any_call(recording, varies);
  switch (way) {
    case SimulatedWay::same_calls: return {};
    case SimulatedWay::graph:
      if (something_varies) return "arguments or pointers vary from iteration to iteration";
      return why_no_graph(recording);
    case SimulatedWay::graph_set:
      if (!something_varies) return "nothing varies from iteration to iteration";
      if (any_call(recording, [](const auto& c) { return varies(c) && copies_in(c) > 1; })) {
        return "addresses of a batch vary from iteration to iteration";
      }
      return why_no_graph(recording);
    case SimulatedWay::engines: return why_no_engines(recording);
    case SimulatedWay::pinned:
      return any_call(recording, [&](const auto& call) { return is_pageable(call, recording); })
                 ? ""
                 : "no copy uses pageable memory";
    case SimulatedWay::pool: return why_no_pool(recording);
  }
  return {};
}

SimulatedTime time_of(SimulatedWay way, const ApplicationRecording& recording) {
  SimulatedTime time{.way = way, .why_not = why_not_this_way(way, recording)};
  if (!time.why_not.empty()) return time;
  try {
    time.us = iteration_us(make_pass(way, recording));
  } catch (const CudaError& error) {
    time.why_not = fmt::format("the simulated device refuses it: {}", error.what());
  } catch (const OutOfMemory&) {
    time.why_not = "the device of the profile, or this host, has too little memory for it";
  } catch (const std::bad_alloc&) {
    time.why_not = "this host has too little memory for it";
  }
  return time;
}

std::optional<double> measured_us(const ApplicationRecording& recording) {
  const auto& times = recording.watched_us.empty() ? recording.iteration_us : recording.watched_us;
  return times.empty() ? std::nullopt : std::optional(median(times));
}

/// Returns the factor by which a ratio may be off if each of two short times is off by look_us.
double look_error(const SimulatedTimes& all, const ApplicationRecording& recording) {
  const std::optional<double>& look_us = profile_in_use()->stream.look_us;
  if (!look_us || !uses_several_engines(recording)) return 1;
  const double same_us = *all.times.front().us;
  double least_us = same_us;
  for (const SimulatedTime& time : all.times)
    least_us = std::min(least_us, time.us.value_or(same_us));
  return least_us > 0 ? (1 + *look_us / same_us) * (1 + *look_us / least_us) : 1;
}

/// Returns the error of ratios: what the profile states, found with Trilane's own workloads; on the
/// same GPU also as much as the time of the same calls is off.
std::optional<double> error_of(const SimulatedTimes& all, const ApplicationRecording& recording) {
  const std::optional<ModelError>& error = profile_in_use()->error;
  if (!error) return std::nullopt;
  auto stated = prediction_with(*error, Tier::same_operations).ratio_error;
  if (stated) stated = std::max(*stated, look_error(all, recording));
  if (!stated || !all.same_gpu || !all.measured_us || *all.measured_us <= 0) return stated;
  const double off = *all.times.front().us / *all.measured_us;
  return off > 0 ? std::max({*stated, off, 1 / off}) : stated;
}

void compare(SimulatedTimes& all, const ApplicationRecording& recording) {
  const double same_us = *all.times.front().us;
  all.error_factor = error_of(all, recording);
  for (SimulatedTime& time : all.times) {
    if (!time.us || same_us <= 0) continue;
    time.ratio = *time.us / same_us;
    const double factor = all.error_factor.value_or(0);
    time.told_apart = all.error_factor && (*time.ratio > factor || *time.ratio * factor < 1);
  }
}

}  // namespace

SimulatedTimes simulated_times(const ApplicationRecording& recording) {
  if (profile_in_use() == nullptr) throw std::logic_error("a GPU predicts nothing");
  const TimedOnly timed;
  SimulatedTimes all{.profile = simulated_profile(),
                     .refusal = why_not_simulated(recording),
                     .measured_us = measured_us(recording),
                     .measured_on = recording.machine.gpu,
                     .same_gpu = profile_in_use()->name == recording.machine.gpu};
  if (!all.refusal.empty()) return all;
  for (const SimulatedWay way : enumerators<SimulatedWay>) {
    all.times.push_back(time_of(way, recording));
    if (way != SimulatedWay::same_calls || all.times.back().us) continue;
    all.refusal = std::exchange(all.times, {}).front().why_not;
    return all;
  }
  all.notes = assumptions(recording);
  if (has_recorded_allocations(recording)) {
    all.notes.emplace_back("Allocations and their frees also take their recorded times.");
  }
  if (!all.same_gpu) {
    all.notes.push_back(fmt::format(
        "The profile does not give the times of these kernels on its GPU; theirs are from {}.",
        all.measured_on.empty() ? "another" : all.measured_on));
  }
  compare(all, recording);
  return all;
}

}  // namespace trilane
