// Throws the driver's errors.
#pragma once

#include <cuda.h>

#include <stdexcept>
#include <string>

#include "common/application/replay/calls/replay_driver.hpp"

namespace trilane {

/// An error of the driver.
class DriverError : public std::runtime_error {
 public:
  DriverError(CUresult code, const std::string& function);
  CUresult code() const { return code_; }

 private:
  CUresult code_;
};

/// Throws DriverError, or OutOfMemory, unless the call of `function` succeeded.
void check_driver(CUresult code, const char* function);

/// Calls a function of the driver and checks it: TRILANE_DRIVER(cuMemFree, pointer).
#define TRILANE_DRIVER(name, ...) \
  ::trilane::check_driver(::trilane::driver().name(__VA_ARGS__), #name)

}  // namespace trilane
