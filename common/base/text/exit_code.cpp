#include "common/base/text/exit_code.hpp"

#include "common/base/text/words.hpp"

namespace trilane {

namespace {

int severity(ExitCode code) {
  switch (code) {
    case exit_ok: return 0;
    case exit_not_possible: return 1;
    case exit_output: return 2;
    case exit_usage:
    case exit_no_gpu: return 3;
    case exit_wrong: return 4;
    case exit_unexpected: return 5;
    case exit_interrupted: return 6;
  }
  return 4;  // of a process ended by a signal
}

}  // namespace

ExitCode worse_of(ExitCode one, ExitCode other) {
  return severity(other) > severity(one) ? other : one;
}

void refuse(std::string_view option, std::string_view text, std::string_view why) {
  throw UsageError("{} {}: {}", option, in_quotes(text), why);
}

}  // namespace trilane
