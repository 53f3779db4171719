#include "common/harness/run_part.hpp"

#include "common/harness/pricing/pricing.hpp"
#include "common/harness/rounds/contest.hpp"

namespace trilane {

RunPart part_of_run(std::uint32_t process, std::uint32_t of) {
  if (of == 1) return RunPart::whole;
  return process == 0 ? RunPart::first : RunPart::further;
}

bool measures_limit(RunPart part) {
  switch (part) {
    case RunPart::whole:
    case RunPart::first: return true;
    case RunPart::further: break;
  }
  return false;
}

std::uint32_t fewest_prices(RunPart part) {
  switch (part) {
    case RunPart::whole: return PricingSettings{}.fewest;
    case RunPart::first: return 2;
    case RunPart::further: break;
  }
  return 1;
}

HarnessSettings rounds_of(RunPart part, const ComparisonSettings& settings) {
  HarnessSettings rounds{.seconds = settings.seconds, .apart = true, .renewing_share = 0};
  switch (part) {
    case RunPart::whole: rounds.judge = Contest(settings.precision, rounds.min_rounds); break;
    case RunPart::further: rounds.checks_before = 1; [[fallthrough]];
    case RunPart::first:
      rounds.warm_up_us = 0;  // a turn has its own
      rounds.min_rounds = rounds.least_rounds = 1;
      rounds.checks_between = false;
      break;
  }
  return rounds;
}

}  // namespace trilane
