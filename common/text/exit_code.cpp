#include "common/text/exit_code.hpp"

#include <fmt/format.h>

#include "common/text/quoting.hpp"

namespace trilane {

void refuse(std::string_view option, std::string_view text, std::string_view why) {
  throw UsageError(fmt::format("{} {}: {}", option, in_quotes(text), why));
}

}  // namespace trilane
