// Rounded limits of every preset on an H200: figures for tests of what is derived.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/explain/analysis/verdict/pipelined.hpp"

namespace trilane {

/// The cost of a call, as measured on launch; it differs little between presets.
inline const std::vector<CallCost> h200_calls_us{
    {"cudaMemcpyAsync", 2.2},   {"cudaMemsetAsync", 1.16},      {"cudaLaunchKernel", 3.32},
    {"cudaEventRecord", 0.158}, {"cudaStreamWaitEvent", 0.128}, {"cudaMallocFromPoolAsync", 0.453},
    {"cudaFreeAsync", 0.394}};

/// The figures that were measured, by the preset's name.
inline const std::map<std::string, Limit> h200_limits{
    {"launch",
     {.in_gbps = 1.6,
      .out_gbps = 2.29,
      .duplex_in_gbps = 1.45,
      .duplex_out_gbps = 1.44,
      .copy_in_us = 2.41,
      .clear_us = 1.4,
      .kernels_us = 7.89,
      .copy_out_us = 1.61,
      .steady_in_us = 2.82,
      .steady_work_us = 5.26,
      .steady_out_us = 2.84,
      .graph_kernels_us = 5.13,
      .graph_work_us = 2.59,
      .graph_steady_kernels_us = 1.46,
      .copies_in = CopyCost{2.3, 29.1},
      .copies_out = CopyCost{1.53, 19.5},
      .whole = WholePass{7.4, 6.32, 4.61, 4.71, 0}}},
    {"transfer",
     {.in_gbps = 54.5,
      .out_gbps = 54.7,
      .duplex_in_gbps = 49.9,
      .duplex_out_gbps = 49.5,
      .copy_in_us = 154,
      .clear_us = 3.75,
      .kernels_us = 8.76,
      .copy_out_us = 153,
      .steady_in_us = 168,
      .steady_work_us = 7.89,
      .steady_out_us = 169,
      .graph_kernels_us = 7.74,
      .graph_work_us = 7.17,
      .graph_steady_kernels_us = 5.68,
      .copies_in = CopyCost{2.65, 18.9},
      .copies_out = CopyCost{1.37, 19},
      .whole = WholePass{4860, 4856, 4838, 4842, 0}}},
    {"balanced",
     {.in_gbps = 47.6,
      .out_gbps = 50,
      .duplex_in_gbps = 43.3,
      .duplex_out_gbps = 43.2,
      .copy_in_us = 21.4,
      .clear_us = 2.18,
      .kernels_us = 21,
      .copy_out_us = 20.4,
      .steady_in_us = 24.2,
      .steady_work_us = 15.3,
      .steady_out_us = 24.3,
      .graph_kernels_us = 20.1,
      .graph_work_us = 14.8,
      .graph_steady_kernels_us = 14.6,
      .copies_in = CopyCost{2.52, 18.9},
      .copies_out = CopyCost{1.51, 18.9},
      .whole = WholePass{306, 305, 303, 303, 223}}},
    {"compute",
     {.in_gbps = 50,
      .out_gbps = 51.2,
      .duplex_in_gbps = 47.3,
      .duplex_out_gbps = 47.1,
      .copy_in_us = 40.5,
      .clear_us = 2.5,
      .kernels_us = 410,
      .copy_out_us = 39.4,
      .steady_in_us = 44.4,
      .steady_work_us = 351,
      .steady_out_us = 44.5,
      .graph_kernels_us = 409,
      .graph_work_us = 350,
      .graph_steady_kernels_us = 350,
      .copies_in = CopyCost{2.69, 18.9},
      .copies_out = CopyCost{1.62, 18.9},
      .whole = WholePass{306, 305, 302, 302, 2797}}},
    {"reduce",
     {.in_gbps = 53.2,
      .out_gbps = 1.96,
      .duplex_in_gbps = 53.2,
      .duplex_out_gbps = 0.772,
      .copy_in_us = 78.1,
      .clear_us = 1.46,
      .kernels_us = 5.79,
      .copy_out_us = 1.64,
      .steady_in_us = 78.8,
      .steady_work_us = 3.7,
      .steady_out_us = 5.31,
      .graph_kernels_us = 4.91,
      .graph_work_us = 3.27,
      .graph_steady_kernels_us = 2.19,
      .copies_in = CopyCost{2.61, 18.9},
      .copies_out = CopyCost{1.64, 0},
      .whole = WholePass{1215, 2.83, 1210, 1.17, 0}}},
    {"search",
     {.in_gbps = 2.02,
      .out_gbps = 0.502,
      .duplex_in_gbps = 2.05,
      .duplex_out_gbps = 0.918,
      .copy_in_us = 3.2,
      .clear_us = 2.03,
      .kernels_us = 993,
      .copy_out_us = 2.22,
      .steady_in_us = 7.98,
      .steady_work_us = 500,
      .steady_out_us = 4.46,
      .graph_kernels_us = 992,
      .graph_work_us = 499,
      .graph_steady_kernels_us = 498,
      .copies_in = CopyCost{3.11, 5.85},
      .copies_out = CopyCost{2.1, 32.8},
      .whole = WholePass{4.42, 2.94, 0.622, 0.11, 983}}}};

/// Returns the limit of the preset, bounds included.
inline Limit h200_limit_of(const Workload& preset) {
  Limit limit = h200_limits.at(preset.name);
  limit.copy_engines = 3;
  limit.calls_us = h200_calls_us;
  derive_bounds(limit, preset.chunks());
  return limit;
}

}  // namespace trilane
