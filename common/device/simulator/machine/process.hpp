// The process of the runtime functions: its machine and its threads.
#pragma once

#include <cstdint>

#include "common/device/profile/profile.hpp"

namespace trilane::simulator {

class Machine;
struct Settings;

/// Returns the machine of this process. Created at first use, with the built-in profile, unless
/// restart() made one.
Machine& machine();

/// Starts over with a new machine. The old one is forgotten, and its handles are void.
void restart(Settings settings);

/// Returns the built-in profile: the committed one of an H200.
const Profile& built_in_profile();

/// Returns the number of the calling host thread. Unlike a std::thread::id it is never reused.
std::uint64_t this_thread();

}  // namespace trilane::simulator
