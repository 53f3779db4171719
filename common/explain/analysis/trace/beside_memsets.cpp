#include "common/explain/analysis/trace/beside_memsets.hpp"

#include <algorithm>

#include "common/device/flavour/records.hpp"

namespace trilane {

double BesideMemsets::most() const { return std::max({kernels, copies_in, copies_out}); }

BesideMemsets beside_memsets(const Timeline& timeline) {
  const auto share = [&](Activity with) {
    for (const TimelineOverlap& overlap : timeline.overlap) {
      if (overlap.of == name_of(Activity::memset) && overlap.with == name_of(with))
        return overlap.share;
    }
    return 0.0;
  };
  return {share(Activity::kernel), share(Activity::copy_in), share(Activity::copy_out)};
}

}  // namespace trilane
