// What a replay found, as the injected library hands it over.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "common/base/json/document.hpp"
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
  std::string refusal;  ///< why nothing was replayed, or nothing is claimed; empty: it was
  std::vector<UncertainMemory> uncertain;  ///< left out of the comparison of bytes
  std::uint64_t snapshot_bytes = 0;
  double host_us = 0;  ///< of the application's own code, in an iteration
  /// What CUPTI, which makes kernels slower, adds to an iteration: the same calls timed before it
  /// left the process and afterwards. Only known where nothing was traced.
  double cupti_us = 0;
  bool beside_cupti = false;  ///< CUPTI was in the process all the time
  /// The application asks whether work is done, and may go by the answer; a replay does not ask.
  bool queried = false;
  bool overlaps = false;  ///< an iteration leaves work behind that the next one overlaps with
  std::optional<Comparison> comparison;  ///< absent if nothing was replayed
  std::vector<Comparison> with_itself;   ///< of the same calls, if that was asked for instead
};
BOOST_DESCRIBE_STRUCT(ReplayRecord, (),
                      (refusal, uncertain, snapshot_bytes, host_us, cupti_us, beside_cupti, queried,
                       overlaps, comparison, with_itself))
constexpr auto ranges(const ReplayRecord*) {
  return std::tuple{Within<&ReplayRecord::refusal>{text_range}};
}

std::string to_json(const ReplayRecord& record);
/// Throws std::invalid_argument that says what is wrong and where.
ReplayRecord replay_from_json(const std::string& text);

}  // namespace trilane
