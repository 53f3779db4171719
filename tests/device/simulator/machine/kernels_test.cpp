#include "common/device/simulator/kernels/mix_table.hpp"
#include "common/model/workload/random.hpp"
#include "common/model/workload/reference.hpp"
#include "kernels/transform.hpp"
#include "tests/device/simulator/runtime/rules.hpp"

namespace trilane::simulator::rules {

BOOST_FIXTURE_TEST_SUITE(kernels, Fresh)

namespace {

void launch(KernelLaunch transform, cudaStream_t stream) {
  check(cudaLaunchKernel(transform.function, transform.grid, transform.block,
                         transform.arguments().data(), 0, stream));
}

/// Checks one chunk on one stream against the reference.
void chunk_is_right(std::uint64_t in_bytes, std::uint64_t out_bytes, std::uint32_t depth,
                    std::uint32_t rounds) {
  start();
  const Workload workload{.name = "custom",
                          .bytes = in_bytes,
                          .chunk_bytes = in_bytes,
                          .result_bytes = out_bytes,
                          .depth = depth,
                          .rounds = rounds};
  const PinnedBuffer in = make_pinned_buffer(in_bytes), out = make_pinned_buffer(out_bytes);
  std::vector<std::byte> expected(out_bytes);
  Reference(workload, 1).draw(in.get(), expected.data());
  const DeviceBuffer from = make_device_buffer(in_bytes), to = make_device_buffer(out_bytes);
  const Stream stream = make_stream();
  check(cudaMemcpyAsync(from.get(), in.get(), in_bytes, cudaMemcpyDefault, stream.get()));
  check(cudaMemsetAsync(to.get(), 0, out_bytes, stream.get()));
  for (std::uint32_t kernel = 0; kernel < depth; ++kernel) {
    launch(transform_launch(reinterpret_cast<const std::uint32_t*>(from.get()),
                            reinterpret_cast<std::uint32_t*>(to.get()), in_bytes / 4, out_bytes / 4,
                            kernel, rounds),
           stream.get());
  }
  check(cudaMemcpyAsync(out.get(), to.get(), out_bytes, cudaMemcpyDefault, stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  BOOST_TEST(!compare(out.get(), expected.data(), out_bytes));
  BOOST_TEST(found() == "none");
}

}  // namespace

BOOST_AUTO_TEST_CASE(they_give_what_the_reference_says) {
  for (const std::uint32_t rounds : {1u, 3u, 4u, 17u}) {
    for (const std::uint64_t words : {1, 2, 3, 4, 5, 255, 1024, 5003, 300'000}) {
      chunk_is_right(words * 4, words * 4, 2, rounds);
    }
    chunk_is_right(4, 4, 1, rounds);
    chunk_is_right(4 * 1000, 4, 3, rounds);
    chunk_is_right(4 * 1000, 4 * 7, 3, rounds);
    chunk_is_right(4 * 1000, 4 * 999, 1, rounds);
    chunk_is_right(4 * 700'001, 4 * 1024, 1, rounds);
  }
}

// As on a GPU: a thread that is not launched does nothing.
BOOST_AUTO_TEST_CASE(a_grid_that_is_too_small_leaves_words_out) {
  const DeviceBuffer memory = make_device_buffer(4096 * 4);
  auto* const in = reinterpret_cast<std::uint32_t*>(memory.get());
  auto* const out = in + 2048;
  check(cudaMemset(memory.get(), 0, 4096 * 4));
  KernelLaunch transform = transform_launch(in, out, 2047, 2047, 0, 1);
  check(cudaLaunchKernel(transform.function, dim3(1), dim3(32), transform.arguments().data(), 0,
                         nullptr));
  check(cudaDeviceSynchronize());
  const auto is_done = [](std::uint32_t word) { return word != 0; };
  BOOST_TEST(std::count_if(out, out + 2048, is_done) == 32 * 4 + 3);
  BOOST_TEST(is_done(out[2046]));
  KernelLaunch reduce = transform_launch(in, out, 2000, 1000, 0, 1);
  check(cudaMemset(out, 0, 2048 * 4));
  check(
      cudaLaunchKernel(reduce.function, dim3(2), dim3(100), reduce.arguments().data(), 0, nullptr));
  check(cudaDeviceSynchronize());
  BOOST_TEST(std::count_if(out, out + 2048, is_done) == 200);
}

BOOST_AUTO_TEST_CASE(remembered_words_are_mixed_like_new_ones) {
  Random random(1);
  std::vector<std::uint32_t> words(40'000);  // more than are remembered
  for (auto& word : words) word = static_cast<std::uint32_t>(random.next());
  words[7] = 0;
  auto& table = simulator::mix_table(salt(3), 5);
  for (int again = 0; again < 2; ++again) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      wrong += table(std::span(words).subspan(i)) != mix(words[i] ^ salt(3), 5);
    }
    BOOST_TEST(wrong == 0);
  }
}

BOOST_AUTO_TEST_CASE(many_tables_do_not_get_in_each_others_way) {
  const std::uint32_t nine[] = {9};
  for (std::uint32_t kernel = 0; kernel < 100; ++kernel) {
    BOOST_TEST(simulator::mix_table(salt(kernel), 5)(nine) == mix(9 ^ salt(kernel), 5));
  }
  BOOST_TEST(simulator::mix_table(salt(0), 5)(nine) == mix(9 ^ salt(0), 5));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator::rules
