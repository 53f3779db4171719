// Variants that do their work and one thing wrong: for the harness to report, for a sanitizer to
// find. They make tests fail whose failures would otherwise never be seen.
#include <stdexcept>

#include "common/measure/gpu/scratch.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"
#include "tests/variants/planted/planted_kernels.hpp"

namespace trilane {
namespace {

/// One stream, no waiting; `Fault` gets a hook after every step.
template <typename Fault>
class Planted : public Variant {
 public:
  explicit Planted(const Job& job) : job_(job), scratch_(job.workload, 1) {}

  void submit(cudaStream_t origin) override {
    for (const Step& step : job_.steps) operation_of(step, scratch_[0]).enqueue(origin);
    fault_(job_, scratch_[0], origin);
  }

  std::vector<Count> evidence() const override { return {}; }

 private:
  const Job& job_;
  LaneScratch scratch_;
  Fault fault_;
};

void launch(const void* kernel, unsigned threads, void** arguments, cudaStream_t stream) {
  check(cudaLaunchKernel(kernel, dim3(1), dim3(threads), arguments, 0, stream));
}

struct WrongData {
  void operator()(const Job& job, const Scratch&, cudaStream_t origin) {
    check(cudaStreamSynchronize(origin));
    job.steps.front().host_out[0] ^= std::byte{1};
  }
};

struct Throws {
  int passes = 0;
  void operator()(const Job&, const Scratch&, cudaStream_t) {
    if (++passes == 5) throw std::runtime_error("planted: the fifth pass gives up");
  }
};

/// A sticky error, in the compute preset: nothing on this GPU works for the process afterwards.
struct IllegalAddress {
  int passes = 0;
  void operator()(const Job& job, const Scratch&, cudaStream_t origin) {
    if (job.workload.name != "compute" || ++passes != 5) return;
    auto* nowhere = reinterpret_cast<std::uint32_t*>(0x10);
    std::uint64_t beyond = 0;
    void* arguments[] = {&nowhere, &beyond};
    launch(write_beyond_kernel(), 1, arguments, origin);
  }
};

/// For memcheck: one word beyond its own allocation.
struct OutOfBounds {
  DeviceBuffer buffer = make_device_buffer(256);
  void operator()(const Job&, const Scratch&, cudaStream_t origin) {
    void* out = buffer.get();
    std::uint64_t words = 64;
    void* arguments[] = {&out, &words};
    launch(write_beyond_kernel(), 1, arguments, origin);
  }
};

/// For the stream-order check: memory is used on a stream that is not ordered after its allocation.
struct UseBeforeAllocation {
  Stream other = make_stream();
  void operator()(const Job&, const Scratch&, cudaStream_t origin) {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, 256, origin));
    check(cudaMemsetAsync(memory, 0, 256, other.get()));
    check(cudaStreamSynchronize(other.get()));
    check(cudaFreeAsync(memory, origin));
  }
};

/// For initcheck: reads a word that nothing has written.
struct Uninitialised {
  DeviceBuffer in = make_device_buffer(256), out = make_device_buffer(256);
  void operator()(const Job&, const Scratch&, cudaStream_t origin) {
    void *from = in.get(), *to = out.get();
    void* arguments[] = {&from, &to};
    launch(copy_word_kernel(), 1, arguments, origin);
  }
};

template <const void* (*kernel)(), unsigned threads>
struct OneBuffer {
  DeviceBuffer out = make_device_buffer(256);
  void operator()(const Job&, const Scratch&, cudaStream_t origin) {
    void* to = out.get();
    void* arguments[] = {&to};
    launch(kernel(), threads, arguments, origin);
  }
};

Plan plan(const Workload& workload) { return stages_plan(workload); }

Plan wrong_plan(const Workload& workload) {
  Plan plan = stages_plan(workload);
  expect(plan, {{"streams", 4}});
  return plan;
}

struct Nothing {
  void operator()(const Job&, const Scratch&, cudaStream_t) {}
};

Plan huge_plan(const Workload& workload) {
  Plan plan = stages_plan(workload);
  plan.scratch_bytes = std::uint64_t{1} << 50;
  return plan;
}

const Registered<Planted<WrongData>> wrong_data("wrong_data", "one bit of the result", plan);
const Registered<Planted<Throws>> throws("throws", "an exception in the fifth pass", plan);
const Registered<Planted<IllegalAddress>> illegal("illegal_address", "a sticky error", plan);
const Registered<Planted<Nothing>> evidence("wrong_evidence", "not what its plan says", wrong_plan);
const Registered<Planted<Nothing>> huge("huge", "a plan for a petabyte", huge_plan);
const Registered<Planted<OutOfBounds>> bounds("out_of_bounds", "for memcheck", plan);
const Registered<Planted<UseBeforeAllocation>> order("use_before_allocation",
                                                     "for the stream-order check", plan);
const Registered<Planted<Uninitialised>> uninitialised("uninitialised", "for initcheck", plan);
const Registered<Planted<OneBuffer<race_kernel, 64>>> race("race", "for racecheck", plan);
const Registered<Planted<OneBuffer<divergent_barrier_kernel, 64>>> barrier("divergent_barrier",
                                                                           "for synccheck", plan);

}  // namespace
}  // namespace trilane
