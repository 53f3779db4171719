#include "common/gpu/stages.hpp"

#include <cuda_runtime_api.h>

#include "common/gpu/check.hpp"

namespace trilane {

namespace {

struct Enqueue {
  cudaStream_t stream;

  void operator()(const Operation::Copy& copy) const {
    check(cudaMemcpyAsync(copy.to, copy.from, copy.bytes, copy.direction, stream));
  }
  void operator()(const Operation::Clear& clear) const {
    check(cudaMemsetAsync(clear.to, 0, clear.bytes, stream));
  }
  void operator()(TransformLaunch& launch) const {
    check(cudaLaunchKernel(launch.function, launch.grid, launch.block, launch.arguments().data(), 0,
                           stream));
  }
};

}  // namespace

void Operation::enqueue(cudaStream_t stream) { std::visit(Enqueue{stream}, work_); }

Operation copy_in(const Step& step, const Scratch& scratch) {
  return Operation(
      Operation::Copy{scratch.in, step.host_in, step.in_bytes, cudaMemcpyHostToDevice});
}

Operation clear(const Step& step, const Scratch& scratch) {
  return Operation(Operation::Clear{scratch.out, step.out_bytes});
}

Operation transform(const Step& step, const Scratch& scratch) {
  constexpr std::uint64_t word = sizeof(std::uint32_t);
  return Operation(TransformLaunch(reinterpret_cast<const std::uint32_t*>(scratch.in),
                                   reinterpret_cast<std::uint32_t*>(scratch.out),
                                   step.in_bytes / word, step.out_bytes / word, step.kernel,
                                   step.rounds));
}

Operation copy_out(const Step& step, const Scratch& scratch) {
  return Operation(
      Operation::Copy{step.host_out, scratch.out, step.out_bytes, cudaMemcpyDeviceToHost});
}

}  // namespace trilane
