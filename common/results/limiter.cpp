#include "common/results/limiter.hpp"

namespace trilane {

const char* name_of(Limiter limiter) {
  switch (limiter) {
    case Limiter::host_submission: return "host submission";
    case Limiter::copy_in: return "copy in";
    case Limiter::copy_out: return "copy out";
    case Limiter::sms: return "SMs";
    case Limiter::kernel_launches: return "kernel launches";
    case Limiter::lane_stages: return "a lane's stages";
    case Limiter::kernels_in_turn: return "kernels in turn";
    case Limiter::one_chunk: return "one chunk's stages";
    case Limiter::copies_in_turn: return "copies in turn";
    case Limiter::taking_turns: return "taking turns";
    case Limiter::one_copy_engine: return "the one copy engine";
    case Limiter::link: return "link";
    case Limiter::overlap: return "overlap";
    case Limiter::memory_management: return "memory management";
    case Limiter::waiting: return "waiting";
    case Limiter::launch_and_wait: return "launch and wait";
    case Limiter::own_kernels: return "its kernels";
  }
  return "";
}

}  // namespace trilane
