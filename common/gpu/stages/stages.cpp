#include "common/gpu/stages/stages.hpp"

#include "kernels/transform.hpp"

namespace trilane {

Operation copy_in(const Step& step, const Scratch& scratch) {
  return Operation(Operation::Copy{scratch.in, step.host_in, step.in_bytes, cudaMemcpyHostToDevice},
                   {step.chunk, step.lane});
}

Operation clear(const Step& step, const Scratch& scratch) {
  return Operation(Operation::Clear{scratch.out, step.out_bytes}, {step.chunk, step.lane});
}

Operation transform(const Step& step, const Scratch& scratch) {
  constexpr std::uint64_t word = sizeof(std::uint32_t);
  return Operation(
      transform_launch(reinterpret_cast<const std::uint32_t*>(scratch.in),
                       reinterpret_cast<std::uint32_t*>(scratch.out), step.in_bytes / word,
                       step.out_bytes / word, step.kernel, step.rounds),
      {step.chunk, step.lane});
}

Operation copy_out(const Step& step, const Scratch& scratch) {
  return Operation(
      Operation::Copy{step.host_out, scratch.out, step.out_bytes, cudaMemcpyDeviceToHost},
      {step.chunk, step.lane});
}

}  // namespace trilane
