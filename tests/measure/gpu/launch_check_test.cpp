// A pipeline's launch compared with its kernel.
#include "common/measure/gpu/pipeline/kernel_module.hpp"

#include "common/base/text/exit_code.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(launch_check)

const KernelModule::Kernel blur{.function = nullptr,
                                .name = "blur(float const*, float*, unsigned int, float)",
                                .parameter_sizes = {8, 8, 4, 4},
                                .max_threads = 512,
                                .static_shared = 1024,
                                .max_dynamic_shared = 200'000};

KernelSpec spec_of() {
  KernelSpec spec;
  spec.name = "blur";
  spec.file = "k.cu";
  spec.arguments.resize(4);
  spec.arguments[0].kind = ArgumentKind::in;
  spec.arguments[1].kind = ArgumentKind::out;
  spec.arguments[2].kind = ArgumentKind::size;
  spec.arguments[2].element = Element::uint32;
  spec.arguments[3].element = Element::float32;
  return spec;
}

std::string why_not(const KernelSpec& spec, const Extents::Launch& launch = {}) {
  return refusal<UsageError>([&] { check_launch(blur, spec, launch); });
}

BOOST_AUTO_TEST_CASE(what_fits_passes) {
  Extents::Launch launch;
  launch.block[0] = 256;
  launch.block[1] = 2;
  launch.shared = 200'000;
  BOOST_TEST(why_not(spec_of(), launch) == "(not refused)");
}

BOOST_AUTO_TEST_CASE(arguments_that_do_not_fit_are_named_with_both_sizes) {
  KernelSpec spec = spec_of();
  spec.arguments[2].element = Element::uint64;
  BOOST_TEST(
      why_not(spec) ==
      "kernel 'blur' of k.cu: argument 3, size of type uint64, has 8 bytes, and its parameter "
      "(unsigned int) has 4; give it \"type\": \"uint32\" or \"int32\"");
  spec = spec_of();
  spec.arguments[3].element = Element::float64;
  BOOST_TEST(why_not(spec).ends_with("(float) has 4; give it \"type\": \"float\""));
  spec = spec_of();
  spec.arguments[3].kind = ArgumentKind::inout;
  BOOST_TEST(why_not(spec) ==
             "kernel 'blur' of k.cu: argument 4, the address of a buffer (inout), has 8 bytes, and "
             "its parameter (float) has 4; a buffer goes to a pointer; reorder the arguments");
  spec.arguments.pop_back();
  BOOST_TEST(why_not(spec) ==
             "kernel 'blur' of k.cu: it has 4 parameters, and the pipeline gives it 3 arguments; "
             "state one for each of blur(float const*, float*, unsigned int, float)");
}

BOOST_AUTO_TEST_CASE(a_block_that_is_too_large_says_what_is_possible) {
  Extents::Launch launch;
  launch.block[0] = 513;
  BOOST_TEST(contains(why_not(spec_of(), launch), "it can have 512"));
  launch.block[0] = std::uint64_t{1} << 60;
  launch.block[1] = launch.block[2] = 16;  // the product is 0 modulo 2^64
  BOOST_TEST(contains(why_not(spec_of(), launch), "make \"block\" smaller"));
  launch = {};
  launch.shared = 200'001;
  BOOST_TEST(contains(why_not(spec_of(), launch), "200000 here beside 1024 bytes of static"));
}

BOOST_AUTO_TEST_SUITE_END()
