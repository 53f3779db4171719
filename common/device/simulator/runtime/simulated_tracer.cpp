// Traces of the simulated device: complete, and free in virtual time.
#include "common/device/flavour/tracer.hpp"

#include "common/base/text/exit_code.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/device/simulator/machine/machine.hpp"

namespace trilane {

using simulator::Locked;

namespace {

class SimulatedTracer final : public Tracer {
 public:
  SimulatedTracer() {
    const Locked machine;
    if (machine->trace != nullptr) {
      throw NotPossible("tracing is unavailable: another tracer is active; end that one first");
    }
    machine->trace = &log_;
  }

  ~SimulatedTracer() override {
    const Locked machine;
    if (machine->trace == &log_) machine->trace = nullptr;  // null after restart()
  }

  double now_us() override { return trilane::now_us(); }

  TraceRecords take() override {
    const Locked machine;
    return log_.take();
  }

 private:
  simulator::TraceLog log_;
};

}  // namespace

std::unique_ptr<Tracer> start_tracing() { return std::make_unique<SimulatedTracer>(); }

void ensure_tracing() {}

}  // namespace trilane
