// The host's ways of waiting for the device.
#pragma once

namespace trilane {

enum class Wait { spin, yield, block };

/// Returns "spin", "yield", "block".
constexpr const char* name_of(Wait wait) {
  switch (wait) {
    case Wait::spin: return "spin";
    case Wait::yield: return "yield";
    case Wait::block: return "block";
  }
  return "";
}

}  // namespace trilane
