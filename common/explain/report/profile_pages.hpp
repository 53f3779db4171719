// Pages about device profiles: what is odd in one, and how two differ.
#pragma once

#include "common/base/text/page.hpp"
#include "common/device/profile/profile.hpp"

namespace trilane {

/// Returns a sentence for each figure that hardly any GPU has: it may be wrong, or worth a look.
std::vector<std::string> oddities(const Profile& profile);

/// Returns how far predictions were off.
Page error_page(const ModelError& error);

/// Returns what the profile is of, how far predictions with it were off, and what is odd in it.
Page profile_page(const Profile& profile);

/// Profiles of two H200, made two days and some revisions apart, differed by more than this share
/// in 23 of 288 figures.
inline constexpr double alike_within = 0.2;

/// Returns the figures that differ by more than `same_within`, a share, the furthest first.
Page profiles_page(Profile before, Profile now, double same_within);

}  // namespace trilane
