#include "common/measure/gpu/pipeline/kernel_module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/measure/gpu/compile/nvcc.hpp"
#include "common/measure/gpu/images/kernel_names.hpp"

namespace trilane {
namespace {

int device_attribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&value, attribute, device));
  return value;
}

Architecture current_architecture() {
  return {device_attribute(cudaDevAttrComputeCapabilityMajor),
          device_attribute(cudaDevAttrComputeCapabilityMinor)};
}

/// Returns true for errors that users can fix; others are the device's.
bool is_wrong_image(cudaError_t code) {
  return code == cudaErrorInvalidKernelImage || code == cudaErrorNoKernelImageForDevice ||
         code == cudaErrorInvalidPtx || code == cudaErrorUnsupportedPtxVersion ||
         code == cudaErrorInvalidSource;
}

Library loaded(const Image& image, const std::string& file) {
  cudaLibrary_t library = nullptr;
  const cudaError_t code =
      cudaLibraryLoadData(&library, image.bytes.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (is_wrong_image(code)) {
    cudaGetLastError();  // so that no later check reports it
    throw UsageError(fmt::format(
        "{}: the driver cannot load it ({}); compile it for this device "
        "with nvcc -{} -arch={}",
        file, cudaGetErrorString(code), name_of(image.kind), current_architecture().name()));
  }
  check(code);
  return Library(library);
}

std::vector<cudaKernel_t> kernels_of(cudaLibrary_t library) {
  unsigned count = 0;
  check(cudaLibraryGetKernelCount(&count, library));
  std::vector<cudaKernel_t> kernels(count);
  if (count > 0) check(cudaLibraryEnumerateKernels(kernels.data(), count, library));
  return kernels;
}

KernelNames names_in(cudaLibrary_t library, const Image& image, const std::string& file) {
  KernelNames names{
      .file = file, .mangled = {}, .lowered = image.lowered, .templates = image.templates};
  for (const cudaKernel_t kernel : kernels_of(library)) {
    const char* name = nullptr;
    check(cudaFuncGetName(&name, reinterpret_cast<const void*>(kernel)));
    if (!is_from_wrapper(name)) names.mangled.emplace_back(name);
  }
  return names;
}

std::vector<std::size_t> parameter_sizes_of(const void* function) {
  std::vector<std::size_t> sizes;
  std::size_t offset = 0, size = 0;
  while (cudaFuncGetParamInfo(function, sizes.size(), &offset, &size) == cudaSuccess) {
    sizes.push_back(size);
  }
  cudaGetLastError();  // the index behind the last parameter is invalid
  return sizes;
}

KernelModule::Kernel kernel_of(cudaLibrary_t library, const std::string& mangled) {
  cudaKernel_t handle = nullptr;
  check(cudaLibraryGetKernel(&handle, library, mangled.c_str()));
  KernelModule::Kernel kernel;
  kernel.function = reinterpret_cast<const void*>(handle);
  kernel.name = demangled(mangled);
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel.function));  // also loads it
  kernel.parameter_sizes = parameter_sizes_of(kernel.function);
  kernel.max_threads = attributes.maxThreadsPerBlock;
  kernel.static_shared = attributes.sharedSizeBytes;
  const auto most =
      static_cast<std::size_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  kernel.max_dynamic_shared = most - std::min(most, kernel.static_shared);
  return kernel;
}

}  // namespace

KernelModule::KernelModule(const std::filesystem::path& file, const std::vector<std::string>& names,
                           const Compilers& compilers, const ImageCache& cache) {
  const Image image = image_of(file, names, current_architecture(), compilers, cache);
  const std::string shown = printable(file.string());
  library_ = loaded(image, shown);
  const KernelNames there = names_in(library_.get(), image, shown);
  for (const std::string& name : names) {
    kernels_.emplace_back(name, kernel_of(library_.get(), chosen_kernel(name, there)));
  }
}

const KernelModule::Kernel& KernelModule::kernel(const std::string& name) const {
  for (const auto& [given, kernel] : kernels_) {
    if (given == name) return kernel;
  }
  throw std::out_of_range("no kernel was loaded as " + name);
}

}  // namespace trilane
