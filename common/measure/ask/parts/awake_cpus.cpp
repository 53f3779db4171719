#include "common/measure/ask/parts/awake_cpus.hpp"

#include <pthread.h>
#include <sched.h>

namespace trilane {
namespace {

/// Spins on the CPU at the lowest priority. Without permission to set affinity or priority, the
/// thread spins as it is.
void spin_on(int cpu, const std::stop_token& stop) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(cpu, &only);
  pthread_setaffinity_np(pthread_self(), sizeof only, &only);
  const sched_param lowest{};
  pthread_setschedparam(pthread_self(), SCHED_IDLE, &lowest);
  while (!stop.stop_requested()) {
  }
}

}  // namespace

AwakeCpus::AwakeCpus() {
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return;
  // The caller's processor is already awake, and a thread spinning there would delay it.
  const int own = sched_getcpu();
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &all) || cpu == own) continue;
    spinners_.emplace_back([cpu](const std::stop_token& stop) { spin_on(cpu, stop); });
  }
}

}  // namespace trilane
