#include "common/application/recorder/listening/cost_probe.hpp"

#include <vector>

#include "common/application/finding/listening_samples.hpp"
#include "common/application/iteration/clock.hpp"
#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/recorder/listening/thread_state.hpp"
#include "common/explain/statistics/statistics.hpp"

namespace trilane {
namespace {

constexpr std::size_t calls = 400;
constexpr std::size_t batches = 20;

/// The driver's answer does not matter: without a context it is an error, which is not stored
/// anywhere.
template <typename Ask>
void ask_often(Ask ask, std::size_t times) {
  CUdevice device = 0;
  for (std::size_t i = 0; i < times; ++i) static_cast<void>(ask(&device));
}

template <typename Ask>
double untraced_us(Ask ask) {
  std::vector<double> each_us;
  for (std::size_t i = 0; i < batches; ++i) {
    const double start_us = recorder_now_us();
    ask_often(ask, calls / batches);
    each_us.push_back((recorder_now_us() - start_us) / (calls / batches));
  }
  return median(each_us);
}

}  // namespace

std::optional<ListeningCosts> measured_costs(Subscription& subscription) {
  const auto ask = driver_functions().ctx_get_device;
  if (ask == nullptr) return std::nullopt;
  const double by_itself_us = untraced_us(ask);
  ListeningSamples samples(calls);
  this_thread.samples = &samples;
  subscription.enable_probe(true);
  ask_often(ask, calls);
  subscription.enable_probe(false);
  this_thread.samples = nullptr;
  return samples.costs(by_itself_us);
}

}  // namespace trilane
