// A complete fake device profile.
#pragma once

#include "common/base/json/members.hpp"
#include "common/device/profile/profile.hpp"
#include "tests/framework.hpp"

namespace trilane {

inline const std::vector<KernelCost> some_kernels = {
    {.reduces = false, .words = 256, .outputs = 256, .blocks = 1, .us = 2, .round_us = 0.5},
    {.reduces = false, .words = 4096, .outputs = 4096, .blocks = 4, .us = 8, .round_us = 0.5},
    {.reduces = true, .words = 1024, .outputs = 4, .blocks = 4, .us = 16, .share = 0.25},
    {.reduces = true, .words = 1024, .outputs = 64, .blocks = 4, .us = 4, .share = 0.5},
    {.reduces = true, .words = 16384, .outputs = 4, .blocks = 64, .us = 64, .share = 0.5},
    {.reduces = true, .words = 16384, .outputs = 64, .blocks = 64, .us = 16, .share = 1},
};

/// Gives every number a different value.
struct Filler {
  int filled = 0;
  void operator()(const char*, double& field) { field = ++filled + 1.0 / 3; }
  void operator()(const char*, int& field) { field = ++filled; }
  void operator()(const char*, std::uint64_t& field) {
    field = 5'000'000'000u + unsigned(++filled);
  }
  void operator()(const char* key, std::string& field) {
    field = std::string(key) + " \"\\\xc2\xb5";
  }
  void operator()(const char*, std::map<std::string, double>& costs) {
    for (const char* call :
         {"cudaEventCreateWithFlags", "cudaEventDestroy", "cudaEventRecord", "cudaGraphExecDestroy",
          "cudaGraphInstantiate", "cudaGraphLaunch", "cudaGraphUpload", "cudaMemPoolCreate",
          "cudaMemPoolDestroy", "cudaStreamCreateWithFlags", "cudaStreamDestroy",
          "cudaStreamEndCapture", "cudaStreamQuery", "cudaStreamSynchronize",
          "cudaStreamWaitEvent"}) {
      (*this)("", costs[call]);
    }
  }
  void operator()(const char*, std::vector<KernelCost>& field) { field = some_kernels; }
  void operator()(const char*, std::vector<SizeCost>& costs) {
    costs.resize(2);
    for (SizeCost& cost : costs) (*this)("", cost);
  }
  template <typename Entry>
  void operator()(const char* key, std::optional<Entry>& entry) {
    (*this)(key, entry.emplace());
  }
  template <typename Entry>
  void operator()(const char*, std::array<Entry, stage_kinds>& table) {
    for (Entry& entry : table) (*this)("", entry);
  }
  template <Described Record>
  void operator()(const char*, Record& record) {
    for_each_member<Record>([&](auto member) { (*this)(member.name, record.*member.pointer); });
  }
};

/// Returns a profile in which every field has a value.
inline Profile full_profile() {
  Profile profile;
  Filler filler;
  filler("", profile);
  profile.stream.thread_share = 1.0 / 3;
  return profile;
}

}  // namespace trilane
