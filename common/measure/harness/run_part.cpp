#include "common/measure/harness/run_part.hpp"

#include "common/measure/harness/pricing/pricing.hpp"

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

}  // namespace trilane
