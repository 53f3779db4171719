// A recording and a replay's record as files. The injected library writes both.
#pragma once

#include <boost/json/fwd.hpp>

#include "common/application/iteration/application_recording.hpp"
#include "common/base/json/ranges.hpp"
#include "common/model/results/results.hpp"

namespace trilane {

/// Memory whose content differs between runs of the same calls from the same start.
struct UncertainMemory {
  std::string memory;  ///< "device memory 3", "the copy to host memory 0"
  std::uint64_t bytes = 0, of_bytes = 0;
};
BOOST_DESCRIBE_STRUCT(UncertainMemory, (), (memory, bytes, of_bytes))

/// The result of a replay, as the injected library hands it over.
struct ReplayRecord {
  std::string refusal;  ///< why nothing was replayed, or nothing is claimed; empty if neither
  std::string refused_kernel;  ///< demangled, the subject of `refusal`; empty: it names its own
  std::vector<UncertainMemory> uncertain;  ///< excluded from the comparison of bytes
  std::uint64_t snapshot_bytes = 0;
  double host_us = 0;  ///< the application's own code in an iteration
  /// Time that CUPTI, which makes kernels slower, adds to an iteration: the same calls timed before
  /// and after it left the process. Known only if nothing was traced.
  double cupti_us = 0;
  bool beside_cupti = false;    ///< CUPTI was in the process all the time
  bool others_stopped = false;  ///< other threads call the driver, and stood still meanwhile
  /// The application asks whether work is done, and may act on the answer; a replay does not ask.
  bool queried = false;
  /// Host functions of the iteration that the replay left out, because the user wanted it.
  std::uint64_t skipped_host_functions = 0;
  bool in_kind = false;   ///< one of the steps that repeat in kind was replayed
  bool overlaps = false;  ///< an iteration leaves work behind that the next one overlaps with
  std::optional<Comparison> comparison;  ///< absent if nothing was replayed
  std::vector<Comparison> with_itself;   ///< of the same calls, if that was requested instead
  /// Threads that replayed the iteration at once, as the application's do; 0: a single one did.
  std::uint32_t threads = 0;
  std::string alone_because;  ///< why not, though others make the same calls; empty: none do
};
BOOST_DESCRIBE_STRUCT(ReplayRecord, (),
                      (refusal, refused_kernel, uncertain, snapshot_bytes, host_us, cupti_us,
                       beside_cupti, others_stopped, queried, skipped_host_functions, in_kind,
                       overlaps, comparison, with_itself, threads, alone_because))
TRILANE_RANGES(ReplayRecord, Within<&R::refusal, &R::refused_kernel, &R::alone_because>{text_range})

/// Returns the recording as JSON, schema "trilane recording": the records of recording.hpp with
/// their names as keys. Absent values have no key; texts are escaped and cut as printable() does.
/// Throws std::invalid_argument on a number that is not finite.
std::string recording_to_json(const ApplicationRecording& recording);

/// Reads what recording_to_json() wrote, so that writing it again gives the same text. Throws
/// std::invalid_argument, with the place, on anything else:
/// - another schema or version;
/// - a missing or unknown key, or a wrong type;
/// - a number or text outside its range;
/// - an index or a range outside of what it points into.
ApplicationRecording recording_from_json(const std::string& text);

/// Returns true if the text states the schema of a recording.
bool is_recording(const std::string& text);

/// Returns the JSON Schema of the file.
boost::json::object recording_json_schema();

std::string to_json(const ReplayRecord& record);
/// Reads a replay's record. Throws std::invalid_argument that says what is wrong and where.
ReplayRecord replay_from_json(const std::string& text);

}  // namespace trilane
