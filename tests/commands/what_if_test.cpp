// --set: names of figures, and what is refused.
#include "common/commands/options/what_if.hpp"

#include "common/base/json/figures.hpp"
#include "common/base/text/exit_code.hpp"
#include "tests/base/refusal.hpp"
#include "tests/device/profile/full_profile.hpp"

BOOST_AUTO_TEST_SUITE(what_if_changes)

Profile changed(const std::string& changes) {
  Profile profile = full_profile();
  what_if(changes)(profile);
  return profile;
}

std::string refused(const std::string& changes) {
  return refusal<UsageError>([&] { changed(changes); });
}

/// Returns the figures that differ, with what they were and are.
std::map<std::string, std::pair<double, double>> differences(const std::string& changes) {
  Profile before = full_profile(), now = changed(changes);
  std::map<std::string, std::pair<double, double>> found;
  const auto was = figures_of(before), is = figures_of(now);
  BOOST_REQUIRE_EQUAL(was.size(), is.size());
  for (std::size_t i = 0; i < was.size(); ++i) {
    BOOST_TEST(was[i].name == is[i].name);
    if (*was[i].value != *is[i].value) found[was[i].name] = {*was[i].value, *is[i].value};
  }
  return found;
}

BOOST_AUTO_TEST_CASE(nothing_changes_without_a_text) {
  BOOST_TEST(to_json(changed("")) == to_json(full_profile()));
}

BOOST_AUTO_TEST_CASE(the_end_of_a_name_is_enough_but_no_part_of_a_word) {
  const auto found = differences("cudaGraphLaunch=110");
  BOOST_TEST(found.size() == 1u);
  BOOST_TEST(found.at("calls_us.cudaGraphLaunch").second == 110);
  BOOST_TEST(differences("stream.start_us.copy in=3").size() == 1u);
  BOOST_TEST(differences("cudaGraphLaunch=3").contains("calls_us.cudaGraphLaunch"));
}

BOOST_AUTO_TEST_CASE(a_star_multiplies_all_that_a_name_or_group_covers) {
  const auto found = differences("graph.node_us=*0.5");
  BOOST_TEST(found.size() == 16u);
  for (const auto& [name, values] : found) {
    BOOST_TEST(name.starts_with("graph.node_us."));
    BOOST_TEST(values.second == values.first / 2);
  }
  const auto rates = differences("*in_gbps=*2,out_gbps=7");
  BOOST_TEST(rates.contains("engine.duplex_in_gbps"));
  BOOST_TEST(rates.contains("engine.pageable_in_gbps"));
  BOOST_TEST(rates.contains("engine.in_gbps"));
  BOOST_TEST(rates.at("engine.out_gbps").second == 7);
  BOOST_TEST(!rates.contains("engine.duplex_out_gbps"));
}

BOOST_AUTO_TEST_CASE(another_rate_changes_copies_by_their_bytes_and_not_their_fixed_cost) {
  Profile profile = full_profile();
  auto& copies = profile.engine.duration[index_of(Kind::copy_in)];
  copies = {{4, 2}, {1 << 20, 22}};
  profile.engine.in_gbps = (1 << 20) / 20e3;
  const auto out = profile.engine.duration[index_of(Kind::copy_out)];
  what_if("engine.in_gbps=*2")(profile);
  BOOST_TEST(copies[0].us == 2, boost::test_tools::tolerance(1e-4));
  BOOST_TEST(copies[1].us == 12, boost::test_tools::tolerance(1e-9));
  for (std::size_t i = 0; i < out.size(); ++i) {
    BOOST_TEST(profile.engine.duration[index_of(Kind::copy_out)][i].us == out[i].us);
  }
}

BOOST_AUTO_TEST_CASE(a_change_of_copies_themselves_comes_after_that_of_their_rate) {
  Profile profile = full_profile();
  auto& copies = profile.engine.duration[index_of(Kind::copy_in)];
  copies = {{4, 2}, {1 << 20, 22}};
  profile.engine.in_gbps = (1 << 20) / 20e3;
  what_if("engine.in_gbps=*2,duration.copy in=*0.5")(profile);
  BOOST_TEST(copies[1].us == 6, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(sizes_and_shapes_are_named_by_their_bytes_and_words) {
  const auto found = differences("kernels.1024 to 64.us=9");
  BOOST_TEST(found.size() == 1u);
  BOOST_TEST(found.begin()->first == "kernels.1024 to 64.us");
}

BOOST_AUTO_TEST_CASE(the_profile_says_what_was_changed_and_keeps_its_error) {
  Profile profile = full_profile();
  profile.error = ModelError{.rewritten = ErrorFactor{3, 1.5}};
  const std::string name = profile.name;
  what_if("*=*0.5")(profile);
  BOOST_TEST(profile.name == name + " with *=*0.5");
  BOOST_TEST(profile.error.value().rewritten.value().factor == 1.5);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_done_is_refused_with_the_way_out) {
  for (const char* text : {"in_gbps", "=3"}) {
    BOOST_TEST(refused(text).find("write NAME=VALUE") != std::string::npos, text);
  }
  for (const char* text : {"in_gbps=", "in_gbps=fast", "in_gbps=3x", "in_gbps=-1", "in_gbps=nan",
                           "in_gbps=inf", "in_gbps=*inf"}) {
    BOOST_TEST(refused(text).find("has no number") != std::string::npos, text);
  }
  BOOST_TEST(refused("in_gpbs=1").find("did you mean in_gbps?") != std::string::npos);
  BOOST_TEST(refused("graph.node_us=1").find("names 16 figures, such as graph.node_us.copy in.") !=
             std::string::npos);
  BOOST_TEST(refused("cudaGraphLaunch=*1e308").find("infinite") != std::string::npos);
  BOOST_TEST(refused(std::string(101, 'x') + "=1").find("over 100 characters") !=
             std::string::npos);
  BOOST_TEST(refused("in_gbps=0.001").find("must be from") != std::string::npos);
  const std::string range = refused("in_gbps=1e300");
  BOOST_TEST(range.find("engine.in_gbps is 1e+300") != std::string::npos, range);
  BOOST_TEST(range.ends_with("; set another value"), range);
}

BOOST_AUTO_TEST_SUITE_END()
