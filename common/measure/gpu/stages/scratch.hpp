// The device operands of one chunk.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/model/workload/steps/buffer_layout.hpp"

namespace trilane {

/// The addresses of a chunk's buffers, aligned to 256 bytes unless chunks lie side by side. This is
/// a view: chunk_scratch.hpp, lane_scratch.hpp and pass_scratch.hpp have the owners.
struct Scratch {
  std::array<std::byte*, most_buffers> at{};

  std::byte* operator[](std::uint32_t buffer) const { return at[buffer]; }
};

/// Returns a chunk's view of `memory`, which holds all of its buffers.
inline Scratch scratch_view(std::byte* memory, const Layout& layout) {
  Scratch view;
  for (std::size_t i = 0; i < layout.buffers.size(); ++i) {
    view.at[i] = memory + layout.buffers[i].scratch_offset;
  }
  return view;
}

}  // namespace trilane
