// The operations of an iteration on one stream for each engine, in the order that their data needs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/application/iteration/records/application_recording.hpp"

namespace trilane {

/// Copies in, copies out, and all other operations.
inline constexpr std::size_t planned_engines = 3;

/// One operation, or a wait of the host.
struct EngineStep {
  std::uint32_t call = 0;    ///< index in ApplicationRecording::calls
  std::uint32_t engine = 0;  ///< of an operation its own; of a wait the one to wait on
  bool operation = true;     ///< otherwise a wait, for everything
  std::vector<std::uint32_t> after_calls;  ///< operations on other engines, of this iteration or,
                                           ///< from `call` on, of the one before
  std::vector<std::uint32_t> join;         ///< of a wait: engines whose work its own does not imply
  bool needed = false;                     ///< an operation on another engine comes after it
  bool operator==(const EngineStep&) const = default;
};

/// The steps in the order of the calls, as they are once the iteration repeats. Operations that use
/// the same bytes, one of them writing, keep their order, and a kernel that no memory is known of
/// keeps it with everything. A kernel uses what its arguments point into, and may write it.
std::vector<EngineStep> engine_plan(const ApplicationRecording& recording);

}  // namespace trilane
