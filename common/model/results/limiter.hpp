// The limiters of bounds and of variants.
#pragma once

#include "common/base/text/enumerators.hpp"

namespace trilane {

/// Some only set bounds, some only limit variants, most do both; bounds.hpp and limitation.hpp
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
BOOST_DESCRIBE_ENUM(Limiter, host_submission, copy_in, copy_out, sms, kernel_launches, lane_stages,
                    kernels_in_turn, one_chunk, copies_in_turn, taking_turns, one_copy_engine, link,
                    overlap, memory_management, waiting, launch_and_wait, own_kernels)
/// Returns "host submission", "copy in", "SMs": the words of reports and files.
constexpr const char* name_of(Limiter limiter) {
  switch (limiter) {
    case Limiter::sms: return "SMs";
    case Limiter::lane_stages: return "a lane's stages";
    case Limiter::one_chunk: return "one chunk's stages";
    case Limiter::one_copy_engine: return "the one copy engine";
    case Limiter::own_kernels: return "its kernels";
    default: return words_of_name(limiter);
  }
}

}  // namespace trilane
