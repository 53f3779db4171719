// Rounded limits of every preset on an H200: figures for tests of what is derived.
#pragma once

#include <variant>

#include "common/explain/analysis/verdict/pipelined.hpp"
#include "tests/framework.hpp"

namespace trilane {

/// The cost of a call, as measured on launch; it differs little between presets.
inline const std::vector<CallCost> h200_calls_us{
    {"cudaMemcpyAsync", 2.2},   {"cudaMemsetAsync", 1.16},      {"cudaLaunchKernel", 3.32},
    {"cudaEventRecord", 0.158}, {"cudaStreamWaitEvent", 0.128}, {"cudaMallocFromPoolAsync", 0.453},
    {"cudaFreeAsync", 0.394}};

/// The figures that were measured, by the preset's name.
inline const std::map<std::string, Limit> h200_limits = [] {
  constexpr const char* presets[] = {"launch",  "transfer", "balanced",
                                     "compute", "reduce",   "search"};
  struct Row {
    std::variant<double Limit::*, std::optional<double> Limit::*> figure;
    double on[6];
  };
  const Row rows[] = {
      {&Limit::in_gbps, {1.6, 54.5, 47.6, 50, 53.2, 2.02}},
      {&Limit::out_gbps, {2.29, 54.7, 50, 51.2, 1.96, 0.502}},
      {&Limit::duplex_in_gbps, {1.45, 49.9, 43.3, 47.3, 53.2, 2.05}},
      {&Limit::duplex_out_gbps, {1.44, 49.5, 43.2, 47.1, 0.772, 0.918}},
      {&Limit::copy_in_us, {2.41, 154, 21.4, 40.5, 78.1, 3.2}},
      {&Limit::clear_us, {1.4, 3.75, 2.18, 2.5, 1.46, 2.03}},
      {&Limit::kernels_us, {7.89, 8.76, 21, 410, 5.79, 993}},
      {&Limit::copy_out_us, {1.61, 153, 20.4, 39.4, 1.64, 2.22}},
      {&Limit::steady_in_us, {2.82, 168, 24.2, 44.4, 78.8, 7.98}},
      {&Limit::steady_work_us, {5.26, 7.89, 15.3, 351, 3.7, 500}},
      {&Limit::steady_out_us, {2.84, 169, 24.3, 44.5, 5.31, 4.46}},
      {&Limit::graph_kernels_us, {5.13, 7.74, 20.1, 409, 4.91, 992}},
      {&Limit::graph_work_us, {2.59, 7.17, 14.8, 350, 3.27, 499}},
      {&Limit::graph_steady_kernels_us, {1.46, 5.68, 14.6, 350, 2.19, 498}},
  };
  constexpr CopyCost copies_in[] = {{2.3, 29.1},  {2.65, 18.9}, {2.52, 18.9},
                                    {2.69, 18.9}, {2.61, 18.9}, {3.11, 5.85}};
  constexpr CopyCost copies_out[] = {{1.53, 19.5}, {1.37, 19}, {1.51, 18.9},
                                     {1.62, 18.9}, {1.64, 0},  {2.1, 32.8}};
  constexpr WholePass whole[] = {{7.4, 6.32, 4.61, 4.71, 0},  {4860, 4856, 4838, 4842, 0},
                                 {306, 305, 303, 303, 223},   {306, 305, 302, 302, 2797},
                                 {1215, 2.83, 1210, 1.17, 0}, {4.42, 2.94, 0.622, 0.11, 983}};
  std::map<std::string, Limit> limits;
  for (std::size_t i = 0; i < std::size(presets); ++i) {
    Limit& limit = limits[presets[i]];
    for (const Row& row : rows) {
      std::visit([&](auto figure) { limit.*figure = row.on[i]; }, row.figure);
    }
    limit.copies_in = copies_in[i];
    limit.copies_out = copies_out[i];
    limit.whole = whole[i];
  }
  return limits;
}();

/// Returns the limit of the preset, bounds included.
inline Limit h200_limit_of(const Workload& preset) {
  Limit limit = h200_limits.at(preset.name);
  limit.copy_engines = 3;
  limit.calls_us = h200_calls_us;
  derive_bounds(limit, preset.chunks());
  return limit;
}

}  // namespace trilane
