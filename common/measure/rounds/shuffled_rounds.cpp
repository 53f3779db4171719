#include "common/measure/rounds/shuffled_rounds.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "common/device/flavour/flavour.hpp"
#include "common/model/workload/random.hpp"

namespace trilane {

void RoundSettings::share(std::uint32_t processes, std::uint32_t least) {
  fewest = std::max(fewest / processes, least);
  most = std::max(most / processes, fewest);
}

void in_rounds(std::size_t count, const RoundSettings& settings,
               const std::function<void(std::size_t, bool counts)>& take,
               const std::function<bool()>& ended) {
  Random random(settings.seed);
  const auto round = [&](bool counts) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    shuffle<std::size_t>(order, random);
    for (const std::size_t i : order) take(i, counts);
  };
  round(false);
  const double start_us = now_us(), most_us = settings.seconds * 1e6;
  for (std::uint32_t done = 0; done < settings.most && !ended(); ++done) {
    if (done >= settings.fewest && !(now_us() - start_us < most_us)) break;
    round(true);
  }
}

}  // namespace trilane
