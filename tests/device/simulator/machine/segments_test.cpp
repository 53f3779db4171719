#include "tests/device/simulator/machine/operations.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(segments)

namespace {

/// Returns the content of a range: "10-20 20-30".
std::string text_of(Segments& segments, const Range& range) {
  std::string text;
  for (const auto& [begin, segment] : segments.part(range)) {
    text += std::to_string(begin) + "-" + std::to_string(segment.end) + " ";
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(tiles_end_where_the_range_does_and_fill_what_is_missing) {
  Segments segments;
  BOOST_TEST(segments.tile({20, 30}, Place::device).front().first == 20u);
  segments.tile({40, 50}, Place::device);
  const auto first = segments.tile({10, 45}, Place::pinned).begin();
  BOOST_TEST(first->first == 10u);
  BOOST_TEST(text_of(segments, {0, 100}) == "10-20 20-30 30-40 40-45 45-50 ");
  BOOST_TEST((first->second.past.place == Place::pinned));
  BOOST_TEST((std::next(first)->second.past.place == Place::device));
  BOOST_TEST(segments.tile({22, 24}, Place::device).front().first == 22u);
  BOOST_TEST(text_of(segments, {20, 30}) == "20-22 22-24 24-30 ");
}

BOOST_AUTO_TEST_CASE(the_same_ranges_leave_the_same_segments) {
  Segments segments;
  for (int pass = 0; pass < 10; ++pass) {
    segments.tile({0, 100}, Place::device);
    segments.tile({30, 60}, Place::device);
  }
  BOOST_TEST(segments.size() == 3u);
}

BOOST_AUTO_TEST_CASE(neighbours_with_the_same_past_are_joined_and_others_not) {
  Segments segments;
  for (const std::uintptr_t begin : {0, 10, 20, 30, 50}) {
    segments.tile({begin, begin + 10}, Place::device);
  }
  segments.tile({20, 30}, Place::device)
      .front()
      .second.past.uses.push_back({make_operation(1), true});
  segments.join(segments.part({0, 60}));
  BOOST_TEST(text_of(segments, {0, 60}) == "0-20 20-30 30-40 50-60 ");
}

BOOST_AUTO_TEST_CASE(a_range_that_wraps_around_has_no_segments) {
  Segments segments;
  segments.tile({20, 30}, Place::device);
  BOOST_TEST(segments.part({25, 10}).empty());
  BOOST_TEST(text_of(segments, {0, 100}) == "20-30 ");
}

BOOST_AUTO_TEST_CASE(a_range_is_replaced_and_nothing_beside_it) {
  Segments segments;
  segments.tile({0, 30}, Place::device);
  segments.tile({10, 15}, Place::device);
  segments.replace({5, 25}, fresh_past(Place::pool));
  BOOST_TEST(text_of(segments, {0, 30}) == "0-5 5-25 25-30 ");
  BOOST_TEST((segments.part({5, 25}).front().second.past.life == Life::reserved));
  BOOST_TEST((segments.part({25, 30}).front().second.past.life == Life::allocated));
}

BOOST_AUTO_TEST_CASE(memory_that_nothing_happened_to_is_undefined_only_on_the_device) {
  BOOST_TEST(!fresh_past(Place::device).written);
  BOOST_TEST(!fresh_past(Place::pool).written);
  BOOST_TEST(fresh_past(Place::pinned).written);
  BOOST_TEST(fresh_past(Place::pageable).written);
  BOOST_TEST((fresh_past(Place::graph).life == Life::reserved));
  BOOST_TEST((fresh_past(Place::registered).life == Life::users));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
