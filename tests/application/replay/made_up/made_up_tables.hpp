// The parts of the fake driver's table of functions.
#pragma once

#include <cstdint>
#include <memory>

#include "common/application/replay/iteration/replay_driver.hpp"
#include "tests/application/replay/made_up/made_up_driver.hpp"

namespace trilane::made_up {

/// Makes memory; from a pool if there is one.
CUresult allocate(std::uint64_t& address, std::size_t bytes, bool pinned,
                  std::shared_ptr<Pool> pool = nullptr);

void add_graphs(ReplayDriver& all);
void add_pools(ReplayDriver& all);
void add_batches(ReplayDriver& all);

}  // namespace trilane::made_up
