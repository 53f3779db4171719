// A tracer on a fresh machine, for the tests of what it sees.
#pragma once

#include <memory>
#include <string>

#include "common/device/flavour/tracer.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

/// A machine that was started over, a stream and memory that were made on it, and then a tracer.
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

/// The names of calls or operations, with commas between.
template <typename Record>
std::string names_of(const std::vector<Record>& records) {
  std::string all;
  for (const Record& record : records) all += (all.empty() ? "" : ", ") + record.name;
  return all;
}

}  // namespace trilane::simulator::rules
