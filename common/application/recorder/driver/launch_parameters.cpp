#include "common/application/recorder/driver/launch_parameters.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <unordered_map>

#include "common/application/recorder/driver/driver_functions.hpp"
#include "common/application/replay/replayed_call.hpp"

namespace trilane {
namespace {

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
