// The keys of a device profile, stated once for the writer and the reader.
#pragma once

#include "common/device/profile/profile.hpp"
#include "common/json/fields.hpp"

namespace trilane {

/// What a profile calls itself, and what changes whenever a reader would have to.
inline constexpr char profile_schema[] = "trilane-profile";
inline constexpr std::uint32_t profile_schema_version = 1;

/// The keys of a table, indexed by Kind.
inline constexpr std::array<const char*, stage_kinds> stage_names = {"copy in", "memset", "kernel",
                                                                     "copy out"};

/// Each calls `archive(key, field)` for every field of `r`, in the order of the file.
void fields(auto& archive, Is<SizeCost> auto& r) {
  archive("bytes", r.bytes);
  archive("us", r.us);
}

void fields(auto& archive, Is<KernelCost> auto& r) {
  archive("reduces", r.reduces);
  archive("words", r.words);
  archive("outputs", r.outputs);
  archive("blocks", r.blocks);
  archive("us", r.us);
  archive("round_us", r.round_us);
  archive("share", r.share);
}

void fields(auto& archive, Is<decltype(Profile::stream)> auto& r) {
  archive("enqueue", r.enqueue);
  archive("latency_us", r.latency_us);
  archive("start_us", r.start_us);
  archive("across_us", r.across_us);
}

void fields(auto& archive, Is<decltype(Profile::graph)> auto& r) {
  archive("node_us", r.node_us);
  archive("latency_us", r.latency_us);
  archive("start_us", r.start_us);
  archive("instantiate_node_us", r.instantiate_node_us);
  archive("upload_node_us", r.upload_node_us);
  archive("destroy_node_us", r.destroy_node_us);
}

void fields(auto& archive, Is<decltype(Profile::engine)> auto& r) {
  archive("duration", r.duration);
  archive("kernel_spacing_us", r.kernel_spacing_us);
  archive("in_gbps", r.in_gbps);
  archive("out_gbps", r.out_gbps);
  archive("duplex_in_gbps", r.duplex_in_gbps);
  archive("duplex_out_gbps", r.duplex_out_gbps);
  archive("pageable_in_gbps", r.pageable_in_gbps);
  archive("pageable_out_gbps", r.pageable_out_gbps);
  archive("within_gbps", r.within_gbps);
}

void fields(auto& archive, Is<decltype(Profile::memory)> auto& r) {
  archive("malloc", r.malloc);
  archive("free", r.free);
  archive("malloc_host", r.malloc_host);
  archive("free_host", r.free_host);
  archive("shared_us", r.shared_us);
  archive("shared_no_opportunistic_us", r.shared_no_opportunistic_us);
  archive("one_lane_us", r.one_lane_us);
  archive("first_us", r.first_us);
  archive("trim_us", r.trim_us);
}

void fields(auto& archive, Is<Profile> auto& r) {
  archive("name", r.name);
  archive("calibrated", r.calibrated);
  archive("revision", r.revision);
  archive("compute_major", r.compute_major);
  archive("compute_minor", r.compute_minor);
  archive("multiprocessors", r.multiprocessors);
  archive("driver_version", r.driver_version);
  archive("memory_bytes", r.memory_bytes);
  archive("calls_us", r.calls_us);
  archive("stream", r.stream);
  archive("graph", r.graph);
  archive("engine", r.engine);
  archive("kernels", r.kernels);
  archive("memory", r.memory);
}

}  // namespace trilane
