// Where the times of a diagnosis come from.
#pragma once

#include <boost/describe/class.hpp>
#include <optional>

namespace trilane {

/// An iteration's time as it was traced, measured without tracing, and put together from what was
/// measured without it: the time between the host's calls and in them. Only the lengths of
/// operations, which tracing changes little, are traced then.
struct Reconstruction {
  bool used = false;                ///< the diagnosis has these times; otherwise the traced ones
  std::optional<double> period_us;  ///< put together; absent if something for it is not known
  double watched_us = 0;            ///< measured; the median
  double traced_us = 0;
  /// What an engine takes to follow another one was chosen so that period_us comes near watched_us.
  bool fitted = false;
};
BOOST_DESCRIBE_STRUCT(Reconstruction, (), (used, period_us, watched_us, traced_us, fitted))

}  // namespace trilane
