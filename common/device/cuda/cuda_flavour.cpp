// The flavour for a GPU: real time, no simulation.
#include "common/device/flavour/flavour.hpp"

namespace trilane {

double now_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

void spend_us(double us) {
  const double start = now_us();
  while (now_us() - start < us) continue;
}

std::string simulated_profile() { return {}; }

const Profile* profile_in_use() { return nullptr; }

std::string why_not_modelled(HostMemory, Wait) { return {}; }

std::vector<std::string> left_out(const Workload&) { return {}; }

bool is_modelled(const Model&) { return true; }

void start_simulation(const SimulationSettings&) {}

TimedOnly::TimedOnly() = default;
TimedOnly::~TimedOnly() = default;

struct HostThreads::Order {};
HostThreads::HostThreads(std::uint32_t, bool) {}
HostThreads::~HostThreads() = default;
HostThread::HostThread(HostThreads&, std::uint32_t) {}
HostThread::~HostThread() = default;

std::vector<std::string> take_hazards() { return {}; }

std::shared_ptr<const void> declare_kernel(const DeclaredKernel& kernel) {
  throw std::logic_error("a GPU must run the kernel " + kernel.name);
}

}  // namespace trilane
