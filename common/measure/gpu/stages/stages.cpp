#include "common/measure/gpu/stages/stages.hpp"

#include "common/measure/gpu/stages/file_launch.hpp"
#include "kernels/transform.hpp"

namespace trilane {

namespace {

KernelLaunch own_launch(const Step& step, const Scratch& scratch) {
  return transform_launch(reinterpret_cast<const std::uint32_t*>(scratch[own_input]),
                          reinterpret_cast<std::uint32_t*>(scratch[own_result]),
                          step.in_bytes / word_bytes, step.out_bytes / word_bytes, step.kernel,
                          step.rounds);
}

}  // namespace

Operation copy_in(const Step& step, const Scratch& scratch) {
  return Operation(
      Operation::Copy{scratch[step.buffer], step.host_in, step.in_bytes, cudaMemcpyHostToDevice},
      {step.chunk, step.lane});
}

Operation clear(const Step& step, const Scratch& scratch) {
  return Operation(Operation::Clear{scratch[step.buffer], step.out_bytes, step.value},
                   {step.chunk, step.lane});
}

Operation transform(const Step& step, const Scratch& scratch) {
  return Operation(
      step.launch ? step.launch->bind(step.chunk, scratch, scratch) : own_launch(step, scratch),
      {step.chunk, step.lane}, step.early);
}

Operation copy_out(const Step& step, const Scratch& scratch) {
  return Operation(
      Operation::Copy{step.host_out, scratch[step.buffer], step.out_bytes, cudaMemcpyDeviceToHost},
      {step.chunk, step.lane});
}

Operation operation_of(const Step& step, const Scratch& scratch) {
  switch (step.stage) {
    case Stage::copy_in: return copy_in(step, scratch);
    case Stage::clear: return clear(step, scratch);
    case Stage::transform: return transform(step, scratch);
    case Stage::copy_out: break;
  }
  return copy_out(step, scratch);
}

}  // namespace trilane
