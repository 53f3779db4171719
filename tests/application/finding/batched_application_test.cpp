// Applications that make several copies by one call.
#include <boost/test/unit_test.hpp>
#include <utility>

#include "common/application/iteration/observed_batch.hpp"
#include "tests/application/finding/fake_application.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(batched_application)

namespace {

using Copies = std::vector<ObservedBatch::Copy>;

/// Returns the recording of an application that makes these batches in turn, each followed by a
/// wait.
ApplicationRecording recorded(const std::vector<Copies>& in_turn) {
  FakeApplication app;
  set_up(app);
  constexpr std::size_t turns = 24;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const Copies& copies = in_turn[turn % in_turn.size()];
    ObservedCall call{.kind = CallKind::copy,
                      .function = app.number(Driver::copy_in),
                      .stream = 1,
                      .destination = copies[0].destination,
                      .source = copies[0].source};
    for (const ObservedBatch::Copy& copy : copies) call.bytes += copy.bytes;
    call.batch = std::make_shared<ObservedBatch>(ObservedBatch{copies, {}, {}});
    app.call(call);
    app.synchronize();
  }
  return app.recorder.recording();
}

constexpr std::uint64_t pageable_in = std::uint64_t{0x7} << 44;

}  // namespace

BOOST_AUTO_TEST_CASE(a_batch_has_the_ranges_of_each_copy) {
  const ApplicationRecording recording =
      recorded({{{device_in, pinned_in, 4096}, {device_out + 256, pageable_in, 64}}});
  BOOST_REQUIRE(recording.calls.size() == 2u);
  const RecordedCall& batch = recording.calls[0];
  BOOST_TEST(batch.bytes == 4160u);
  BOOST_TEST(copies_in(batch) == 2u);
  BOOST_REQUIRE(batch.uses.size() == 4u);
  const auto kind = [&](std::size_t use) { return recording.memory[batch.uses[use].memory].kind; };
  BOOST_TEST((kind(0) == MemoryKind::pinned && kind(1) == MemoryKind::device));
  BOOST_TEST((kind(2) == MemoryKind::pageable && kind(3) == MemoryKind::device));
  const UsedRange from{batch.uses[0].memory, 0, 4096, Use::reads};
  const UsedRange to{batch.uses[3].memory, 256, 64, Use::writes};
  BOOST_TEST((batch.uses[0] == from));
  BOOST_TEST((batch.uses[3] == to));
  BOOST_TEST((batch.pointers == Variation::constant));
}

BOOST_AUTO_TEST_CASE(batches_differ_by_the_number_of_copies_their_bytes_and_kinds) {
  const Copies two{{device_in, pinned_in, 4096}, {device_out, pinned_in, 64}};
  const auto calls_with = [&](const Copies& other) { return recorded({two, other}).calls.size(); };
  BOOST_TEST(calls_with(two) == 2u);
  BOOST_TEST(calls_with({{device_in, pinned_in, 4160}}) == 4u);
  BOOST_TEST(calls_with({{device_in, pinned_in, 64}, {device_out, pinned_in, 4096}}) == 4u);
  BOOST_TEST(calls_with({{device_in, pinned_in, 4096}, {device_out, pageable_in, 64}}) == 4u);
  BOOST_TEST(calls_with({{device_in, pinned_in, 4096}, {pinned_out, pinned_in, 64}}) == 4u);
}

BOOST_AUTO_TEST_CASE(the_addresses_of_every_copy_may_vary) {
  const auto pointers = [](std::uint64_t to, std::uint64_t from) {
    const Copies first{{device_in, pinned_in, 4096}, {device_out, pinned_in, 64}};
    const ApplicationRecording recording =
        recorded({first, {{device_in, pinned_in, 4096}, {to, from, 64}}});
    BOOST_TEST(recording.calls.size() == 2u);
    return recording.calls[0].pointers;
  };
  BOOST_TEST((pointers(device_out, pinned_in) == Variation::constant));
  BOOST_TEST((pointers(device_out + 64, pinned_in) == Variation::alternates));
  BOOST_TEST((pointers(device_out, pinned_in + 64) == Variation::alternates));
}

BOOST_AUTO_TEST_SUITE_END()
