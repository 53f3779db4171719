// --set: a profile changed for a question, such as what a faster link would bring.
#pragma once

#include "common/device/profile/profile.hpp"

namespace trilane {

/// Returns what applies "in_gbps=110,graph.node_us=*0.5" to a profile and appends it to the
/// profile's name, which every page shows. A name is a figure's place in the file, its end, or a
/// group of figures; * stands for any text. "=*0.5" multiplies all the figures that it names;
/// without the star it may name one only. Throws UsageError at once if the text is not of that
/// form, and later if the profile has no such figure or its range excludes the value.
std::function<void(Profile&)> what_if(const std::string& changes);

}  // namespace trilane
