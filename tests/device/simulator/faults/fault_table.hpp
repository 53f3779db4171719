// What has to come of a fault: the written table.
#pragma once

#include <driver_types.h>

#include <vector>

#include "tests/device/simulator/faults/fault_places.hpp"

namespace trilane::simulator {

/// Who hears of a fault, and what becomes of the workload that it hit.
enum class Told {
  fails,       ///< the variant fails with it, all others are measured
  loses,       ///< the variant fails with it, nobody else is measured to the end
  loses_late,  ///< everybody was measured to the end; the variant fails with it
  warned,      ///< one line on standard error; everybody is measured
  nowhere,     ///< its result does not matter; everybody is measured
};

struct Cell {
  int exit_code;
  Told told;
};

/// A code that calls fail with.
struct Column {
  cudaError_t code;
  bool sticky;
  const char* message;  ///< as it is told; ", at FILE:LINE" follows
};

const std::vector<Column>& columns();

Cell expected(const FaultPlace& place, std::size_t column);

}  // namespace trilane::simulator
