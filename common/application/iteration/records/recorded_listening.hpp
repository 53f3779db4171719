// Describes the cost of the driver's callbacks to a recorder.
#pragma once

#include <boost/describe/class.hpp>

namespace trilane {

/// CUPTI's cost for each driver call with callbacks, at its beginning and its return, without the
/// recorder's own work. In microseconds.
struct ListeningCosts {
  double between_us = 0;  ///< part of the time from one call's return to the next one's begin
  double within_us = 0;   ///< part of the time from a call's begin to its return
  bool operator==(const ListeningCosts&) const = default;
};
BOOST_DESCRIBE_STRUCT(ListeningCosts, (), (between_us, within_us))

}  // namespace trilane
