#include "common/application/replay/driver/replay_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "common/text/exit_code.hpp"

namespace trilane {

namespace {

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw NotPossible(fmt::format("the driver has no {}", name));
}

// One level more than `#`, so that the macros of cuda.h are replaced first.
#define TRILANE_TEXT(name) #name
#define TRILANE_TEXT_OF(name) TRILANE_TEXT(name)

ReplayDriver found() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) throw NotPossible("the application has not loaded the CUDA driver");
  ReplayDriver all;
#define TRILANE_FIND(name) find(library, TRILANE_TEXT_OF(name), all.name);
  TRILANE_REPLAY_FUNCTIONS(TRILANE_FIND)
#undef TRILANE_FIND
  return all;
}

std::string name_of_error(CUresult code) {
  const char* name = nullptr;
  if (driver().cuGetErrorName(code, &name) != CUDA_SUCCESS || name == nullptr) return "unknown";
  return name;
}

}  // namespace

const ReplayDriver& driver() {
  static const ReplayDriver all = found();
  return all;
}

DriverError::DriverError(CUresult code, const std::string& function)
    : std::runtime_error(fmt::format("{}: {}", function, name_of_error(code))), code_(code) {}

void check_driver(CUresult code, const char* function) {
  if (code == CUDA_SUCCESS) return;
  if (code == CUDA_ERROR_OUT_OF_MEMORY) throw OutOfMemory(fmt::format("{}: no memory", function));
  throw DriverError(code, function);
}

}  // namespace trilane
