#include "common/harness/bench/host_buffers.hpp"

#include <algorithm>

namespace trilane {

void HostBytes::make_room_for(const Workload& workload) {
  in = std::max(in, workload.bytes);
  out = std::max(out, workload.result_total());
}

HostBuffers::HostBuffers(const HostBytes& bytes, HostMemory kind)
    : in(make_host_buffer(bytes.in, kind)),
      out(make_host_buffer(bytes.out, output_kind(kind))),
      expected(bytes.out) {}

}  // namespace trilane
