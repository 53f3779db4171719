// The process that the runtime functions run in: its machine and its threads.
#pragma once

#include <cstdint>

#include "common/device/profile/profile.hpp"

namespace trilane::simulator {

class Machine;
struct Settings;

/// The machine that the runtime functions of this process work on. Made at first use, with the
/// built-in profile, unless restart() made one.
Machine& machine();

/// Starts over with a new machine. Everything of the old one is forgotten and its handles are void.
void restart(Settings settings);

/// The built-in profile: the committed one of an H200.
const Profile& built_in_profile();

/// The number of the calling host thread. Unlike std::thread::id it is never given out again.
std::uint64_t this_thread();

}  // namespace trilane::simulator
