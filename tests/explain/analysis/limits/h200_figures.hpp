// Rounded measurements of every preset and variant on an H200: figures for tests of what is
// derived.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/explain/analysis/limits/pipelined.hpp"

namespace trilane {

/// Median times of a pass in microseconds.
struct PassTimes {
  double submit_us, wall_us;
};

/// Measurements of the device: members of Limit.
struct Measured {
  double in_gbps, out_gbps, duplex_in_gbps, duplex_out_gbps;
  double copy_in_us, clear_us, kernels_us, copy_out_us;
  double steady_in_us, steady_work_us, steady_out_us;
  CopyCost copies_in, copies_out;
  double graph_kernels_us, graph_work_us, graph_steady_kernels_us;
  WholePass whole;
};

/// Figures of one preset.
struct Figures {
  Measured limit;
  std::map<std::string, PassTimes> variants;
};

/// The cost of a call, as measured on launch; it differs little between presets.
inline const std::vector<CallCost> h200_calls_us{
    {"cudaMemcpyAsync", 2.2},   {"cudaMemsetAsync", 1.16},      {"cudaLaunchKernel", 3.32},
    {"cudaEventRecord", 0.158}, {"cudaStreamWaitEvent", 0.128}, {"cudaMallocFromPoolAsync", 0.453},
    {"cudaFreeAsync", 0.394}};

/// Returns the limit of `chunks` chunks with these figures, bounds included.
inline Limit limit_of(const Measured& m, std::uint32_t chunks) {
  Limit limit{m.in_gbps,      m.out_gbps,       m.duplex_in_gbps, m.duplex_out_gbps,
              m.copy_in_us,   m.clear_us,       m.kernels_us,     m.copy_out_us,
              m.steady_in_us, m.steady_work_us, m.steady_out_us};
  limit.copy_engines = 3;
  limit.calls_us = h200_calls_us;
  limit.copies_in = m.copies_in;
  limit.copies_out = m.copies_out;
  limit.graph_kernels_us = m.graph_kernels_us;
  limit.graph_work_us = m.graph_work_us;
  limit.graph_steady_kernels_us = m.graph_steady_kernels_us;
  limit.whole = m.whole;
  derive_bounds(limit, chunks);
  return limit;
}

/// By the preset's name.
inline const std::map<std::string, Figures> h200_figures{
    {"launch",
     {.limit = {.in_gbps = 1.6,
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
                .copies_in = CopyCost{2.3, 29.1},
                .copies_out = CopyCost{1.53, 19.5},
                .graph_kernels_us = 5.13,
                .graph_work_us = 2.59,
                .graph_steady_kernels_us = 1.46,
                .whole = WholePass{7.4, 6.32, 4.61, 4.71, 0}},
      .variants = {{"serial", {3900, 3900}},
                   {"streams", {1240, 1250}},
                   {"engines", {1410, 1410}},
                   {"threads", {690, 695}},
                   {"graph", {274, 389}},
                   {"graph_early", {295, 339}},
                   {"batch", {113, 215}},
                   {"graph_built", {326, 348}},
                   {"graph_update", {737, 814}},
                   {"graph_set", {529, 548}},
                   {"graph_coalesced", {6.64, 119}},
                   {"pool", {1320, 1320}},
                   {"pool_trim", {1380, 1460}},
                   {"malloc", {2250, 2250}},
                   {"graph_pool", {268, 391}},
                   {"streams_kernels", {1600, 1600}},
                   {"graph_kernels", {5.05, 185}},
                   {"graph_fused", {4.9, 60.5}},
                   {"fused", {4.27, 18.7}}}}},
    {"transfer",
     {.limit = {.in_gbps = 54.5,
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
                .copies_in = CopyCost{2.65, 18.9},
                .copies_out = CopyCost{1.37, 19},
                .graph_kernels_us = 7.74,
                .graph_work_us = 7.17,
                .graph_steady_kernels_us = 5.68,
                .whole = WholePass{4860, 4856, 4838, 4842, 0}},
      .variants = {{"serial", {11100, 11100}},
                   {"streams", {364, 5820}},
                   {"engines", {441, 5590}},
                   {"threads", {303, 5850}},
                   {"graph", {110, 5710}},
                   {"graph_early", {119, 5730}},
                   {"batch", {41.6, 9990}},
                   {"graph_built", {146, 5760}},
                   {"graph_update", {224, 5820}},
                   {"graph_set", {221, 5840}},
                   {"graph_coalesced", {8.89, 9970}},
                   {"pool", {432, 5840}},
                   {"pool_trim", {546, 6070}},
                   {"malloc", {13400, 13400}},
                   {"graph_pool", {108, 5700}},
                   {"streams_kernels", {575, 9970}},
                   {"graph_kernels", {6.65, 10600}},
                   {"graph_fused", {5.39, 6430}},
                   {"fused", {5.04, 6430}}}}},
    {"balanced",
     {.limit = {.in_gbps = 47.6,
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
                .copies_in = CopyCost{2.52, 18.9},
                .copies_out = CopyCost{1.51, 18.9},
                .graph_kernels_us = 20.1,
                .graph_work_us = 14.8,
                .graph_steady_kernels_us = 14.6,
                .whole = WholePass{306, 305, 303, 303, 223}},
      .variants = {{"serial", {1480, 1490}},
                   {"streams", {186, 469}},
                   {"engines", {214, 446}},
                   {"threads", {135, 493}},
                   {"graph", {53.9, 465}},
                   {"graph_early", {50.4, 464}},
                   {"batch", {21, 870}},
                   {"graph_built", {76, 461}},
                   {"graph_update", {104, 516}},
                   {"graph_set", {106, 495}},
                   {"graph_coalesced", {6.68, 864}},
                   {"pool", {200, 481}},
                   {"pool_trim", {262, 606}},
                   {"malloc", {2310, 2310}},
                   {"graph_pool", {53.6, 466}},
                   {"streams_kernels", {249, 720}},
                   {"graph_kernels", {5.23, 635}},
                   {"graph_fused", {4.88, 585}},
                   {"fused", {4.77, 478}}}}},
    {"compute",
     {.limit = {.in_gbps = 50,
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
                .copies_in = CopyCost{2.69, 18.9},
                .copies_out = CopyCost{1.62, 18.9},
                .graph_kernels_us = 409,
                .graph_work_us = 350,
                .graph_steady_kernels_us = 350,
                .whole = WholePass{306, 305, 302, 302, 2797}},
      .variants = {{"serial", {4180, 4180}},
                   {"streams", {102, 2910}},
                   {"engines", {118, 3400}},
                   {"threads", {196, 2940}},
                   {"graph", {30.5, 2910}},
                   {"graph_early", {40, 2910}},
                   {"batch", {25.2, 3460}},
                   {"graph_built", {42.2, 2900}},
                   {"graph_update", {60.1, 2930}},
                   {"graph_set", {59.7, 2920}},
                   {"graph_coalesced", {6.77, 3430}},
                   {"pool", {112, 2910}},
                   {"pool_trim", {166, 3030}},
                   {"malloc", {4620, 4620}},
                   {"graph_pool", {30.9, 2910}},
                   {"streams_kernels", {132, 3020}},
                   {"graph_kernels", {5.15, 3020}},
                   {"graph_fused", {5.27, 2820}},
                   {"fused", {4.81, 2820}}}}},
    {"reduce",
     {.limit = {.in_gbps = 53.2,
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
                .copies_in = CopyCost{2.61, 18.9},
                .copies_out = CopyCost{1.64, 0},
                .graph_kernels_us = 4.91,
                .graph_work_us = 3.27,
                .graph_steady_kernels_us = 2.19,
                .whole = WholePass{1215, 2.83, 1210, 1.17, 0}},
      .variants = {{"serial", {1790, 1790}},
                   {"streams", {150, 1320}},
                   {"engines", {175, 1280}},
                   {"threads", {148, 1340}},
                   {"graph", {68.8, 1300}},
                   {"graph_early", {67.3, 1300}},
                   {"batch", {21.2, 1290}},
                   {"graph_built", {78.8, 1300}},
                   {"graph_update", {117, 1350}},
                   {"graph_set", {110, 1330}},
                   {"graph_coalesced", {6.73, 1280}},
                   {"pool", {168, 1340}},
                   {"pool_trim", {226, 1460}},
                   {"malloc", {2730, 2740}},
                   {"graph_pool", {68.5, 1300}},
                   {"streams_kernels", {269, 1530}},
                   {"graph_kernels", {5.61, 1370}},
                   {"graph_fused", {5.41, 1340}},
                   {"fused", {5.67, 1330}}}}},
    {"search",
     {.limit = {.in_gbps = 2.02,
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
                .copies_in = CopyCost{3.11, 5.85},
                .copies_out = CopyCost{2.1, 32.8},
                .graph_kernels_us = 992,
                .graph_work_us = 499,
                .graph_steady_kernels_us = 498,
                .whole = WholePass{4.42, 2.94, 0.622, 0.11, 983}},
      .variants = {{"serial", {2080, 2080}},
                   {"streams", {22.7, 1030}},
                   {"engines", {27.3, 2040}},
                   {"threads", {66, 1070}},
                   {"graph", {12.3, 1030}},
                   {"graph_early", {13.5, 1030}},
                   {"batch", {13.2, 1030}},
                   {"graph_built", {12.8, 1030}},
                   {"graph_update", {22.2, 1040}},
                   {"graph_set", {17.6, 1040}},
                   {"graph_coalesced", {5.11, 1030}},
                   {"pool", {25.3, 1030}},
                   {"pool_trim", {78.7, 1130}},
                   {"malloc", {2060, 2060}},
                   {"graph_pool", {12.7, 1030}},
                   {"streams_kernels", {30.6, 1030}},
                   {"graph_kernels", {2.82, 1020}},
                   {"graph_fused", {2.9, 998}},
                   {"fused", {4.27, 1000}}}}},
};

}  // namespace trilane
