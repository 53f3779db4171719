#include <boost/test/unit_test.hpp>
#include <thread>

#include "tests/device/simulator/runtime/rules.hpp"

using namespace trilane;
using namespace trilane::simulator::rules;
using trilane::simulator::Fault;

BOOST_AUTO_TEST_SUITE(rules_errors)

namespace {

cudaError_t allocate(std::uint64_t bytes = 256) {
  void* memory = nullptr;
  return cudaMalloc(&memory, bytes);
}

/// Restarts with a machine whose first call fails with `code`.
void start_with_fault(cudaError_t code) {
  auto settings = usual();
  settings.fault = Fault{1, code};
  start(settings);
}

/// The codes that, by the documentation, all further work returns too, until the process is started
/// again.
constexpr cudaError_t staying[] = {
    cudaErrorIllegalAddress,      cudaErrorLaunchTimeout,      cudaErrorAssert,
    cudaErrorHardwareStackError,  cudaErrorIllegalInstruction, cudaErrorMisalignedAddress,
    cudaErrorInvalidAddressSpace, cudaErrorInvalidPc,          cudaErrorLaunchFailure};

constexpr cudaError_t passing[] = {cudaErrorMemoryAllocation, cudaErrorInvalidValue,
                                   cudaErrorStreamCaptureInvalidated, cudaErrorSystemNotReady,
                                   cudaErrorInvalidResourceHandle};

}  // namespace

// Runtime API, Data types used by CUDA Runtime, cudaError, cudaErrorIllegalAddress and the like:
// the process is left in an inconsistent state, and all further work returns the same error.
BOOST_AUTO_TEST_CASE(a_sticky_error_is_returned_by_all_that_follows) {
  for (const cudaError_t code : staying) {
    start_with_fault(code);
    BOOST_TEST(allocate() == code);
    BOOST_TEST(cudaGetLastError() == code);
    cudaStream_t stream = nullptr;
    BOOST_TEST(cudaStreamCreate(&stream) == code);
    BOOST_TEST(allocate() == code);
    BOOST_TEST(cudaDeviceSynchronize() == code);
    BOOST_TEST(cudaGetLastError() == code);
  }
}

// Other errors end with the call that returned them.
BOOST_AUTO_TEST_CASE(any_other_error_passes) {
  for (const cudaError_t code : passing) {
    start_with_fault(code);
    BOOST_TEST(allocate() == code);
    BOOST_TEST(allocate() == cudaSuccess);
    BOOST_TEST(cudaDeviceSynchronize() == cudaSuccess);
  }
}

// Programming Guide 2.3.4.2, Asynchronous Error Handling: an error of a kernel is returned when its
// stream is next waited for, not by the launch.
TRILANE_OUTCOMES(an_error_on_the_device_is_returned_by_a_later_wait, "cudaErrorIllegalAddress") {
  cudaStream_t stream = nullptr, other = nullptr;
  check(cudaStreamCreate(&stream));
  check(cudaStreamCreate(&other));
  fail(cudaErrorIllegalAddress, stream);
  BOOST_TEST(cudaPeekAtLastError() == cudaSuccess);
  mark('x', other);
  const cudaError_t code = cudaStreamSynchronize(stream);
  BOOST_TEST(cudaStreamSynchronize(other) == cudaErrorIllegalAddress);
  BOOST_TEST(allocate() == cudaErrorIllegalAddress);
  return std::string(cudaGetErrorName(code));
}

// Runtime API, Error Handling, cudaGetLastError and cudaPeekAtLastError: both return the last
// error, the first one clears it; calls that succeed keep it.
BOOST_AUTO_TEST_CASE(the_last_error_is_kept_until_it_is_fetched) {
  start_with_fault(cudaErrorInvalidValue);
  BOOST_TEST(allocate() == cudaErrorInvalidValue);
  BOOST_TEST(allocate() == cudaSuccess);
  BOOST_TEST(cudaPeekAtLastError() == cudaErrorInvalidValue);
  BOOST_TEST(cudaPeekAtLastError() == cudaErrorInvalidValue);
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidValue);
  BOOST_TEST(cudaGetLastError() == cudaSuccess);
}

// The same: the last error is that of the calling host thread.
BOOST_AUTO_TEST_CASE(every_thread_has_a_last_error_of_its_own) {
  start();
  cudaError_t elsewhere = cudaErrorUnknown;
  BOOST_TEST(cudaFree(&elsewhere) == cudaErrorInvalidValue);
  std::thread([&] { elsewhere = cudaGetLastError(); }).join();
  BOOST_TEST(elsewhere == cudaSuccess);
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidValue);
}

// C++ Programming Guide 6.2.12, Error Checking: cudaErrorNotReady of a query is not an error, and
// is not kept as the last one.
BOOST_AUTO_TEST_CASE(not_ready_is_not_kept_as_an_error) {
  start();
  const Stream stream = make_stream();
  mark('a', stream.get());
  BOOST_TEST(cudaStreamQuery(stream.get()) == cudaErrorNotReady);
  BOOST_TEST(cudaGetLastError() == cudaSuccess);
  cudaError_t code = cudaErrorNotReady;
  while ((code = cudaStreamQuery(stream.get())) == cudaErrorNotReady) {
  }
  BOOST_TEST(code == cudaSuccess);
}

// Runtime API, Memory Management, cudaMalloc: cudaErrorMemoryAllocation if there is too little
// memory; the next call may succeed.
BOOST_AUTO_TEST_CASE(running_out_of_memory_does_not_stay) {
  start();
  BOOST_TEST(allocate(2048 * mebibyte) == cudaErrorMemoryAllocation);
  BOOST_TEST(allocate() == cudaSuccess);
}

// Runtime API, Error Handling, cudaGetErrorName and cudaGetErrorString: the enumerator's name, and
// the same text from both for a number that is not an error code.
BOOST_AUTO_TEST_CASE(errors_have_names) {
  BOOST_TEST(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
  const auto none = static_cast<cudaError_t>(12345);
  BOOST_TEST(std::string(cudaGetErrorName(none)) == "unrecognized error code");
  BOOST_TEST(std::string(cudaGetErrorString(none)) == "unrecognized error code");
}

BOOST_AUTO_TEST_SUITE_END()
