// The keys of the limit.
#pragma once

#include "common/json/fields.hpp"
#include "common/results/limit.hpp"

namespace trilane {

void fields(auto& archive, Is<CopyCost> auto& r) {
  archive("start_us", r.start_us);
  archive("us_per_mib", r.us_per_mib);
}

void fields(auto& archive, Is<BestCut> auto& r) {
  archive("chunks", r.chunks);
  archive("bound_us", r.bound_us);
}

void fields(auto& archive, Is<Limit> auto& r) {
  archive("in_gbps", r.in_gbps);
  archive("out_gbps", r.out_gbps);
  archive("duplex_in_gbps", r.duplex_in_gbps);
  archive("duplex_out_gbps", r.duplex_out_gbps);
  archive("copy_in_us", r.copy_in_us);
  archive("clear_us", r.clear_us);
  archive("kernels_us", r.kernels_us);
  archive("copy_out_us", r.copy_out_us);
  archive("steady_in_us", r.steady_in_us);
  archive("steady_work_us", r.steady_work_us);
  archive("steady_out_us", r.steady_out_us);
  archive("bound_us", r.bound_us);
  archive("serial_us", r.serial_us);
  archive("bound_by", r.bound_by);
  archive("one_engine_us", r.one_engine_us);
  archive("copy_engines", r.copy_engines);
  archive("calls_us", r.calls_us);
  archive("copies_in", r.copies_in);
  archive("copies_out", r.copies_out);
  archive("best", r.best);
}

}  // namespace trilane
