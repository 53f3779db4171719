// Suites that need several devices: simulated ones, or those of this machine.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdio>

#include "common/device/flavour/flavour.hpp"
#include "tests/framework.hpp"

namespace trilane {

/// Starts three simulated devices; returns the number of devices here.
inline int several_devices() {
  start_simulation({.profile = "", .fault = "", .gpus = "3"});
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

/// Skips the suite, by name, on a machine with one GPU.
inline boost::test_tools::assertion_result need_two_devices(boost::unit_test::test_unit_id suite) {
  if (several_devices() >= 2) return true;
  std::fprintf(
      stderr, "skipped for want of two GPUs: %s\n",
      boost::unit_test::framework::get(suite, boost::unit_test::TUT_SUITE).p_name->c_str());
  return false;
}

}  // namespace trilane
