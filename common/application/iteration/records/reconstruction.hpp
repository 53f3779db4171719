// The origin of a diagnosis's times.
#pragma once

#include <boost/describe/class.hpp>
#include <optional>

namespace trilane {

/// An iteration's time in three forms: traced, measured without tracing, and reconstructed. The
/// last combines untraced times of the host, in its calls and between them, with traced lengths of
/// operations, which tracing changes little.
struct Reconstruction {
  bool used = false;                ///< the diagnosis has these times; otherwise the traced ones
  std::optional<double> period_us;  ///< reconstructed; absent if something needed for it is unknown
  double watched_us = 0;            ///< measured; the median
  double traced_us = 0;
  /// The gaps between engines were chosen so that period_us comes close to watched_us.
  bool fitted = false;
};
BOOST_DESCRIBE_STRUCT(Reconstruction, (), (used, period_us, watched_us, traced_us, fitted))

}  // namespace trilane
