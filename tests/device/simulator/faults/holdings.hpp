// The memory and handles that a program holds, derived from the names of its calls: an independent
// account to check the machine's list of leaks.
#pragma once

#include "tests/device/simulator/faults/fault_places.hpp"

namespace trilane::simulator {

/// Non-zero counts of each kind, by the name that Machine::leaks() has for it.
using Holdings = std::map<std::string, int>;

/// Objects that can be made in several ways have a row for each.
struct Held {
  std::string_view made_by, released_by, name;
};

inline constexpr std::string_view pool_memory = "bytes of pool";
inline constexpr std::string_view device_memory = "bytes of device memory";
inline constexpr std::string_view pinned_memory = "bytes of pinned memory";

inline constexpr Held held_kinds[] = {
    {"cudaStreamCreateWithFlags", "cudaStreamDestroy", "stream"},
    {"cudaEventCreateWithFlags", "cudaEventDestroy", "event"},
    {"cudaStreamEndCapture", "cudaGraphDestroy", "graph"},
    {"cudaGraphCreate", "cudaGraphDestroy", "graph"},
    {"cudaGraphInstantiate", "cudaGraphExecDestroy", "executable graph"},
    {"cudaMemPoolCreate", "cudaMemPoolDestroy", "pool"},
    {"cudaMallocFromPoolAsync", "cudaFreeAsync", pool_memory},
    {"cudaMalloc", "cudaFree", device_memory},
    {"cudaMallocHost", "cudaFreeHost", pinned_memory},
    {"cudaHostAlloc", "cudaFreeHost", pinned_memory},
};

inline std::string text_of(const Holdings& holdings) {
  std::string text;
  for (const auto& [name, count] : holdings) text += fmt::format("{} x {}; ", count, name);
  return text;
}

/// Reads lines like "stream 12" and "256 bytes of pool 3".
inline Holdings holdings_of(const std::vector<std::string>& leaks) {
  static const std::regex numbers("^[0-9]+ | [0-9]+$");
  Holdings holdings;
  for (const std::string& leak : leaks) ++holdings[std::regex_replace(leak, numbers, "")];
  return holdings;
}

/// Returns what a release that fails still holds; nothing for other calls.
inline Holdings held_by(const FaultPlace& place) {
  Holdings held;
  for (const Held& kind : held_kinds) {
    // Memory that could not be freed in a pass is freed by its owner at the end. Memory of a pool
    // is freed within a capture in a set-up: that makes a node.
    const bool owned =
        kind.name == pool_memory || (kind.name == device_memory && place.part == Part::pass);
    if (kind.released_by == place.name && !owned) {
      held[std::string(kind.name)] = 1;
    }
  }
  return held;
}

/// Tracks live objects after a growing number of a machine's calls, as long as all of them succeed.
class Alive {
 public:
  /// Returns the live objects after the first `count` of `calls`, which must not decrease.
  const Holdings& after(std::uint64_t count, const std::vector<const char*>& calls) {
    for (; seen_ < count; ++seen_) see(calls[seen_]);
    std::erase_if(alive_, [](const auto& holding) { return holding.second == 0; });
    return alive_;
  }

 private:
  void see(std::string_view name) {
    if (name == "cudaStreamBeginCapture") capturing_ = true;
    if (name == "cudaStreamEndCapture") capturing_ = false;
    for (const Held& kind : held_kinds) {
      if (capturing_ && kind.name == pool_memory) continue;
      if (name == kind.made_by) ++alive_[std::string(kind.name)];
    }
    const auto released = std::ranges::find(held_kinds, name, &Held::released_by);
    if (released == std::end(held_kinds) || (capturing_ && released->name == pool_memory)) return;
    --alive_[std::string(released->name)];
  }

  Holdings alive_{{"bytes of device memory", 1}};  // the first cudaFree is of null
  std::uint64_t seen_ = 0;
  bool capturing_ = false;
};

}  // namespace trilane::simulator
