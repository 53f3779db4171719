#include "common/measure/rounds/shuffled_rounds.hpp"

#include "common/device/flavour/flavour.hpp"
#include "common/measure/rounds/bench.hpp"

namespace trilane {

void RoundSettings::share(std::uint32_t processes, std::uint32_t least) {
  fewest = std::max(fewest / processes, least);
  most = std::max(most / processes, fewest);
}

void in_rounds(std::size_t count, const RoundSettings& settings,
               const std::function<void(std::size_t, bool counts)>& take,
               const std::function<bool()>& ended) {
  Random random(settings.seed);
  for (const std::size_t i : shuffled(count, random)) take(i, false);
  timed_rounds(
      count, settings, random, now_us, [&](std::size_t i) { take(i, true); }, ended);
}

std::uint32_t timed_rounds(std::size_t count, const RoundSettings& settings, Random& random,
                           const std::function<double()>& now,
                           const std::function<void(std::size_t)>& take,
                           const std::function<bool()>& ended) {
  const double start = now(), most_us = settings.seconds * us_per_second;
  std::uint32_t done = 0;
  for (; done < settings.most && !ended(); ++done) {
    if (done >= settings.fewest && !(now() - start < most_us)) break;
    for (const std::size_t i : shuffled(count, random)) {
      if (!ended()) take(i);
    }
  }
  return done;
}

}  // namespace trilane
