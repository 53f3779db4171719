#include "common/gate.hpp"

#include <cuda_runtime_api.h>

#include "common/check.hpp"

namespace trilane {

namespace {

using Flag = std::shared_ptr<std::atomic<bool>>;

void wait_for(void* flag) {
  const std::unique_ptr<Flag> open(static_cast<Flag*>(flag));
  (*open)->wait(false);
}

}  // namespace

void Gate::close(cudaStream_t stream) {
  open_ = std::make_shared<std::atomic<bool>>(false);
  auto flag = std::make_unique<Flag>(open_);
  check(cudaLaunchHostFunc(stream, wait_for, flag.get()));
  flag.release();  // wait_for owns it now
}

void Gate::open() {
  if (!open_) return;
  *open_ = true;
  open_->notify_all();
}

}  // namespace trilane
