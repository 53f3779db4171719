// Tests on a real GPU. Without one they are skipped, with exit code 77, by name in ctest;
// TRILANE_REQUIRE_GPU=1 turns the skip into a failure.
#define BOOST_TEST_MODULE trilane_gpu
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "common/base/text/exit_code.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/cuda_bench.hpp"

namespace {

constexpr int skipped = 77;  // see tests/CMakeLists.txt

struct Gpu {
  Gpu() {
    try {
      trilane::warm_process(trilane::registry(), trilane::open_device(0).memory_pools);
    } catch (const trilane::NoGpu& reason) {
      const char* required = std::getenv("TRILANE_REQUIRE_GPU");
      const bool fails = required != nullptr && std::string(required) == "1";
      std::fprintf(stderr, "%s: %s\n", fails ? "TRILANE_REQUIRE_GPU" : "skipped", reason.what());
      std::exit(fails ? EXIT_FAILURE : skipped);
    }
  }
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(Gpu);
