// The file of a sweep: for plots, for resuming, and for one sweep at a time.
#pragma once

#include <sys/stat.h>

#include <boost/json/fwd.hpp>

#include "common/base/system/lock.hpp"
#include "common/measure/sweep/map/regime_map.hpp"

namespace trilane {

/// Returns the sweep as JSON, without raw samples: about 1.5 kB per cell. Leaves out cells that
/// have not run. Throws std::invalid_argument on a number that is not finite.
std::string to_json(const RegimeMap& map);

/// Reads the output of to_json(), and derives regimes and curves anew. Throws
/// std::invalid_argument, with the place, on anything else.
RegimeMap map_from_json(const std::string& text);

/// Returns the JSON Schema of the file.
boost::json::object sweep_json_schema();

/// Returns the map in the file at `path`; absent if there is no regular file. Throws UsageError,
/// with the place, if it is damaged or holds something else.
std::optional<RegimeMap> begun_map(const std::string& path);

/// Throws UsageError, with `path` and the first difference, unless both maps have the same command,
/// axes, variants, reference, mode, seed, revision, GPU, driver and profile.
void ensure_same(const RegimeMap& begun, const RegimeMap& asked, const std::string& path);

/// Throws UsageError, with `path` and the cell, unless every visited cell has the workload of the
/// request. Rounds may differ if they are found for a kernel time.
void ensure_cells_fit(const RegimeMap& begun, const SweepRequest& request, const std::string& path);

/// A lock on the file of a sweep. Each write makes a new file, to which the lock moves.
class FileLock {
 public:
  /// Takes no lock for an empty path, "-" or a missing file. Throws UsageError if it is locked.
  explicit FileLock(std::string path);

  /// Must be called before each write. Throws OutputError if the file is not this sweep's.
  void check() const;

  /// Must be called after each write, whether or not it succeeded. Throws OutputError if another
  /// sweep locked the new file first; that sweep then has everything that this one wrote.
  void follow();

 private:
  bool lock();

  std::string path_;
  OpenFile held_;
  std::optional<struct stat> ours_;  ///< the locked file; absent if none exists
};

}  // namespace trilane
