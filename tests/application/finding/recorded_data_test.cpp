// The application's own data in a recording: only on request, and never trusted.
#include <boost/test/unit_test.hpp>
#include <stdexcept>

#include "common/application/iteration/recording_file.hpp"
#include "tests/application/finding/fake_application.hpp"
#include "tests/base/refusal.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(recorded_data)

namespace {

constexpr std::uint32_t secret = 0x5ec4e7;

ApplicationRecording recorded(bool with_data) {
  FakeApplication app({.range = {}, .with_data = with_data});
  set_up(app);
  for (std::uint32_t i = 0; i < 12; ++i) {
    app.launch(10, {device_out, device_in, secret, 0, 0, 0});
    app.launch(11, {device_out, 1234567, i, 0, 0, device_in});
    app.synchronize();
  }
  return app.recorder.recording();
}

}  // namespace

BOOST_AUTO_TEST_CASE(constant_numbers_are_recorded_on_request) {
  const ApplicationRecording recording = recorded(true);
  BOOST_TEST_REQUIRE(recording.calls.size() == 3u);
  // No pointers, no changing values, and no structure of 16 bytes.
  const std::vector<RecordedValue> wanted{{0, 2, secret}, {1, 1, 1234567}};
  BOOST_TEST_REQUIRE(recording.data.has_value());
  BOOST_TEST((recording.data->values == wanted));
  const std::string text = recording_to_json(recording);
  BOOST_TEST((recording_from_json(text).data == recording.data));
}

BOOST_AUTO_TEST_CASE(without_a_request_no_value_is_in_the_file) {
  const ApplicationRecording recording = recorded(false);
  BOOST_TEST(!recording.data);
  const std::string text = recording_to_json(recording);
  for (const std::uint64_t value : {std::uint64_t{secret}, std::uint64_t{1234567}, device_in}) {
    BOOST_TEST(text.find(std::to_string(value)) == std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(values_of_nothing_are_refused) {
  const auto with = [](std::vector<RecordedValue> values) {
    ApplicationRecording recording = recorded(true);
    recording.data->values = std::move(values);
    const std::string text = recording_to_json(recording);
    return refusal<std::invalid_argument>([&] { recording_from_json(text); });
  };
  BOOST_TEST(with({}) == "(not refused)");
  BOOST_TEST(with({{3, 0, 1}}) ==
             "recording file: .data.values[0].call is 3, and there are 3 calls");
  BOOST_TEST(with({{2, 0, 1}}) == "recording file: .data.values[0].call is not that of a kernel");
  BOOST_TEST(with({{0, 4, 1}}) ==
             "recording file: .data.values[0].parameter is 4, and there are 4 parameters");
  BOOST_TEST(with({{0, 0, 1}}) == "recording file: .data.values[0].parameter is a pointer");
  BOOST_TEST(with({{0, 2, 1ull << 32}}) ==
             "recording file: .data.values[0].bits is 4294967296, and the parameter has 4 bytes");
  BOOST_TEST(with({{0, 2, 1}, {0, 2, 1}}) ==
             "recording file: .data.values[1].call is not behind the entry before it");
  BOOST_TEST(with({{0, 3, 1}}).find("parameter has 16 bytes") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
