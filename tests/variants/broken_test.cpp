// Every mistake must be caught by the check intended for it.
#include "tests/variants/broken.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "tests/base/refusal.hpp"
#include "tests/variants/held_back.hpp"
#include "tests/variants/shapes.hpp"

BOOST_AUTO_TEST_SUITE(broken_variants)

/// Returns kernels of about a millisecond, so that lanes surely overlap and an early reader is too
/// early.
Workload slow_kernels() {
  Workload workload = shape("slow kernels", 6 * 65536, 65536, 65536, 3, 2);
  workload.rounds = 50'000;
  return workload;
}

/// The results of the harness' checks of a variant; empty if they find nothing.
struct Caught {
  std::string data, evidence;
};

Caught checked(Mistake mistake, const Workload& workload = slow_kernels()) {
  const VariantEntry entry = broken(mistake);
  CudaBench bench(workload, {entry}, 5);
  bench.set_up(0);
  Caught caught;
  for (int pass = 0; pass < 3 && caught.data.empty(); ++pass) {
    bench.new_input();
    caught.data = bench.check(0, 1);
  }
  const auto missed = mismatches(entry.plan(workload).facts, bench.evidence(0));
  if (!missed.empty()) caught.evidence = fmt::format("{}", fmt::join(missed, "; "));
  bench.tear_down(0);
  return caught;
}

/// On the simulated device the drawn order may give the right data all the same; then the hazard
/// check reports it.
bool caught_in_check(const std::string& text) {
  return contains(text, "wrong data") ||
         (!simulated_profile().empty() && text.starts_with("order: "));
}

/// The simulated device does nothing while the host is busy with something else, such as watching.
boost::test_tools::assertion_result runs_by_itself(boost::unit_test::test_unit_id) {
  return simulated_profile().empty();
}

HeldBack held_back(Mistake mistake, double patience_s, int watch_ms) {
  return submit_behind_gate(broken(mistake), shape("small", 4096, 1024, 1024, 2), patience_s,
                            watch_ms);
}

BOOST_AUTO_TEST_CASE(without_a_mistake_nothing_is_caught) {
  const Caught caught = checked(Mistake::none);
  BOOST_TEST(caught.data == "");
  BOOST_TEST(caught.evidence == "");
  const HeldBack seen = held_back(Mistake::none, long_s, 100);
  BOOST_TEST(seen.returned_before_opening);
  BOOST_TEST(seen.untouched_before_opening);
  BOOST_TEST(seen.right_after);
}

BOOST_AUTO_TEST_CASE(data_shows_it) {
  for (Mistake mistake : {Mistake::no_memset, Mistake::no_join, Mistake::last_chunk_skipped,
                          Mistake::scratch_shared, Mistake::output_stale}) {
    BOOST_TEST_CONTEXT("mistake " << static_cast<int>(mistake)) {
      const std::string wrong = checked(mistake).data;
      BOOST_TEST(caught_in_check(wrong), "said: " << wrong);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_word_written_between_chunks_shows) {
  const Workload gaps = apart(slow_kernels(), 4);
  BOOST_TEST(checked(Mistake::none, gaps).data == "");
  const std::string wrong = checked(Mistake::gap_written, gaps).data;
  BOOST_TEST(contains(wrong, "wrong data: wrote 20 bytes between chunks"), "said: " << wrong);
}

BOOST_AUTO_TEST_CASE(a_missing_memset_shows_from_the_second_pass_on) {
  const Workload workload = slow_kernels();
  CudaBench bench(workload, {broken(Mistake::no_memset)}, 5);
  bench.set_up(0);
  bench.pass(0);
  bench.new_input();
  BOOST_TEST(caught_in_check(bench.check(0, 1)));
  bench.tear_down(0);
}

BOOST_AUTO_TEST_CASE(without_a_fork_the_output_changes_while_the_gate_is_shut,
                     *boost::unit_test::precondition(runs_by_itself)) {
  const HeldBack seen = held_back(Mistake::no_fork, long_s, 60'000);
  BOOST_TEST(seen.returned_before_opening);
  BOOST_TEST(!seen.untouched_before_opening);
}

BOOST_AUTO_TEST_CASE(a_wait_inside_submit_meets_the_watchdog) {
  BOOST_TEST(!held_back(Mistake::wait_in_submit, short_s, 0).returned_before_opening);
  BOOST_TEST(!held_back(Mistake::wait_for_pass_before, short_s, 0).returned_before_opening);
}

BOOST_AUTO_TEST_CASE(evidence_shows_it) {
  BOOST_TEST(contains(checked(Mistake::node_added).evidence, "memset nodes"));
  BOOST_TEST(contains(checked(Mistake::edges_added).evidence, "roots"));
  BOOST_TEST(contains(checked(Mistake::edges_moved).evidence, "longest path"));
}

BOOST_AUTO_TEST_SUITE_END()
