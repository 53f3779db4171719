#include "common/measure/ask/parts/experiment.hpp"
#include "kernels/move.hpp"

namespace trilane::calls_runtime {

constexpr std::uint64_t bytes = 4 << 10;
enum class Call { query, record, copy, launch };
constexpr Call calls[] = {Call::query, Call::record, Call::copy, Call::launch};

constexpr const char* name_of(Call call) {
  switch (call) {
    case Call::query: return "cudaStreamQuery";
    case Call::record: return "cudaEventRecord";
    case Call::copy: return "cudaMemcpyAsync";
    case Call::launch: return "cudaLaunchKernel";
  }
  return "";
}

std::string inside(Call call) { return fmt::format("{} inside", name_of(call)); }
std::string outside(Call call) { return fmt::format("{} outside", name_of(call)); }

cudaError_t worst(const Readings& r, const std::string& condition) {
  return static_cast<cudaError_t>(r.at(condition, 1));
}

class CallsRuntime : public StreamExperiment {
 public:
  std::vector<Condition> conditions() override {
    std::vector<Condition> all;
    for (const Call call : calls) {
      const auto error = [this, call] { return error_outside(call); };
      all.push_back(
          {inside(call), [this, call] { return error_inside(call); }, {error}, Quantity::error});
      all.push_back({outside(call), error, {}, Quantity::error});
    }
    return all;
  }

  static Conclusion conclude(const Readings& r) {
    Conclusion conclusion;
    for (const Call call : calls) {
      const cudaError_t error = worst(r, inside(call));
      const bool works = worst(r, outside(call)) == cudaSuccess;
      conclusion.add(
          name_of(call), decided(works && error == cudaSuccess, works && error != cudaSuccess),
          fmt::format("{} inside one returns {}", name_of(call), cudaGetErrorName(error)));
    }
    return conclusion;
  }

 private:
  cudaError_t error_of(Call call) {
    switch (call) {
      case Call::query: return cudaStreamQuery(other_.get());
      case Call::record: return cudaEventRecord(event_.get(), other_.get());
      case Call::copy:
        return cudaMemcpyAsync(device_.get(), host_.get(), bytes, cudaMemcpyHostToDevice,
                               other_.get());
      case Call::launch:
        return cudaLaunchKernel(kernel_.function, kernel_.grid, kernel_.block,
                                kernel_.arguments().data(), 0, other_.get());
    }
    return cudaErrorUnknown;
  }

  double error_outside(Call call) {
    const cudaError_t error = error_of(call);
    check(cudaStreamSynchronize(other_.get()));
    return static_cast<double>(static_cast<int>(error));
  }

  double error_inside(Call call) {
    struct Tried {
      CallsRuntime& self;
      Call call;
      cudaError_t error = cudaErrorUnknown;
    } tried{*this, call};
    check(cudaLaunchHostFunc(
        stream(),
        [](void* data) {
          Tried& inside = *static_cast<Tried*>(data);
          inside.error = inside.self.error_of(inside.call);
        },
        &tried));
    synchronise();
    check(cudaStreamSynchronize(other_.get()));
    cudaGetLastError();  // the refused call's
    return static_cast<double>(static_cast<int>(tried.error));
  }

  Stream other_ = make_stream();
  Event event_ = make_ordering_event();
  PinnedBuffer host_ = make_pinned_buffer(bytes);
  DeviceBuffer device_ = make_device_buffer(bytes);
  KernelLaunch kernel_ = clear_launch(device_.get(), bytes);
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
