#include "common/measure/gpu/pipeline/kernel_module.hpp"

#include "common/base/text/cpp_names.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/measure/gpu/images/kernel_names.hpp"
#include "common/measure/gpu/runtime/check.hpp"

namespace trilane {
namespace {

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

KernelLibrary loaded(const Image& image, const std::string& file) {
  cudaLibrary_t library = nullptr;
  const cudaError_t code =
      cudaLibraryLoadData(&library, image.bytes.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (is_wrong_image(code)) {
    cudaGetLastError();  // so that no later check reports it
    throw UsageError(
        "{}: the driver cannot load it ({}); compile it for this device with nvcc -{} -arch={}",
        file, cudaGetErrorString(code), name_of(image.kind), current_architecture().name());
  }
  check(code);
  return KernelLibrary(library);
}

std::vector<cudaKernel_t> kernels_of(cudaLibrary_t library) {
  unsigned count = 0;
  check(cudaLibraryGetKernelCount(&count, library));
  std::vector<cudaKernel_t> kernels(count);
  if (count > 0) check(cudaLibraryEnumerateKernels(kernels.data(), count, library));
  return kernels;
}

KernelNames names_in(cudaLibrary_t library, const Image& image, const std::string& file) {
  KernelNames names{.file = file, .lowered = image.lowered, .templates = image.templates};
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

/// The limit of static and dynamic memory together, unless a kernel opts in.
constexpr std::uint64_t shared_without_request = std::uint64_t{48} << 10;

template <typename... Args>
[[noreturn]] void refuse(const KernelSpec& spec, fmt::format_string<Args...> why, Args&&... args) {
  throw UsageError("kernel {} of {}: {}", in_quotes(spec.name), printable(spec.file),
                   fmt::format(why, std::forward<Args>(args)...));
}

bool is_buffer(const Argument& argument) {
  return is_read(argument.kind) || is_written(argument.kind);
}

std::uint64_t bytes_of(const Argument& argument) {
  return is_buffer(argument) ? sizeof(void*) : size_of(argument.element);
}

std::string words_for(const Argument& argument) {
  if (is_buffer(argument))
    return fmt::format("the address of a buffer ({})", name_of(argument.kind));
  return fmt::format("{} of type {}", name_of(argument.kind), name_of(argument.element));
}

std::string way_out(const Argument& argument, std::size_t wanted) {
  if (is_buffer(argument)) return "a buffer goes to a pointer; reorder the arguments";
  const bool floating = is_floating(argument.element);
  switch (wanted) {
    case 1: return "give it \"type\": \"uint8\" or \"int8\"";
    case 2:
      return floating ? "give it \"type\": \"half\"" : "give it \"type\": \"uint16\" or \"int16\"";
    case 4:
      return floating ? "give it \"type\": \"float\"" : "give it \"type\": \"uint32\" or \"int32\"";
    case 8:
      return floating ? "give it \"type\": \"double\""
                      : "give it \"type\": \"uint64\" or \"int64\"";
    default: return "pipelines pass no structures; take their members as parameters";
  }
}

void check_arguments(const KernelModule::Kernel& kernel, const KernelSpec& spec) {
  const std::vector<std::size_t>& wanted = kernel.parameter_sizes;
  const std::vector<std::string> types = signature_of(kernel.name);
  if (spec.arguments.size() != wanted.size()) {
    refuse(spec,
           "it has {} parameters, and the pipeline gives it {} arguments; state one for each of {}",
           wanted.size(), spec.arguments.size(), printable(kernel.name));
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Argument& argument = spec.arguments[i];
    if (bytes_of(argument) == wanted[i]) continue;
    const std::string type = i < types.size() ? fmt::format(" ({})", printable(types[i])) : "";
    refuse(spec, "argument {}, {}, has {} bytes, and its parameter{} has {}; {}", i + 1,
           words_for(argument), bytes_of(argument), type, wanted[i], way_out(argument, wanted[i]));
  }
}

/// Returns the number of threads. Sizes are at most 2^60 each, so the product could overflow.
std::uint64_t threads_of(const Extents::Launch& launch, std::uint64_t most) {
  std::uint64_t threads = 1;
  for (const std::uint64_t size : launch.block) {
    if (size > most) return most + 1;
    threads *= size;
  }
  return threads;
}

}  // namespace

KernelModule::KernelModule(const std::filesystem::path& file,
                           const std::vector<std::string>& names) {
  const Image image = image_of(file, names, current_architecture());
  const std::string shown = printable(file.string());
  library_ = loaded(image, shown);
  const KernelNames there = names_in(library_.get(), image, shown);
  for (const std::string& name : names) {
    kernels_.emplace(name, kernel_of(library_.get(), chosen_kernel(name, there)));
  }
}

void check_launch(const KernelModule::Kernel& kernel, const KernelSpec& spec,
                  const Extents::Launch& launch) {
  check_arguments(kernel, spec);
  const auto most = static_cast<std::uint64_t>(kernel.max_threads);
  if (threads_of(launch, most) > most) {
    refuse(spec,
           "a block of {} x {} x {} threads is too large, because it can have {} with its "
           "registers and __launch_bounds__; make \"block\" smaller",
           launch.block[0], launch.block[1], launch.block[2], most);
  }
  if (launch.shared > kernel.max_dynamic_shared) {
    refuse(spec,
           "{} bytes of dynamic shared memory are too much, because a block can have {} here "
           "beside {} bytes of static; make \"shared\" smaller",
           launch.shared, kernel.max_dynamic_shared, kernel.static_shared);
  }
}

void prepare_launch(const KernelModule::Kernel& kernel, const KernelSpec& spec,
                    const Extents::Launch& launch) {
  check_launch(kernel, spec, launch);
  if (launch.shared + kernel.static_shared <= shared_without_request) return;
  // Permits all of it: the last chunk's launch may need less than others, and would revoke their
  // permission.
  check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(kernel.max_dynamic_shared)));
}

}  // namespace trilane
