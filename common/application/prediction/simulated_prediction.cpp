#include "common/application/prediction/simulated_prediction.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "common/analysis/prediction/fit_error.hpp"
#include "common/analysis/statistics/statistics.hpp"
#include "common/application/prediction/ways/simulated_pass.hpp"
#include "common/application/prediction/why_not_simulated.hpp"
#include "common/application/prediction/why_not_this_way.hpp"
#include "common/device/flavour.hpp"
#include "common/gpu/runtime/check.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {
namespace {

constexpr int few = 3;

/// From an idle device to an idle device.
double passes_us(SimulatedPass& pass, int count) {
  return timed_us([&] {
    for (int i = 0; i < count; ++i) pass.run();
    check(cudaDeviceSynchronize());
  });
}

/// What one more iteration takes, after others: where the host does not wait in it, it runs ahead
/// of the device.
double iteration_us(SimulatedPass& pass) {
  passes_us(pass, 1);
  const double few_us = passes_us(pass, few);
  return (passes_us(pass, 2 * few) - few_us) / few;
}

/// The time, or why the iteration could not be run.
SimulatedTime time_of(SimulatedWay way, const ApplicationRecording& recording) {
  SimulatedTime time{.way = way, .why_not = why_not_this_way(way, recording)};
  if (!time.why_not.empty()) return time;
  try {
    time.us = iteration_us(*make_pass(way, recording));
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

/// Ratios may be off by what the profile states, found with Trilane's own workloads, and on the
/// same GPU by as much as the time of the same calls is.
std::optional<double> error_of(const SimulatedTimes& all) {
  const std::optional<ModelError>& error = profile_in_use()->error;
  if (!error) return std::nullopt;
  const auto stated = prediction_with(*error, Tier::same_operations).ratio_error;
  if (!stated || !all.same_gpu || !all.measured_us || *all.measured_us <= 0) return stated;
  const double off = *all.times.front().us / *all.measured_us;
  return off > 0 ? std::max({*stated, off, 1 / off}) : stated;
}

void compare(SimulatedTimes& all) {
  const double same_us = *all.times.front().us;
  all.error_factor = error_of(all);
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
  for (const SimulatedWay way : all_simulated_ways) {
    all.times.push_back(time_of(way, recording));
    if (way != SimulatedWay::same_calls || all.times.back().us) continue;
    all.refusal = std::exchange(all.times, {}).front().why_not;
    return all;
  }
  all.notes = assumptions(recording);
  if (!all.same_gpu) {
    all.notes.push_back(fmt::format(
        "The profile does not say how fast these kernels are on its GPU; their times are of {}.",
        all.measured_on.empty() ? "another" : all.measured_on));
  }
  compare(all);
  return all;
}

}  // namespace trilane
