#include "common/application/recorder/driver/driver_surroundings.hpp"

#include <cupti.h>

#include <boost/core/demangle.hpp>
#include <cctype>

#include "common/application/replay/replayed_call.hpp"
#include "common/device/cuda/cupti.hpp"

namespace trilane {

namespace {

/// With -rdc=true the compiler puts a prefix before kernels that only their own file knows.
std::string demangled(const std::string& name) {
  const std::size_t own = name.starts_with("__nv_static_") ? name.find("__Z") : std::string::npos;
  return boost::core::demangle(own == std::string::npos ? name.c_str() : name.c_str() + own + 1);
}

/// A launch takes a CUfunction or a CUkernel; only the query for the right one succeeds.
struct Handle {
  CUfunction function = nullptr;
  const char* name = nullptr;
};

Handle handle_of(std::uint64_t number) {
  const DriverFunctions& driver = driver_functions();
  Handle found;
  if (driver.cuFuncGetName(&found.name, reinterpret_cast<CUfunction>(number)) == CUDA_SUCCESS) {
    found.function = reinterpret_cast<CUfunction>(number);
    return found;
  }
  const auto kernel = reinterpret_cast<CUkernel>(number);
  found.name = nullptr;
  driver.cuKernelGetName(&found.name, kernel);
  if (driver.cuKernelGetFunction(&found.function, kernel) != CUDA_SUCCESS) found.function = nullptr;
  return found;
}

std::uint32_t attribute_of(CUfunction function, CUfunction_attribute attribute) {
  int value = 0;
  const bool known = function != nullptr && driver_functions().cuFuncGetAttribute(
                                                &value, attribute, function) == CUDA_SUCCESS;
  return known && value > 0 ? static_cast<std::uint32_t>(value) : 0;
}

/// Gets the attribute of the memory at an address. `value` stays if the driver does not know it.
template <typename T>
bool ask(std::uint64_t address, CUpointer_attribute attribute, T& value) {
  return driver_functions().cuPointerGetAttribute(&value, attribute, address) == CUDA_SUCCESS;
}

MemoryKind device_kind(std::uint64_t address) {
  CUmemoryPool pool = nullptr;
  if (ask(address, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, pool) && pool != nullptr)
    return MemoryKind::pool;
  // The recorder knows the program's allocations: the rest came with a module.
  return MemoryKind::module;
}

/// Returns "cuMemcpyHtoDAsync" for "cuMemcpyHtoDAsync_v2_ptsz", and drops "_v3020".
std::string name_in(CUpti_CallbackDomain domain, std::uint32_t id) {
  const char* text = nullptr;
  if (cupti().get_callback_name(domain, id, &text) != CUPTI_SUCCESS || text == nullptr) return "?";
  std::string name = text;
  for (const char* end : {"_pt", "_v"}) {
    const std::size_t at = name.find(end);
    if (at != std::string::npos) name.resize(at);
  }
  return name;
}

struct Layout {
  std::vector<ParameterPlace> places;
  std::size_t bytes = 0;
};

template <typename Ask>
Layout asked(Ask ask) {
  Layout layout;
  std::size_t offset = 0, bytes = 0;
  while (ask(layout.places.size(), &offset, &bytes) == CUDA_SUCCESS) {
    layout.places.push_back({.offset = offset, .bytes = bytes});
    layout.bytes = std::max(layout.bytes, offset + bytes);
  }
  return layout;
}

/// A launch takes either kind of handle, and only the query for the right one succeeds.
Layout layout_of(std::uint64_t function) {
  const DriverFunctions& driver = driver_functions();
  const Layout layout = asked([&](std::size_t i, std::size_t* offset, std::size_t* bytes) {
    return driver.cuFuncGetParamInfo(reinterpret_cast<CUfunction>(function), i, offset, bytes);
  });
  if (!layout.places.empty()) return layout;
  return asked([&](std::size_t i, std::size_t* offset, std::size_t* bytes) {
    return driver.cuKernelGetParamInfo(reinterpret_cast<CUkernel>(function), i, offset, bytes);
  });
}

// Kept until the process ends: calls may come until then.
auto& layouts() {
  static auto& known = *new std::unordered_map<std::uint64_t, Layout>;
  return known;
}

const Layout& known_layout(std::uint64_t function) {
  const auto found = layouts().find(function);
  if (found != layouts().end()) return found->second;
  return layouts().emplace(function, layout_of(function)).first->second;
}

std::span<const std::byte> from_buffer(void** extra) {
  const void* buffer = nullptr;
  std::size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = extra[1];
    } else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) {
      bytes = *static_cast<const std::size_t*>(extra[1]);
    } else {
      return {};
    }
  }
  if (buffer == nullptr) return {};
  return {static_cast<const std::byte*>(buffer), bytes};
}

}  // namespace

KernelFacts DriverSurroundings::kernel(std::uint64_t function) {
  const Handle handle = handle_of(function);
  KernelFacts facts{
      .name = handle.name == nullptr ? "kernel" : demangled(handle.name),
      .parameters = parameter_places(function),
      .registers = attribute_of(handle.function, CU_FUNC_ATTRIBUTE_NUM_REGS),
      .static_shared_bytes = attribute_of(handle.function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)};
  // Earlier architectures start no kernel early.
  const bool may = attribute_of(handle.function, CU_FUNC_ATTRIBUTE_BINARY_VERSION) >= 90;
  if (may && handle.name != nullptr) modules_.describe(handle.name, facts);
  return facts;
}

RecordedStream stream_behind(std::uint64_t handle) {
  if (handle == legacy_handle) return {.kind = StreamKind::legacy};
  if (handle == per_thread_handle) return {.kind = StreamKind::per_thread};
  const DriverFunctions& driver = driver_functions();
  const auto stream = reinterpret_cast<CUstream>(handle);
  RecordedStream found;
  unsigned flags = 0;
  if (driver.cuStreamGetFlags(stream, &flags) == CUDA_SUCCESS &&
      (flags & CU_STREAM_NON_BLOCKING) != 0)
    found.kind = StreamKind::non_blocking;
  driver.cuStreamGetPriority(stream, &found.priority);
  return found;
}

MemoryFacts DriverSurroundings::memory(std::uint64_t address) {
  unsigned type = 0, managed = 0;
  // The driver knows neither pageable memory nor numbers that are not addresses.
  if (!ask(address, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, type)) return {.kind = MemoryKind::pageable};
  ask(address, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed);
  MemoryFacts facts;
  facts.kind = managed != 0                   ? MemoryKind::managed
               : type == CU_MEMORYTYPE_HOST   ? MemoryKind::pinned
               : type == CU_MEMORYTYPE_DEVICE ? device_kind(address)
                                              : MemoryKind::pageable;
  std::size_t bytes = 0;
  CUdeviceptr base = 0;
  if (ask(address, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, base) &&
      ask(address, CU_POINTER_ATTRIBUTE_RANGE_SIZE, bytes)) {
    facts.base = base;
    facts.bytes = bytes;
  }
  return facts;
}

std::string DriverSurroundings::driver_name(std::uint32_t function) {
  return name_in(CUPTI_CB_DOMAIN_DRIVER_API, function);
}

std::string DriverSurroundings::runtime_name(std::uint32_t function) {
  return function == 0 ? "" : name_in(CUPTI_CB_DOMAIN_RUNTIME_API, function);
}

const std::vector<ParameterPlace>& parameter_places(std::uint64_t function) {
  return known_layout(function).places;
}

std::span<const std::byte> gathered_arguments(std::uint64_t function, void** parameters,
                                              void** extra) {
  if (parameters == nullptr)
    return extra == nullptr ? std::span<const std::byte>() : from_buffer(extra);
  static auto& bytes = *new std::vector<std::byte>;
  const Layout& layout = known_layout(function);
  bytes.assign(layout.bytes, std::byte{});
  for (std::size_t i = 0; i < layout.places.size(); ++i) {
    const ParameterPlace& place = layout.places[i];
    std::memcpy(bytes.data() + place.offset, parameters[i], place.bytes);
  }
  return bytes;
}

const LaunchAttributes* recorded_attributes(std::span<const CUlaunchAttribute> attributes) {
  static auto& known = *new std::set<LaunchAttributes>;
  LaunchAttributes all = in_recording(attributes);
  return all == LaunchAttributes() ? nullptr : &*known.insert(std::move(all)).first;
}

void forget_kernels() { layouts().clear(); }

}  // namespace trilane
