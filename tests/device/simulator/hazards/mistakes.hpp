// Planted mistakes, each with its repaired twin: the same calls without the mistake. Their scene is
// two lanes, and memory that both use.
#pragma once

#include <cuda_runtime_api.h>

#include "common/measure/gpu/runtime/handles.hpp"
#include "tests/framework.hpp"

namespace trilane::simulator::mistakes {

struct Planted {
  std::string what;      ///< "event recorded too early"
  std::string reported;  ///< name of the hazard, of the error returned, "leak" or "wrong data"
  /// Required parts of a report: both operations with their lanes, and the size of the range.
  std::vector<std::string> says;
  /// Makes the calls on the process's machine, with or without the mistake. Returns the name of the
  /// resulting error, or "wrong data" if the output is not the expected one.
  std::function<std::string(bool planted)> run;
};

inline constexpr std::uint64_t bytes = 1024;

/// On a fresh machine its lanes are stream 1 and stream 2.
struct Scene {
  Scene() {
    for (std::uint64_t i = 0; i < bytes; ++i) in.get()[i] = static_cast<std::byte>(i * 7 + i / 256);
    std::fill_n(out.get(), bytes, std::byte{0xee});
  }
  /// Pending work uses the memory.
  ~Scene() { cudaDeviceSynchronize(); }
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  void upload(void* to, cudaStream_t stream) const {
    check(cudaMemcpyAsync(to, in.get(), bytes, cudaMemcpyHostToDevice, stream));
  }
  void download(const void* from, cudaStream_t stream) const {
    check(cudaMemcpyAsync(out.get(), from, bytes, cudaMemcpyDeviceToHost, stream));
  }

  /// Waits for everything; returns no error.
  std::string wait() const {
    check(cudaDeviceSynchronize());
    return "";
  }
  /// Waits for everything and checks that the uploaded data has been downloaded.
  std::string result() const {
    check(cudaDeviceSynchronize());
    return std::equal(in.get(), in.get() + bytes, out.get()) ? "" : "wrong data";
  }

  Stream first = make_stream(), second = make_stream();
  cudaStream_t a = first.get(), b = second.get();
  PinnedBuffer in = make_pinned_buffer(bytes), out = make_pinned_buffer(bytes);
  DeviceBuffer memory = make_device_buffer(bytes);
};

/// Returns Planted::run: calls `body` with a new scene and whether the mistake is planted.
template <typename Place = Scene, typename Body>
std::function<std::string(bool)> in_scene(Body body) {
  return [body](bool planted) -> std::string {
    const Place scene;
    return body(scene, planted);
  };
}

/// Returns all of them.
std::vector<Planted> all();

std::vector<Planted> of_lanes();
std::vector<Planted> of_graphs();
std::vector<Planted> of_memory();

}  // namespace trilane::simulator::mistakes
