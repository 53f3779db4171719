#include "common/measure/gpu/compile/nvrtc_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "common/base/text/exit_code.hpp"

namespace trilane::nvrtc {
namespace {

template <typename Function>
void find(void* library, Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

template <typename Function>
void require(void* library, Function& function, const char* name) {
  find(library, function, name);
  if (!function) throw NotPossible(fmt::format("NVRTC is too old: it has no {}", name));
}

}  // namespace

Library::Library(const std::vector<std::string>& names) {
  void* handle = nullptr;
  for (const std::string& name : names) {
    if (!handle) handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (!handle) throw NotPossible("there is no NVRTC");
  require(handle, error_string, "nvrtcGetErrorString");
  require(handle, version, "nvrtcVersion");
  require(handle, create_program, "nvrtcCreateProgram");
  require(handle, destroy_program, "nvrtcDestroyProgram");
  require(handle, add_name_expression, "nvrtcAddNameExpression");
  require(handle, lowered_name, "nvrtcGetLoweredName");
  require(handle, compile_program, "nvrtcCompileProgram");
  require(handle, log_size, "nvrtcGetProgramLogSize");
  require(handle, log, "nvrtcGetProgramLog");
  require(handle, cubin_size, "nvrtcGetCUBINSize");
  require(handle, cubin, "nvrtcGetCUBIN");
  find(handle, set_flow_callback, "nvrtcSetFlowCallback");
}

}  // namespace trilane::nvrtc
