// Words on memory pools: which ones are wrong, why they grew, and where.
#include "common/application/diagnosis/make_diagnosis.hpp"
#include "tests/application/diagnosis/recorded.hpp"
#include "tests/application/diagnosis/screens.hpp"

BOOST_AUTO_TEST_SUITE(pool_word)

constexpr std::uint64_t mib = 1 << 20;

/// Returns a pool of 128 MiB that is settled, and needs all of it.
RecordedPool settled() {
  return {.reserved = 128 * mib,
          .used = 0,
          .reserved_most = 128 * mib,
          .used_most = 96 * mib,
          .threshold = UINT64_MAX,
          .allocations = 40,
          .samples = std::vector<std::uint64_t>(40, 128 * mib),
          .growth = {{GrowthCause::needed, 0, 4, 128 * mib}}};
}

/// Returns a pool whose samples rise by as much from each to the next.
RecordedPool rising(std::uint64_t by) {
  RecordedPool pool = settled();
  for (std::size_t i = 0; i < 40; ++i) pool.samples[i] = 64 * mib + i * by;
  pool.used_most = pool.reserved_most = pool.samples.back();
  return pool;
}

Diagnosis diagnosed(const RecordedPool& pool) {
  Recorded app;
  app.kernel(Recorded::free_one, {Recorded::device});
  app.synchronize();
  app.recording.resources = RecordedResources{
      .executables = {},
      .pools = {pool},
      .source = {.frames = {{.function = "main", .file = "a.cpp", .line = 3, .own = true},
                            {.function = "step", .file = "a.cpp", .line = 7, .own = true},
                            {.function = "load", .file = "a.cpp", .line = 9, .own = true}},
                 .stacks = {{{0, 1}}, {{0, 2}}, {{0, 1}}},
                 .shared = 1}};
  return diagnosis_of(app.recording);
}

std::string words_of(const RecordedPool& pool) {
  return fmt::format("{}", fmt::join(pool_words(diagnosed(pool)), " "));
}

BOOST_AUTO_TEST_CASE(a_settled_pool_raises_no_alarm) {
  BOOST_TEST(words_of(settled()) == "");
  BOOST_TEST(words_of(rising(0)) == "");
  RecordedPool early = settled();
  early.samples[0] = 32 * mib;  // the first iterations need more and more
  early.samples[1] = 64 * mib;
  BOOST_TEST(words_of(early) == "");
  RecordedPool late = rising(16 * mib);
  std::fill(late.samples.begin() + 25, late.samples.end(), late.samples[25]);
  BOOST_TEST(words_of(late) == "");
  RecordedPool small = settled();
  small.used_most = mib;
  small.reserved_most = 32 * mib;  // less is never reserved
  small.growth = {{GrowthCause::other_stream, 0, 1, 32 * mib}};
  BOOST_TEST(words_of(small) == "");
  RecordedPool near = settled();
  near.growth.push_back({GrowthCause::given_back, 0, 2, 64 * mib});
  near.growth.push_back({GrowthCause::other_stream, 0, 9, 64 * mib});
  BOOST_TEST(words_of(near) == "");
}

BOOST_AUTO_TEST_CASE(a_pool_without_alarm_has_a_line_of_its_own) {
  BOOST_TEST(pools_line(diagnosed(settled())) ==
             "reserved at most 128 MiB, used at most 96 MiB, no longer grows");
  BOOST_TEST(pools_line(diagnosed(rising(mib))) ==
             "reserved at most 103 MiB, used at most 103 MiB");  // by little, but it may grow on
  BOOST_TEST(pools_line(diagnosed(rising(4 * mib))) == "");  // a sentence tells of it
  BOOST_TEST(screen_of(diagnosed(settled())).find("\nPool    reserved at most 128 MiB") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_pool_that_grows_to_the_end_is_named_with_what_is_never_freed) {
  BOOST_TEST(words_of(rising(4 * mib)) ==
             "A memory pool still grows: reserved at most 220 MiB, used at most 220 MiB. It grew 4 "
             "times at a.cpp:7 step: more was in use than before. Free what is no longer needed.");
  BOOST_TEST(words_of(rising(mib)) == "");  // by less than two of the driver's steps
  RecordedPool few = rising(32 * mib);
  few.samples.resize(7);
  BOOST_TEST(words_of(few) == "");
}

BOOST_AUTO_TEST_CASE(a_pool_that_holds_too_much_is_named_with_the_largest_cause) {
  RecordedPool pool = settled();
  pool.used_most = 64 * mib;
  BOOST_TEST(words_of(pool) ==
             "A memory pool holds more than is used: reserved at most 128 MiB, used at most 64 "
             "MiB.");
  pool.growth.push_back({GrowthCause::sizes, 0, 1, 16 * mib});
  pool.growth.push_back({GrowthCause::other_stream, 1, 6, 32 * mib});
  pool.growth.push_back({GrowthCause::unheard, {}, 1, 64 * mib});
  BOOST_TEST(words_of(pool).ends_with(
      "It grew 6 times at a.cpp:9 load: enough was free in another stream. Free it in the stream "
      "that allocates next, or let that wait for an event recorded after the free."));
  pool.growth[1].bytes = 33 * mib;
  pool.growth[1].stack.reset();
  BOOST_TEST(words_of(pool).ends_with(
      "It grew 1 time at an unknown line: each free block was too small. Allocate the largest size "
      "once, or use few sizes."));
  pool.used_most = 64 * mib + 1;
  BOOST_TEST(words_of(pool) == "");
}

BOOST_AUTO_TEST_CASE(growth_at_one_line_is_one_whatever_stacks_it_has) {
  RecordedPool pool = settled();
  pool.used_most = 64 * mib;
  pool.growth = {{GrowthCause::sizes, 1, 1, 33 * mib},
                 {GrowthCause::other_stream, 0, 3, 20 * mib},
                 {GrowthCause::other_stream, 2, 4, 20 * mib}};
  BOOST_TEST(contains(words_of(pool), "It grew 7 times at a.cpp:7 step: enough was free in"));
}

BOOST_AUTO_TEST_CASE(a_pool_that_releases_its_memory_again_and_again_needs_a_threshold) {
  RecordedPool pool = settled();
  pool.growth.push_back({GrowthCause::given_back, 1, 5, 64 * mib});
  const std::string words = words_of(pool);
  BOOST_TEST(words.starts_with("A memory pool releases memory and takes it again: "));
  BOOST_TEST(contains(words,
                      "It grew 5 times at a.cpp:9 load: a wait had released it. Set "
                      "cudaMemPoolAttrReleaseThreshold"));
}

BOOST_AUTO_TEST_CASE(what_is_wrong_comes_before_what_could_be_faster_and_all_pools_are_in_a_table) {
  Diagnosis diagnosis = diagnosed(rising(4 * mib));
  diagnosis.findings.push_back({.name = "cudaFree"});
  check_order(flat_screen(diagnosis), {"- A memory pool still grows", "cudaFree"});
  const std::string page = as_text(diagnosis_page(diagnosed(settled())));
  check_order(page, {"Memory pools", "128 MiB", "96 MiB", "1.33", "all", "a.cpp:7 step", "needed"});
  BOOST_TEST(!contains(page, "A memory pool"));
  BOOST_TEST(!contains(flat_screen(diagnosed(settled())), "pool"));
  Diagnosis none = diagnosis;
  none.pools.clear();
  BOOST_TEST(pools_page(none).empty());
}

BOOST_AUTO_TEST_SUITE_END()
