// What it takes that the driver calls a recorder back.
#pragma once

#include <boost/describe/class.hpp>

namespace trilane {

/// What CUPTI takes for each call of the driver's that calls back, at its beginning and its return,
/// apart from the recorder's own work. In microseconds.
struct ListeningCosts {
  double between_us = 0;  ///< of the time from one call's return to the next one's begin
  double within_us = 0;   ///< of the time from a call's begin to its return
  bool operator==(const ListeningCosts&) const = default;
};
BOOST_DESCRIBE_STRUCT(ListeningCosts, (), (between_us, within_us))

}  // namespace trilane
