#include "tests/device/simulator/faults/redirected.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(not_modelled, Fresh)

BOOST_AUTO_TEST_CASE(a_function_that_is_not_modelled_says_so_once_and_is_not_supported) {
  std::string text;
  {
    const simulator::Redirected captured(STDERR_FILENO);
    cudaArray_t array = nullptr;
    std::size_t bytes = 0;
    BOOST_TEST(cudaFreeArray(array) == cudaErrorNotSupported);
    BOOST_TEST(cudaDeviceGetLimit(&bytes, cudaLimitStackSize) == cudaErrorNotSupported);
    BOOST_TEST(cudaFreeArray(array) == cudaErrorNotSupported);
    text = captured.text();
  }
  BOOST_TEST(text ==
             "trilane: simulated device: cudaFreeArray is not modelled\n"
             "trilane: simulated device: cudaDeviceGetLimit is not modelled\n");
  BOOST_TEST(cudaGetLastError() == cudaErrorNotSupported);
  BOOST_TEST(trilane::simulator::machine().calls.size() == 3);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
