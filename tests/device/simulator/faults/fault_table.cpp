#include "tests/device/simulator/faults/fault_table.hpp"

namespace trilane::simulator {

namespace {

using enum Told;

struct Row {
  Part part;
  std::string_view name;  // of the runtime function; empty: all not named by an earlier row
  Cell cells[5];
};

// A variant with too little memory makes the exit code 4, any other failure 1.
//
// A sticky error counts against the variant even if a mere release returns it. It may come from the
// variant's work, because these calls "may also return error codes from previous, asynchronous
// launches" (CUDA Runtime API); and the process "must be terminated and relaunched" (cudaError).
//
// Two calls of the tear-down matter to nobody: the wait, because releasing memory waits again, and
// the device's number, without which graphs keep the memory that they have reserved.
// clang-format off
constexpr Row table[] = {
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

}  // namespace

const std::vector<Column>& columns() {
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

Cell expected(const FaultPlace& place, std::size_t column) {
  const auto row = std::ranges::find_if(table, [&](const Row& candidate) {
    return candidate.part == place.part && (candidate.name.empty() || candidate.name == place.name);
  });
  return row->cells[column];
}

}  // namespace trilane::simulator
