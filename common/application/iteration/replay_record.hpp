// The result of a replay, as the injected library hands it over.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/base/json/ranges.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Memory whose content differs between runs of the same calls from the same start.
struct UncertainMemory {
  std::string memory;  ///< "device memory 3", "the copy to host memory 0"
  std::uint64_t bytes = 0, of_bytes = 0;
};
BOOST_DESCRIBE_STRUCT(UncertainMemory, (), (memory, bytes, of_bytes))

struct ReplayRecord {
  std::string refusal;  ///< why nothing was replayed, or nothing is claimed; empty if neither
  std::vector<UncertainMemory> uncertain;  ///< excluded from the comparison of bytes
  std::uint64_t snapshot_bytes = 0;
  double host_us = 0;  ///< the application's own code in an iteration
  /// Time that CUPTI, which makes kernels slower, adds to an iteration: the same calls timed before
  /// and after it left the process. Known only if nothing was traced.
  double cupti_us = 0;
  bool beside_cupti = false;  ///< CUPTI was in the process all the time
  /// The application asks whether work is done, and may act on the answer; a replay does not ask.
  bool queried = false;
  bool overlaps = false;  ///< an iteration leaves work behind that the next one overlaps with
  std::optional<Comparison> comparison;  ///< absent if nothing was replayed
  std::vector<Comparison> with_itself;   ///< of the same calls, if that was requested instead
};
BOOST_DESCRIBE_STRUCT(ReplayRecord, (),
                      (refusal, uncertain, snapshot_bytes, host_us, cupti_us, beside_cupti, queried,
                       overlaps, comparison, with_itself))
constexpr auto ranges(const ReplayRecord*) {
  return std::tuple{Within<&ReplayRecord::refusal>{text_range}};
}

}  // namespace trilane
