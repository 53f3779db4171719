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

inline const std::vector<Column>& columns() {
  static const std::vector<Column> all{
      {cudaErrorMemoryAllocation, false, "cudaErrorMemoryAllocation (2): out of memory"},
      {cudaErrorIllegalAddress, true,
       "cudaErrorIllegalAddress (700): an illegal memory access was encountered"},
      {cudaErrorLaunchFailure, true, "cudaErrorLaunchFailure (719): unspecified launch failure"},
      {cudaErrorStreamCaptureInvalidated, false,
       "cudaErrorStreamCaptureInvalidated (901): operation failed due to a previous error during "
       "capture"},
      {cudaErrorSystemNotReady, false, "cudaErrorSystemNotReady (802): system not yet initialized"},
  };
  return all;
}

inline Cell expected(const FaultPlace& place, std::size_t column) {
  using enum Told;
  struct Row {
    Part part;
    std::string_view name;  // of the runtime function; empty: all not named by an earlier row
    Cell cells[5];
  };
  // A variant with too little memory makes the exit code 4, any other failure 1.
  //
  // A sticky error counts against the variant even if a mere release returns it. It may come from
  // the variant's work, because these calls "may also return error codes from previous,
  // asynchronous launches" (CUDA Runtime API); and the process "must be terminated and relaunched"
  // (cudaError).
  //
  // Two calls of the tear-down matter to nobody: the wait, because releasing memory waits again,
  // and the device's number, without which graphs keep the memory that they have reserved.
  // clang-format off
  static constexpr Row table[] = {
      // memory       illegal address  launch failure   invalidated    not ready
      {Part::set_up, "cudaStreamDestroy",
       {{0, warned},  {1, loses},      {1, loses},      {0, warned},   {0, warned}}},
      {Part::set_up, "",
       {{4, fails},   {1, loses},      {1, loses},      {1, fails},    {1, fails}}},
      {Part::pass, "cudaGraphDestroy",
       {{0, warned},  {1, loses},      {1, loses},      {0, warned},   {0, warned}}},
      {Part::pass, "",
       {{4, fails},   {1, loses},      {1, loses},      {1, fails},    {1, fails}}},
      {Part::tear_down, "cudaDeviceSynchronize",
       {{0, nowhere}, {1, loses_late}, {1, loses_late}, {0, nowhere},  {0, nowhere}}},
      {Part::tear_down, "cudaGetDevice",
       {{0, nowhere}, {1, loses_late}, {1, loses_late}, {0, nowhere},  {0, nowhere}}},
      {Part::tear_down, "",
       {{0, warned},  {1, loses_late}, {1, loses_late}, {0, warned},   {0, warned}}},
  };
  // clang-format on
  const auto row = std::ranges::find_if(table, [&](const Row& candidate) {
    return candidate.part == place.part && (candidate.name.empty() || candidate.name == place.name);
  });
  return row->cells[column];
}

}  // namespace trilane::simulator
