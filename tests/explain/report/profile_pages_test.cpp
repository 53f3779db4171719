// Pages about device profiles.
#include "common/explain/report/profile_pages.hpp"

#include "tests/base/mentions.hpp"
#include "tests/device/profile/full_profile.hpp"

BOOST_AUTO_TEST_SUITE(profile_pages)

/// A profile in which nothing is odd.
Profile plain() {
  Profile profile = full_profile();
  auto& engine = profile.engine;
  for (auto& costs : engine.duration) costs = {{4, 1}, {1 << 20, 20}};
  engine.in_gbps = engine.out_gbps = (1 << 20) / 20e3;
  engine.duplex_in_gbps = engine.duplex_out_gbps = 50;
  return profile;
}

std::string page(const Profile& profile) { return as_text(profile_page(profile)); }

BOOST_AUTO_TEST_CASE(nothing_is_odd_in_a_plain_profile) {
  BOOST_TEST(oddities(plain()) == std::vector<std::string>{}, boost::test_tools::per_element());
  BOOST_TEST(contains(page(plain()), "Nothing in it is odd."));
}

BOOST_AUTO_TEST_CASE(a_memset_may_take_less_where_it_becomes_a_kernel) {
  Profile profile = plain();
  profile.stream.enqueue[index_of(Kind::memset)] = {{4096, 1}, {4352, 4}};
  profile.stream.enqueue[index_of(Kind::kernel)] = {{4096, 4}};
  auto& memsets = profile.engine.duration[index_of(Kind::memset)];
  memsets = {{4096, 30}, {8192, 20}};
  BOOST_TEST(oddities(profile) == std::vector<std::string>{}, boost::test_tools::per_element());
  memsets.front().bytes = 4352;
  BOOST_TEST(oddities(profile).size() == 1u);
}

BOOST_AUTO_TEST_CASE(each_oddity_is_named_with_its_figures) {
  const std::pair<std::function<void(Profile&)>, std::string> odd[]{
      {[](Profile& p) { p.calls_us["cudaGraphLaunch"] = 0; },
       "calls_us: cudaGraphLaunch takes no time"},
      {[](Profile& p) {
         p.engine.duration[1] = {{4, 30}, {4096, 20}};
       },
       "engine.duration: a memset of 4 B takes 30.0 us, of 4 KiB 20.0 us"},
      {[](Profile& p) { p.engine.duplex_in_gbps = 80; },
       "engine: a copy in is faster beside one the other way, 80.0 GB/s and 52.4"},
      {[](Profile& p) { p.engine.out_gbps = 60; },
       "engine: the rate of a copy out is 60.0 GB/s, that of its largest 52.4"},
      {[](Profile& p) { p.kernels[1].us = 1; },
       "kernels: 256 to 256 words take 2.00 us, 4096 to 4096 words take 1.00 us"}};
  for (const auto& [change, said] : odd) {
    Profile profile = plain();
    change(profile);
    BOOST_TEST(oddities(profile) == std::vector{said}, boost::test_tools::per_element());
    BOOST_TEST(contains(page(profile), "What is odd in it:"));
  }
}

BOOST_AUTO_TEST_CASE(a_page_says_what_the_profile_is_of_and_how_far_it_was_off) {
  Profile profile = plain();
  profile.error = std::nullopt;
  BOOST_TEST(contains(page(profile), "No prediction with it was compared"));
  profile.error = ModelError{.measured = "a GPU", .rewritten = ErrorFactor{3, 1.5}};
  const std::string text = page(profile);
  BOOST_TEST(contains(text, "(a GPU)"));
  BOOST_TEST(contains(text, "any                       -               -  1.500 (3)"));
  BOOST_TEST(contains(text, "No case of passes to break-even."));
  BOOST_TEST(!contains(text, "overheads"));
  profile.error->overheads = RatioErrors{.same_operations = ErrorFactor{7, 2.5}};
  BOOST_TEST(mentions(page(profile), {"overheads ", " 2.500 (7) ", " - ", " -\n"}));
}

BOOST_AUTO_TEST_CASE(figures_that_differ_come_with_the_furthest_first) {
  const Profile before = plain();
  Profile now = before;
  now.engine.in_gbps *= 1.5;
  now.calls_us.at("cudaGraphLaunch") /= 4;
  now.engine.out_gbps *= 1.1;
  now.calls_us.erase("cudaEventRecord");
  now.calls_us["update"] = 3;
  const std::string text = as_text(profiles_page(before, now, alike_within));
  BOOST_TEST(contains(text, "\n2 of "));
  BOOST_TEST(contains(text, "differ by more than 20%"));
  BOOST_TEST(text.find("calls_us.cudaGraphLaunch") < text.find("engine.in_gbps"));
  BOOST_TEST(contains(text, "0.25x"));
  BOOST_TEST(contains(text, "1.50x"));
  BOOST_TEST(!contains(text, "out_gbps"));
  BOOST_TEST(contains(text, "Only in the old: calls_us.cudaEventRecord."));
  BOOST_TEST(contains(text, "Only in the new: calls_us.update."));
  BOOST_TEST(contains(as_text(profiles_page(before, now, 0.05)), "engine.out_gbps"));
}

BOOST_AUTO_TEST_SUITE_END()
