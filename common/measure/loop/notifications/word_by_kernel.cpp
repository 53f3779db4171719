// One thread polls a word of mapped memory for each lane, which a last kernel writes.
#include "common/measure/gpu/operation.hpp"
#include "common/measure/loop/bench/notification.hpp"
#include "kernels/move.hpp"

namespace trilane::word_by_kernel {

class WordByKernel : public FlagNotification {
 public:
  using FlagNotification::FlagNotification;

  void mark(std::uint32_t lane) override {
    Operation(clear_launch(flags_.raise(lane), sizeof(std::uint32_t)), {lane, lane})
        .enqueue(streams_[lane]);
  }
};

const EnrolledNotification<WordByKernel> enrolled(
    {.name = "word_by_kernel",
     .not_modelled = "a host that reads mapped memory while the device works"});

}  // namespace trilane::word_by_kernel
