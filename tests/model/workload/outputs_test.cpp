// The content of inputs, and how outputs are compared.

#include "common/model/workload/data/contents.hpp"
#include "common/model/workload/reference.hpp"
#include "tests/framework.hpp"
#include "tests/model/workload/made_up_pipeline.hpp"

BOOST_AUTO_TEST_SUITE(pipeline_data)

using Bytes = std::vector<std::byte>;

/// Returns the fake pipeline with floats in its output.
Workload with_floats(Check check, double tolerance = 0) {
  Pipeline pipeline = made_up_pipeline();
  pipeline.buffers[3].element = Element::float32;
  pipeline.buffers[3].check = check;
  pipeline.buffers[3].tolerance = tolerance;
  return workload_of("floats", std::move(pipeline));
}

/// Returns its output, with every element at `value`.
Bytes filled(const Workload& workload, float value) {
  Bytes bytes(layout_of(workload).out_bytes);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof value) {
    std::memcpy(&bytes[i], &value, sizeof value);
  }
  return bytes;
}

void set(Bytes& bytes, std::size_t element, float value) {
  std::memcpy(&bytes[element * sizeof value], &value, sizeof value);
}

BOOST_AUTO_TEST_CASE(an_exact_buffer_differs_by_one_bit) {
  const Workload workload = with_floats(Check::exact);
  const Bytes expected = filled(workload, 1);
  Bytes got = expected;
  BOOST_TEST(!difference(workload, got.data(), expected.data()));
  got[(11 + 2) * 4] ^= std::byte{1};
  const auto found = difference(workload, got.data(), expected.data());
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->chunk == 1u);
  BOOST_TEST(found->element == 2u);
  BOOST_TEST(found->elements == 1u);
  BOOST_TEST(found->bytes == 1u);
  BOOST_TEST(found->of == 11u + 11 + 5);
  BOOST_TEST(in_words(*found, workload, got.data(), expected.data()).find("'out'") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(of_many_differences_the_first_is_told_and_all_are_counted) {
  const Workload workload = with_floats(Check::exact);
  const Bytes expected = filled(workload, 1);
  Bytes got = expected;
  for (const std::size_t element : {4, 9, 11 + 1, 22 + 3}) set(got, element, -2);
  const auto found = difference(workload, got.data(), expected.data());
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->chunk == 0u);
  BOOST_TEST(found->element == 4u);
  BOOST_TEST(found->elements == 4u);
  BOOST_TEST(found->bytes == 4 * 2u);
}

BOOST_AUTO_TEST_CASE(a_tolerance_is_relative_above_one_and_absolute_below) {
  const Workload workload = with_floats(Check::tolerance, 0.01);
  Bytes expected = filled(workload, 100), got = expected;
  set(got, 3, 100.9f);
  BOOST_TEST(!difference(workload, got.data(), expected.data()));
  set(got, 3, 101.2f);
  BOOST_TEST(difference(workload, got.data(), expected.data()).has_value());
  expected = filled(workload, 0);
  got = expected;
  set(got, 0, 0.009f);
  BOOST_TEST(!difference(workload, got.data(), expected.data()));
  set(got, 0, 0.011f);
  BOOST_TEST(difference(workload, got.data(), expected.data()).has_value());
}

BOOST_AUTO_TEST_CASE(no_tolerance_holds_for_what_is_no_number) {
  const Workload workload = with_floats(Check::tolerance, 1);
  const Bytes expected = filled(workload, 1);
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Bytes got = expected;
    set(got, 1, value);
    BOOST_TEST(difference(workload, got.data(), expected.data()).has_value());
    BOOST_TEST(difference(workload, expected.data(), got.data()).has_value());
  }
}

BOOST_AUTO_TEST_CASE(an_unchecked_buffer_may_hold_anything) {
  const Workload workload = with_floats(Check::none);
  const Bytes expected = filled(workload, 1), got = filled(workload, 2);
  BOOST_TEST(!difference(workload, got.data(), expected.data()));
}

BOOST_AUTO_TEST_CASE(bytes_between_chunks_must_stay) {
  Workload workload = with_floats(Check::exact);
  workload.stride = workload.chunk_bytes + 8;
  const Layout layout = layout_of(workload);
  Bytes expected(layout.out_bytes, std::byte{3}), got(layout.out_bytes);
  poison(got.data(), got.size(), expected.data());
  for (std::uint32_t chunk = 0; chunk < layout.chunks; ++chunk) {
    const std::uint64_t at = chunk * layout.buffers[3].stride;
    std::copy_n(expected.begin(), layout.bytes(3, chunk), got.begin() + static_cast<long>(at));
  }
  Bytes written = got;
  BOOST_TEST(take_gaps(workload, got.data(), expected.data()) == 0u);
  BOOST_TEST((got == expected));
  written[44 + 3] = std::byte{3};
  written[44 + 7] = std::byte{9};
  BOOST_TEST(take_gaps(workload, written.data(), expected.data()) == 2u);
}

BOOST_AUTO_TEST_CASE(random_inputs_are_numbers_from_minus_one_to_one_and_new_each_time) {
  const Workload workload = made_up_workload();
  const Layout layout = layout_of(workload);
  Inputs inputs(workload, 7);
  Bytes one(layout.in_bytes), other(layout.in_bytes);
  inputs.fill(one.data());
  inputs.fill(other.data());
  BOOST_TEST((one != other));
  for (std::size_t i = 0; i < 5; ++i) {
    const double value = load(Element::float32, &one[4096 + 4 * i]);
    BOOST_TEST((value >= -1 && value <= 1));
  }
  Inputs(workload, 7).fill(other.data());
  BOOST_TEST((one == other));  // the seed decides
}

BOOST_AUTO_TEST_CASE(a_pattern_goes_on_from_chunk_to_chunk) {
  Pipeline pipeline = made_up_pipeline();
  pipeline.buffers[0].fill = Fill::pattern;
  pipeline.buffers[0].pattern = {1, 2, 3};
  const Workload workload = workload_of("pattern", std::move(pipeline));
  Bytes in(layout_of(workload).in_bytes);
  Inputs(workload, 1).fill(in.data());
  for (std::size_t i = 0; i < 24; ++i) BOOST_TEST(std::to_integer<std::size_t>(in[i]) == i % 3 + 1);
}

BOOST_AUTO_TEST_CASE(arguments_lie_in_the_low_bytes_of_a_word) {
  const auto minus_three = static_cast<std::uint64_t>(-3);
  BOOST_TEST(bits_of(Element::int8, minus_three) == 0xfdu);
  BOOST_TEST(bits_of(Element::uint16, std::uint64_t{0x12345}) == 0x2345u);
  BOOST_TEST(bits_of(Element::int32, minus_three) == 0xfffffffdu);
  BOOST_TEST(bits_of(Element::int64, minus_three) == minus_three);
  BOOST_TEST(bits_of(Element::uint64, UINT64_MAX) == UINT64_MAX);
  BOOST_TEST(bits_of(Element::float32, std::uint64_t{3}) == 0x40400000u);
  BOOST_TEST(bits_of(Element::float64, std::uint64_t{3}) == 0x4008000000000000u);
  BOOST_TEST(bits_of(Element::float32, -1.5) == 0xbfc00000u);
  BOOST_TEST(bits_of(Element::float64, -1.5) == 0xbff8000000000000u);
}

BOOST_AUTO_TEST_CASE(numbers_of_16_bits_round_to_nearest) {
  const auto half_of = [](double value) { return bits_of(Element::float16, value); };
  BOOST_TEST(half_of(1.0) == 0x3c00u);
  BOOST_TEST(half_of(-2.0) == 0xc000u);
  BOOST_TEST(half_of(65504.0) == 0x7bffu);
  BOOST_TEST(half_of(1.0 + 0x1p-11) == 0x3c00u);  // to even
  BOOST_TEST(half_of(1.0 + 0x1p-11 + 0x1p-40) == 0x3c01u);
  std::byte memory[2];
  store(Element::float16, 0.5, memory);
  BOOST_TEST(load(Element::float16, memory) == 0.5);
}

BOOST_AUTO_TEST_SUITE_END()
