// The limit of a variant, with fake figures.
#include "common/explain/analysis/limits/limitation.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "tests/base/mentions.hpp"
#include "tests/model/made_up.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(limitation)

namespace {

/// Returns a comparison on the launch preset, 64 chunks on 4 lanes: per chunk 1 us of copies in
/// each direction, 80 us of kernels, many of which fit onto the SMs.
Comparison comparison_of(Measurement m) {
  Comparison comparison = made_up_comparison({std::move(m)}, "");
  comparison.limit = Limit{.copy_in_us = 1,
                           .clear_us = 1,
                           .kernels_us = 80,
                           .copy_out_us = 1,
                           .steady_in_us = 1,
                           .steady_work_us = 25,
                           .steady_out_us = 1,
                           .graph_kernels_us = 40,
                           .graph_work_us = 11,
                           .graph_steady_kernels_us = 10,
                           .whole = WholePass{.copy_in_us = 90,
                                              .copy_out_us = 80,
                                              .link_in_us = 60,
                                              .link_out_us = 50,
                                              .arithmetic_us = 100}};
  return comparison;
}

Limitation found(const Comparison& comparison) {
  return limitation_of(comparison, comparison.measurements[0]);
}

std::string words(std::optional<Limiter> by) { return by ? name_of(*by) : ""; }

Measurement variant(double submit_us, double wall_us, const Model& model) {
  Measurement m = made_up("variant", submit_us, wall_us);
  m.plan.model = model;
  return m;
}

constexpr Model streams = multi_stream;
constexpr Model graph{Issuer::graph, Chaining::lanes, ScratchSource::lane,
                      Mover::engines_per_chunk};
constexpr Model one_kernel{Issuer::host, Chaining::one_stream, ScratchSource::none,
                           Mover::fused_per_pass};

}  // namespace

BOOST_AUTO_TEST_CASE(the_longest_load_limits) {
  Limitation limit = found(comparison_of(variant(1990, 2000, streams)));
  BOOST_TEST(words(limit.by) == "host submission");
  BOOST_TEST(limit.share.value() == 0.995, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(mentions(limit.figures, {"128 runtime calls", "host", "1990 of its 2000 us"}));
  limit = found(comparison_of(variant(10, 2000, streams)));
  BOOST_TEST(words(limit.by) == "SMs");
  BOOST_TEST(mentions(limit.figures, {"memsets and kernels take", "1600 of its 2000 us"}));
  limit = found(comparison_of(variant(10, 800, graph)));
  BOOST_TEST(words(limit.by) == "SMs");
  BOOST_TEST(mentions(limit.figures, {"704 of its 800 us"}));
  limit = found(comparison_of(variant(10, 690, graph)));
  BOOST_TEST(mentions(limit.figures, {"all of its 690 us"}));
}

BOOST_AUTO_TEST_CASE(half_of_the_time_is_not_most_of_it) {
  const Limitation limit = found(comparison_of(variant(10, 3200, streams)));
  BOOST_TEST(words(limit.by) == "waiting");
  BOOST_TEST(!limit.share);
  BOOST_TEST(mentions(limit.figures, {"of its 3200 us", "one chunk's stages takes 83.0", "SMs 1600",
                                      "a lane's stages 1328", "host submission 10.0"}));
  BOOST_TEST(words(found(comparison_of(variant(10, 3100, streams))).by) == "SMs");
}

BOOST_AUTO_TEST_CASE(every_load_has_words) {
  Comparison comparison = comparison_of(variant(10, 1000, graph));
  const Measurement& m = comparison.measurements[0];
  const auto said = [&](Limiter by) { return words_of({by, 250, 0}, comparison, m); };
  BOOST_TEST(said(Limiter::copy_in) == "copies in take 250 of its 1000 us, at 1.0 GB/s");
  BOOST_TEST(said(Limiter::copy_out) == "copies out take 250 of its 1000 us, at 1.0 GB/s");
  BOOST_TEST(mentions(said(Limiter::kernel_launches), {"kernels take 250", "started one by one"}));
  BOOST_TEST(mentions(said(Limiter::host_submission), {"one graph of 448 nodes", "host 250"}));
  for (const Limiter by : {Limiter::lane_stages, Limiter::kernels_in_turn, Limiter::one_chunk,
                           Limiter::copies_in_turn, Limiter::taking_turns}) {
    BOOST_TEST(mentions(said(by), {"one after the other", "250 of its 1000 us"}));
  }
  BOOST_TEST(mentions(said(Limiter::one_copy_engine), {"250 of its 1000 us", "one copy engine"}));
  BOOST_TEST(mentions(said(Limiter::link), {"rate of the copy engines", "250 of its 1000 us"}));
  BOOST_CHECK_THROW(said(Limiter::waiting), std::logic_error);
}

BOOST_AUTO_TEST_CASE(kernels_that_move_the_bytes_do_more_than_was_measured) {
  Limitation limit = found(comparison_of(variant(4, 500, one_kernel)));
  BOOST_TEST(words(limit.by) == "its kernels");
  BOOST_TEST(
      mentions(limit.figures, {"of its 500 us", "link takes 60.0", "SMs 100", "copy the data"}));
  limit = found(comparison_of(variant(4, 190, one_kernel)));
  BOOST_TEST(words(limit.by) == "SMs");
  BOOST_TEST(mentions(limit.figures, {"the arithmetic", "100 of its 190 us"}));
}

BOOST_AUTO_TEST_CASE(a_single_short_kernel_is_limited_by_its_launch_and_the_wait) {
  const auto by = [](double wall_us) {
    Comparison comparison = comparison_of(variant(4, wall_us, one_kernel));
    comparison.limit->whole.reset();
    return words(found(comparison).by);
  };
  BOOST_TEST(by(19) == "launch and wait");
  BOOST_TEST(by(50) == "its kernels");
}

BOOST_AUTO_TEST_CASE(waits_within_a_pass_limit_first) {
  Model model = streams;
  model.scratch = ScratchSource::cuda_malloc;
  Limitation limit = found(comparison_of(variant(990, 1000, model)));
  BOOST_TEST(words(limit.by) == "memory management");
  BOOST_TEST(mentions(limit.figures, {"allocates 64 times"}));
  model = streams;
  model.issuer = Issuer::host_waiting;
  limit = found(comparison_of(variant(990, 1000, model)));
  BOOST_TEST(words(limit.by) == "waiting");
  BOOST_TEST(mentions(limit.figures, {"448 times a pass"}));
}

BOOST_AUTO_TEST_CASE(without_a_limit_or_times_nothing_is_said) {
  Comparison comparison = comparison_of(variant(990, 1000, streams));
  comparison.measurements[0].status = Status::failed;
  BOOST_TEST(!found(comparison).by);
  comparison.measurements[0].status = Status::ok;
  comparison.limit.reset();
  BOOST_TEST(!found(comparison).by);
}

BOOST_AUTO_TEST_SUITE_END()
