// The expected consequences of a fault, as a written table.
#pragma once

#include <driver_types.h>

#include "tests/device/simulator/faults/fault_places.hpp"

namespace trilane::simulator {

/// How a fault is reported, and what becomes of the workload that it hit.
enum class Told {
  fails,       ///< the variant fails with it, all others are measured
  loses,       ///< the variant fails with it, no other one is measured to the end
  loses_late,  ///< all were measured to the end; the variant fails with it
  warned,      ///< one line on standard error; all are measured
  nowhere,     ///< its result does not matter; all are measured
};

struct Cell {
  int exit_code;
  Told told;
};

/// A code that calls fail with.
struct Column {
  cudaError_t code;
  bool sticky;
  const char* message;  ///< as reported; ", at FILE:LINE" follows
};

const std::vector<Column>& columns();

Cell expected(const FaultPlace& place, std::size_t column);

}  // namespace trilane::simulator
