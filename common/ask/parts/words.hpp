// Figures as sentences name them.
#pragma once

#include <string>

namespace trilane {

/// A time of microseconds with three digits and its unit: "1.98 ms", "41.2 us".
std::string time_in_words(double us);

}  // namespace trilane
