// handwritten: the work of the streams variant as a plain loop over plain runtime calls, the
// reference for the cost of Trilane's own parts. Not a variant of the product.
#include <cuda_runtime_api.h>

#include <stdexcept>
#include <vector>

#include "common/measure/gpu/runtime/check.hpp"
#include "common/model/variant/lane_plan.hpp"
#include "common/model/variant/variant.hpp"
#include "kernels/mix.hpp"
#include "kernels/transform.hpp"

namespace trilane {
namespace {

class Handwritten : public Variant {
 public:
  explicit Handwritten(const Job& job)
      : host_in_(const_cast<std::byte*>(job.steps.front().host_in)),
        host_out_(job.steps.front().host_out),
        chunks_(job.workload.chunks()),
        lanes_(job.workload.used_lanes()),
        depth_(job.workload.depth),
        rounds_(job.workload.rounds),
        bytes_(job.workload.chunk_bytes),
        streams_(lanes_),
        done_(lanes_),
        in_(lanes_),
        out_(lanes_) {
    if (job.workload.bytes % bytes_ != 0 || bytes_ % 16 != 0 ||
        job.workload.result_bytes != bytes_) {
      throw std::invalid_argument("handwritten: whole chunks with as many outputs as inputs only");
    }
    check(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming));
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      check(cudaStreamCreateWithFlags(&streams_[lane], cudaStreamNonBlocking));
      check(cudaEventCreateWithFlags(&done_[lane], cudaEventDisableTiming));
      check(cudaMalloc(&in_[lane], bytes_));
      check(cudaMalloc(&out_[lane], bytes_));
    }
  }

  ~Handwritten() override {
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      warn(cudaStreamDestroy(streams_[lane]));
      warn(cudaEventDestroy(done_[lane]));
      warn(cudaFree(in_[lane]));
      warn(cudaFree(out_[lane]));
    }
    warn(cudaEventDestroy(forked_));
  }

  void submit(cudaStream_t origin) override {
    const void* kernel = transform_each_kernel();
    const std::uint64_t words = bytes_ / 4;
    const unsigned blocks = static_cast<unsigned>((words / 4 + 255) / 256);
    cudaEventRecord(forked_, origin);
    for (unsigned lane = 0; lane < lanes_; ++lane) cudaStreamWaitEvent(streams_[lane], forked_, 0);
    for (unsigned chunk = 0; chunk < chunks_; ++chunk) {
      const unsigned lane = chunk % lanes_;
      cudaStream_t stream = streams_[lane];
      cudaMemcpyAsync(in_[lane], host_in_ + chunk * bytes_, bytes_, cudaMemcpyHostToDevice, stream);
      cudaMemsetAsync(out_[lane], 0, bytes_, stream);
      for (unsigned k = 0; k < depth_; ++k) {
        std::uint64_t count = words;
        std::uint32_t salted = salt(k);
        void* arguments[] = {&in_[lane], &out_[lane], &count, &salted, &rounds_};
        cudaLaunchKernel(kernel, dim3(blocks), dim3(256), arguments, 0, stream);
      }
      cudaMemcpyAsync(host_out_ + chunk * bytes_, out_[lane], bytes_, cudaMemcpyDeviceToHost,
                      stream);
    }
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      cudaEventRecord(done_[lane], streams_[lane]);
      cudaStreamWaitEvent(origin, done_[lane], 0);
    }
    check(cudaGetLastError());
  }

  std::vector<Count> evidence() const override { return {{"streams", streams_.size()}}; }

 private:
  std::byte *host_in_, *host_out_;
  unsigned chunks_, lanes_, depth_;
  std::uint32_t rounds_;
  std::uint64_t bytes_;
  std::vector<cudaStream_t> streams_;
  std::vector<cudaEvent_t> done_;
  std::vector<void*> in_, out_;
  cudaEvent_t forked_{};
};

Plan plan(const Workload& workload) { return lanes_plan(workload); }

const Registered<Handwritten> registration("handwritten", "a plain loop over the same calls", plan);

}  // namespace
}  // namespace trilane
