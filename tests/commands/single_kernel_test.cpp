// A single kernel as a workload.
#include "common/commands/options/run_options.hpp"

#include "common/base/text/exit_code.hpp"
#include "tests/base/folder.hpp"

BOOST_AUTO_TEST_SUITE(single_kernel)

Pipeline from(const std::string& source, const std::string& name = "f") {
  const Folder folder;
  const auto path = folder / "kernel.cu";
  std::ofstream(path) << source;
  return pipeline_of_kernel(path + ":" + name, presets().front());
}

BOOST_AUTO_TEST_CASE(parameters_give_the_buffers) {
  const Pipeline p = from(
      "__global__ void other(int a) {}\n"
      "extern \"C\" __global__ void __launch_bounds__(256) f(const float* __restrict__ in,\n"
      "    unsigned  short *out, std::size_t n) {}\n");
  BOOST_TEST((p.buffers[0].element == Element::float32));
  BOOST_TEST((p.buffers[1].element == Element::uint16));
  BOOST_TEST((p.kernels[0].arguments[2].element == Element::uint64));
  BOOST_TEST(p.items == presets().front().chunk_bytes / 4);
  BOOST_TEST(p.chunks == presets().front().chunks());
  BOOST_TEST(p.kernels[0].file == "kernel.cu");
  BOOST_TEST(p.stages.size() == 3u);
}

BOOST_AUTO_TEST_CASE(other_kernels_need_a_file) {
  for (const char* source : {
           "__global__ void g(const float* in, float* out, int n) {}",
           "__global__ void f(float* in, float* out, int n) {}",
           "__global__ void f(const float* in, const float* out, int n) {}",
           "__global__ void f(const float* in, float* out) {}",
           "__global__ void f(const float* in, float* out, int n, int m) {}",
           "__global__ void f(const Mine* in, float* out, int n) {}",
           "void f(const float* in, float* out, int n) {}",
       }) {
    BOOST_TEST_INFO_SCOPE(source);
    BOOST_CHECK_THROW(from(source), UsageError);
  }
  BOOST_CHECK_THROW(from("", "f"), UsageError);
  BOOST_CHECK_THROW(from("__global__ void f(const int* a, int* b, int n) {}", "f.*"), UsageError);
  BOOST_CHECK_THROW(pipeline_of_kernel("kernel.cu", presets().front()), UsageError);
  BOOST_CHECK_THROW(pipeline_of_kernel("none.cu:f", presets().front()), UsageError);
}

BOOST_AUTO_TEST_SUITE_END()
