#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <string>

#include "tests/device/simulator/runtime/rules.hpp"

using namespace trilane;
using namespace trilane::simulator::rules;

BOOST_AUTO_TEST_SUITE(not_modelled)

namespace {

/// Redirects standard error to a file while an instance exists.
class Captured {
 public:
  Captured() : file_(std::tmpfile()), kept_(dup(STDERR_FILENO)) {
    std::fflush(stderr);
    dup2(fileno(file_), STDERR_FILENO);
  }
  ~Captured() {
    std::fflush(stderr);
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    std::fclose(file_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  std::string text() const {
    std::fflush(stderr);
    std::string text(4096, '\0');
    const ssize_t size = pread(fileno(file_), text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

 private:
  std::FILE* file_;
  int kept_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_function_that_is_not_modelled_says_so_once_and_is_not_supported) {
  start();
  std::string text;
  {
    const Captured captured;
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
