// A value of the command line that cannot be taken.
#pragma once

#include <string_view>

namespace trilane {

/// Throws UsageError: "--option 'text': why". `why` says what is wrong and the way out.
[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view why);

}  // namespace trilane
