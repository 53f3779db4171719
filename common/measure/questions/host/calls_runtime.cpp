#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/move.hpp"

namespace trilane::calls_runtime {

constexpr std::uint64_t bytes = 4 << 10;

struct Operands {
  Event event = make_ordering_event();
  PinnedBuffer host = make_pinned_buffer(bytes);
  DeviceBuffer device = make_device_buffer(bytes);
  KernelLaunch kernel = clear_launch(device.get(), bytes);
};

struct Call {
  const char* name;
  cudaError_t (*make)(Operands&, cudaStream_t);
};
constexpr Call calls[] = {
    {"cudaStreamQuery", [](Operands&, cudaStream_t stream) { return cudaStreamQuery(stream); }},
    {"cudaEventRecord",
     [](Operands& o, cudaStream_t stream) { return cudaEventRecord(o.event.get(), stream); }},
    {"cudaMemcpyAsync",
     [](Operands& o, cudaStream_t stream) {
       return cudaMemcpyAsync(o.device.get(), o.host.get(), bytes, cudaMemcpyHostToDevice, stream);
     }},
    {"cudaLaunchKernel", [](Operands& o, cudaStream_t stream) {
       return cudaLaunchKernel(o.kernel.function, o.kernel.grid, o.kernel.block,
                               o.kernel.arguments().data(), 0, stream);
     }}};

std::string inside(const Call& call) { return fmt::format("{} inside", call.name); }
std::string outside(const Call& call) { return fmt::format("{} outside", call.name); }

cudaError_t worst(const Readings& r, const std::string& condition) {
  return static_cast<cudaError_t>(r.at(condition, 1));
}

class CallsRuntime : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Call& call : calls) {
      const auto error = [this, call] { return error_outside(call); };
      all.push_back(
          {inside(call), [this, call] { return error_inside(call); }, {error}, Quantity::error});
      all.push_back({outside(call), error, {}, Quantity::error});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    return Conclusion(calls, [&](const Call& call) -> CaseAnswer {
      const cudaError_t error = worst(r, inside(call));
      const bool works = worst(r, outside(call)) == cudaSuccess;
      return {call.name, decided(works && error == cudaSuccess, works && error != cudaSuccess),
              fmt::format("{} inside one returns {}", call.name, cudaGetErrorName(error))};
    });
  }

 private:
  double error_outside(const Call& call) {
    const cudaError_t error = call.make(operands_, other_.get());
    check(cudaStreamSynchronize(other_.get()));
    return error;
  }

  double error_inside(const Call& call) {
    cudaError_t error = cudaErrorUnknown;
    std::function<void()> inside = [&] { error = call.make(operands_, other_.get()); };
    check(cudaLaunchHostFunc(
        stream(), [](void* function) { (*static_cast<std::function<void()>*>(function))(); },
        &inside));
    synchronise();
    check(cudaStreamSynchronize(other_.get()));
    cudaGetLastError();  // the refused call's
    return error;
  }

  Stream other_ = make_stream();
  Operands operands_;
};

const Enrolled<CallsRuntime> enrolled(
    {.name = "host_function_calls",
     .subject = Subject::host_functions,
     .text = "May a host function call the runtime?",
     .claim = "A host function may start the next asynchronous copy or kernel.",
     .meaning = "A host function can only tell another thread to copy or launch: set a flag, or "
                "wake a dispatcher.",
     .documentation = "The runtime's reference forbids calls to the runtime and the driver in host "
                      "functions."});

}  // namespace trilane::calls_runtime
