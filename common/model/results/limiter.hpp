// The limiters of bounds and of variants.
#pragma once

namespace trilane {

/// Some only set bounds, some only limit variants, most do both; loads.hpp and limitation.hpp
/// state when each applies.
enum class Limiter {
  host_submission,
  copy_in,
  copy_out,
  sms,
  kernel_launches,    ///< replaces sms if kernels are short
  lane_stages,        ///< the stages of a lane's chunks, one after the other
  kernels_in_turn,    ///< the kernels of all chunks on one stream
  one_chunk,          ///< the stages of a single chunk
  copies_in_turn,     ///< one copy in, kernels, one copy out
  taking_turns,       ///< all operations one after the other; bounds only
  one_copy_engine,    ///< copies in both directions on the device's only copy engine; bounds only
  link,               ///< between host and device, if kernels move the bytes; bounds only
  overlap,            ///< chunk by chunk, unspecified in older files; bounds only
  memory_management,  ///< allocations that make the host wait; from here on limits only
  waiting,
  launch_and_wait,  ///< the start of one short kernel and the synchronisation latency
  own_kernels,      ///< kernels that do more than the measured stages
};

/// Returns "host submission", "copy in", "SMs": the words of reports and files.
constexpr const char* name_of(Limiter limiter) {
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
