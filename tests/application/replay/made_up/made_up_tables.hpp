// The parts of the made-up driver's table of functions.
#pragma once

#include "common/application/replay/driver/replay_driver.hpp"

namespace trilane::made_up {

void add_graphs(ReplayDriver& all);

}  // namespace trilane::made_up
