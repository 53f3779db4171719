// Errors of calls and of the device, and faults.
#include "common/base/text/exit_code.hpp"
#include "common/device/flavour/flavour.hpp"
#include "common/device/simulator/machine/call.hpp"
#include "tests/base/refusal.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(errors, Fresh)

namespace {

void start_with_fault(std::uint64_t call, cudaError_t code) {
  auto settings = usual();
  settings.fault = {call, code};
  start(settings);
}

cudaError_t allocate(void** memory) { return cudaMalloc(memory, 256); }

std::string fault_refused(const std::string& fault) {
  return refusal<UsageError>([&] { start_simulation({.profile = {}, .fault = fault, .seed = 1}); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_fault_makes_that_one_call_fail_and_do_nothing) {
  start_with_fault(2, cudaErrorMemoryAllocation);
  void *first = nullptr, *second = nullptr, *third = nullptr;
  BOOST_TEST(allocate(&first) == cudaSuccess);
  BOOST_TEST(allocate(&second) == cudaErrorMemoryAllocation);
  BOOST_TEST(second == nullptr);
  BOOST_TEST(allocate(&third) == cudaSuccess);
  cudaFree(first);
  cudaFree(third);
  BOOST_TEST(machine().leaks().empty());
}

BOOST_AUTO_TEST_CASE(a_release_that_fails_does_not_release) {
  start_with_fault(2, cudaErrorInvalidValue);
  void* memory = nullptr;
  allocate(&memory);
  BOOST_TEST(cudaFree(memory) == cudaErrorInvalidValue);
  BOOST_TEST(machine().leaks() == std::vector<std::string>{"256 bytes of device memory"},
             boost::test_tools::per_element());
  BOOST_TEST(cudaFree(memory) == cudaSuccess);
  BOOST_TEST(machine().leaks().empty());
}

// Runtime API, Data types, cudaError: these leave "the process in an inconsistent state and any
// further CUDA work will return the same error", until the process is started again.
BOOST_AUTO_TEST_CASE(a_sticky_error_is_returned_by_every_later_call) {
  for (const auto code :
       {cudaErrorIllegalAddress, cudaErrorLaunchTimeout, cudaErrorAssert,
        cudaErrorHardwareStackError, cudaErrorIllegalInstruction, cudaErrorMisalignedAddress,
        cudaErrorInvalidAddressSpace, cudaErrorInvalidPc, cudaErrorLaunchFailure,
        cudaErrorTensorMemoryLeak, cudaErrorContained, cudaErrorMpsClientTerminated,
        cudaErrorExternalDevice, cudaErrorECCUncorrectable}) {
    start_with_fault(1, code);
    void* memory = nullptr;
    BOOST_TEST(allocate(&memory) == code);
    BOOST_TEST(allocate(&memory) == code);
    cudaStream_t stream = nullptr;
    BOOST_TEST(cudaStreamCreate(&stream) == code);
    BOOST_TEST(cudaFree(nullptr) == code);
    BOOST_TEST(cudaDeviceSynchronize() == code);
    BOOST_TEST(cudaGetLastError() == code);
    BOOST_TEST(cudaGetLastError() == code);
    BOOST_TEST(cudaPeekAtLastError() == code);
  }
}

BOOST_AUTO_TEST_CASE(other_errors_do_not_stay) {
  for (const auto code :
       {cudaErrorMemoryAllocation, cudaErrorSystemNotReady, cudaErrorInvalidValue,
        cudaErrorStreamCaptureInvalidated, cudaErrorNotSupported, cudaErrorInvalidResourceHandle}) {
    start_with_fault(1, code);
    BOOST_TEST(cudaDeviceSynchronize() == code);
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
  BOOST_TEST(cudaFree(nullptr) == cudaErrorIllegalAddress);
  return std::string(cudaGetErrorName(code));
}

// Runtime API, Error Handling, cudaGetLastError and cudaPeekAtLastError: both return the last
// error, the first one clears it; calls that succeed keep it.
BOOST_AUTO_TEST_CASE(the_last_error_is_kept_until_it_is_fetched) {
  start_with_fault(1, cudaErrorInvalidValue);
  BOOST_TEST(cudaFree(nullptr) == cudaErrorInvalidValue);
  BOOST_TEST(cudaFree(nullptr) == cudaSuccess);
  BOOST_TEST(cudaPeekAtLastError() == cudaErrorInvalidValue);
  BOOST_TEST(cudaPeekAtLastError() == cudaErrorInvalidValue);
  BOOST_TEST(cudaGetLastError() == cudaErrorInvalidValue);
  BOOST_TEST(cudaGetLastError() == cudaSuccess);
}

// C++ Programming Guide 6.2.12, Error Checking: cudaErrorNotReady of a query is not an error, and
// is not kept as the last one.
BOOST_FIXTURE_TEST_CASE(not_ready_is_not_kept_as_an_error, OneStream) {
  mark('a', stream.get());
  BOOST_TEST(cudaStreamQuery(stream.get()) == cudaErrorNotReady);
  BOOST_TEST(cudaGetLastError() == cudaSuccess);
  cudaError_t code = cudaErrorNotReady;
  while ((code = cudaStreamQuery(stream.get())) == cudaErrorNotReady) {
  }
  BOOST_TEST(code == cudaSuccess);
}

BOOST_AUTO_TEST_CASE(versions_and_names_can_be_had_on_a_lost_device) {
  start_with_fault(1, cudaErrorLaunchFailure);
  cudaDeviceSynchronize();
  int driver = 0, runtime = 0;
  BOOST_TEST(cudaDriverGetVersion(&driver) == cudaSuccess);
  BOOST_TEST(driver == machine().settings.profile.driver_version);
  BOOST_TEST(cudaRuntimeGetVersion(&runtime) == cudaSuccess);
  BOOST_TEST(runtime == CUDART_VERSION);
  BOOST_TEST(cudaGetErrorName(cudaErrorLaunchFailure) == std::string("cudaErrorLaunchFailure"));
  BOOST_TEST(cudaGetErrorString(cudaErrorLaunchFailure) ==
             std::string("unspecified launch failure"));
  for (const auto describe : {cudaGetErrorName, cudaGetErrorString}) {
    BOOST_TEST(describe(static_cast<cudaError_t>(12345)) == std::string("unrecognized error code"));
  }
}

BOOST_AUTO_TEST_CASE(versions_can_fail_by_a_fault_like_any_call) {
  start_with_fault(1, cudaErrorLaunchFailure);
  int version = 0;
  BOOST_TEST(cudaDriverGetVersion(&version) == cudaErrorLaunchFailure);
  BOOST_TEST(version == 0);
}

BOOST_AUTO_TEST_CASE(a_fault_that_invalidates_a_capture_does_so) {
  start_with_fault(3, cudaErrorStreamCaptureInvalidated);
  const Stream stream = make_stream();
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
  int device = 0;
  BOOST_TEST(cudaGetDevice(&device) == cudaErrorStreamCaptureInvalidated);
  cudaGraph_t graph = nullptr;
  BOOST_TEST(cudaStreamEndCapture(stream.get(), &graph) == cudaErrorStreamCaptureInvalidated);
}

BOOST_AUTO_TEST_CASE(a_fault_on_the_command_line_is_a_number_and_a_code) {
  start_simulation({.profile = {}, .fault = "1=cudaErrorMemoryAllocation", .seed = 1});
  int device = 0;
  BOOST_TEST(cudaGetDevice(&device) == cudaErrorMemoryAllocation);
  start_simulation({.profile = {}, .fault = "2=700", .seed = 1});
  BOOST_TEST(cudaGetDevice(&device) == cudaSuccess);
  BOOST_TEST(cudaGetDevice(&device) == cudaErrorIllegalAddress);
  start();
}

BOOST_AUTO_TEST_CASE(a_fault_that_makes_no_sense_is_refused_with_the_way_out) {
  for (const std::string fault : {"7", "=2", "0=2", "-1=2", "x=2", "1=", "1=cudaErrorNoSuchThing",
                                  "1=0", "1=12345", "1=2x", "99999999999999999999999=2"}) {
    const std::string message = fault_refused(fault);
    BOOST_TEST(trilane::contains(message, "--fault '" + fault + "': "), message);
    BOOST_TEST(trilane::contains(message, "write it like 100=cudaErrorMemoryAllocation"), message);
    BOOST_TEST(!trilane::contains(message, "\n"), message);
  }
}

BOOST_AUTO_TEST_CASE(every_error_code_is_found_by_its_name_and_its_number) {
  using trilane::simulator::parse_error;
  for (int number = 0; number < 1000; ++number) {
    const auto code = static_cast<cudaError_t>(number);
    const auto* known = trilane::simulator::find_error(code);
    if (known == nullptr) continue;
    BOOST_TEST(parse_error(known->name).value() == code);
    BOOST_TEST(parse_error(std::to_string(number)).value() == code);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
