#include "common/gpu/scratch/pass_scratch.hpp"

namespace trilane {

PassScratch::PassScratch(const Job& job)
    : job_(job),
      in_(make_device_buffer(job.workload.bytes)),
      out_(make_device_buffer(job.workload.result_total())) {}

Scratch PassScratch::operator[](const Step& step) const {
  return {in_.get() + (step.host_in - job_.host_in), out_.get() + (step.host_out - job_.host_out)};
}

Operation PassScratch::copy_in() const {
  return Operation(
      Operation::Copy{in_.get(), job_.host_in, job_.workload.bytes, cudaMemcpyHostToDevice});
}

Operation PassScratch::clear() const {
  return Operation(Operation::Clear{out_.get(), job_.workload.result_total()});
}

Operation PassScratch::copy_out() const {
  return Operation(Operation::Copy{job_.host_out, out_.get(), job_.workload.result_total(),
                                   cudaMemcpyDeviceToHost});
}

}  // namespace trilane
