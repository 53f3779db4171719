// Traces of the simulated device: complete, and without cost in virtual time.
#include "common/device/tracer.hpp"

#include <mutex>

#include "common/device/flavour.hpp"
#include "common/device/simulator/machine/machine.hpp"
#include "common/text/exit_code.hpp"

namespace trilane {

using simulator::Machine;
using simulator::machine;

namespace {

class SimulatedTracer final : public Tracer {
 public:
  SimulatedTracer() {
    Machine& m = machine();
    const std::lock_guard lock(m.mutex);
    if (m.trace != nullptr) {
      throw NotPossible("tracing is unavailable: another tracer is active; end that one first");
    }
    m.trace = &log_;
  }

  ~SimulatedTracer() override {
    Machine& m = machine();
    const std::lock_guard lock(m.mutex);
    if (m.trace == &log_) m.trace = nullptr;  // null after restart()
  }

  double now_us() override { return trilane::now_us(); }

  TraceRecords take() override {
    const std::lock_guard lock(machine().mutex);
    return log_.take();
  }

 private:
  simulator::TraceLog log_;
};

}  // namespace

std::unique_ptr<Tracer> start_tracing() { return std::make_unique<SimulatedTracer>(); }

void ensure_tracing() {}

}  // namespace trilane
