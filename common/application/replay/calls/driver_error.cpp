#include "common/application/replay/calls/driver_error.hpp"

#include <fmt/format.h>

#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

std::string name_of_error(CUresult code) {
  const char* name = nullptr;
  if (driver().cuGetErrorName(code, &name) != CUDA_SUCCESS || name == nullptr) return "unknown";
  return name;
}

}  // namespace

DriverError::DriverError(CUresult code, const std::string& function)
    : std::runtime_error(fmt::format("{}: {}", function, name_of_error(code))), code_(code) {}

void check_driver(CUresult code, const char* function) {
  if (code == CUDA_SUCCESS) return;
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw OutOfMemory(fmt::format("{}: no memory", function));
  throw DriverError(code, function);
}

}  // namespace trilane
