// A tracer on a fresh machine, for the tests of its records.
#pragma once

#include "common/device/flavour/tracer.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

/// A restarted machine, a stream and memory made on it, and then a tracer.
struct Traced {
  explicit Traced(const Settings& settings = usual())
      : stream((start(settings), make_stream())),
        memory(make_device_buffer(64)),
        tracer(start_tracing()) {}

  void clear(std::size_t bytes = 64) const {
    check(cudaMemsetAsync(memory.get(), 0, bytes, stream.get()));
  }
  TraceRecords wait_and_take() const {
    check(cudaStreamSynchronize(stream.get()));
    return tracer->take();
  }

  Stream stream;
  DeviceBuffer memory;
  std::unique_ptr<Tracer> tracer;
};

/// Returns the names of calls or operations, separated by commas.
template <typename Record>
std::string names_of(const std::vector<Record>& records) {
  std::string all;
  for (const Record& record : records) all += (all.empty() ? "" : ", ") + record.name;
  return all;
}

}  // namespace trilane::simulator::rules
