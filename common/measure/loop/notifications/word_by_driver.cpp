// One thread polls a word of mapped memory for each lane, which cuStreamWriteValue32 writes.
#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>

#include "common/measure/loop/bench/notification.hpp"

namespace trilane::word_by_driver {

using WriteValue = PFN_cuStreamWriteValue32_v11070;

/// Returns the driver's function without linking the driver. The runtime has no equivalent.
WriteValue write_value() {
  constexpr unsigned version = 11070;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion("cuStreamWriteValue32", &function, version,
                                         cudaEnableLegacyStream, &found));
  if (found != cudaDriverEntryPointSuccess) {
    throw NotPossible("the driver has no cuStreamWriteValue32 of CUDA 11.7; update the driver");
  }
  return reinterpret_cast<WriteValue>(function);
}

class WordByDriver : public FlagNotification {
 public:
  using FlagNotification::FlagNotification;

  void mark(std::uint32_t lane) override {
    const auto address = reinterpret_cast<CUdeviceptr>(flags_.raise(lane));
    // By default the write includes a fence: the stream's earlier writes are visible first.
    const CUresult result = write_(streams_[lane], address, 0, CU_STREAM_WRITE_VALUE_DEFAULT);
    check(static_cast<cudaError_t>(result));  // both use the same error numbers
  }

 private:
  WriteValue write_ = write_value();
};

const EnrolledNotification<WordByDriver> enrolled(
    {.name = "word_by_driver",
     .not_modelled = "a host that reads mapped memory while the device works"});

}  // namespace trilane::word_by_driver
