#include "common/device/simulator/hazards/host_watch.hpp"

#include "tests/device/simulator/machine/operations.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(host_watch)

namespace {

/// Lanes whose operations are watched and run by hand.
struct Setup : Issuer {
  HostWatch watch;
  Block block = allocate(4096, Place::pinned);
  std::byte* const bytes = reinterpret_cast<std::byte*>(block.range.begin);

  OperationPtr copy(const std::string& lane, const simulator::Range& range, Touch touch) {
    const Kind kind = touch == Touch::read ? Kind::copy_in : Kind::copy_out;
    const OperationPtr operation = issue(lane, "copy", {{range, touch}}, kind, true);
    hazards.clear();  // unordered ones are made on purpose
    watch.issued(operation, memory);
    return operation;
  }
  OperationPtr host_function() {
    return issue("stream 9", "host function", {}, Kind::host_function);
  }

  /// Runs it; it writes `value`.
  void run(const OperationPtr& operation, const simulator::Range& written = {}, int value = 0) {
    watch.before_work(*operation, hazards);
    if (written.size() > 0) {
      std::memset(reinterpret_cast<void*>(written.begin), value, written.size());
    }
    watch.after_work(*operation);
  }
  void wait_for(const OperationPtr& operation) {
    order.host_waited_for(*operation);
    watch.host_waited(order, hazards);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_buffer_changed_before_its_copy_runs_is_reported, Setup) {
  const OperationPtr operation = copy("stream 1", part_of(block, 256, 512), Touch::read);
  bytes[256 + 511] = std::byte{1};
  run(operation);
  BOOST_TEST_REQUIRE(hazards.reports().size() == 1u);
  BOOST_TEST((hazards.reports()[0].hazard == Hazard::host_touched));
  BOOST_TEST(hazards.reports()[0].text ==
             "the host changed bytes while copy (stream 1, operation 1) was running: " +
                 describe(part_of(block, 256, 512), Place::pinned));
}

BOOST_FIXTURE_TEST_CASE(one_changed_after_it_but_before_the_host_waited_too, Setup) {
  const OperationPtr operation = copy("stream 1", part_of(block, 0, 512), Touch::read);
  run(operation);
  bytes[0] = std::byte{1};
  wait_for(operation);
  BOOST_TEST(take_names() == "host touched");
}

BOOST_FIXTURE_TEST_CASE(one_change_is_reported_once, Setup) {
  const OperationPtr operation = copy("stream 1", part_of(block, 0, 512), Touch::read);
  const OperationPtr second = copy("stream 1", part_of(block, 0, 512), Touch::read);
  bytes[0] = std::byte{1};
  run(operation);
  run(second);
  wait_for(second);
  BOOST_TEST(take_names() == "host touched");
}

BOOST_FIXTURE_TEST_CASE(bytes_beside_the_range_and_after_the_wait_are_the_hosts, Setup) {
  for (const Touch touch : {Touch::read, Touch::write}) {
    const OperationPtr operation = copy("stream 1", part_of(block, 256, 512), touch);
    bytes[255] = bytes[768] = std::byte{1};
    run(operation, touch == Touch::write ? part_of(block, 256, 512) : simulator::Range{}, 3);
    wait_for(operation);
    bytes[256] = std::byte{7};
    wait_for(copy("stream 2", part_of(block, 1024, 16), Touch::read));
    BOOST_TEST(take_names() == "");
  }
}

BOOST_FIXTURE_TEST_CASE(what_a_copy_out_writes_itself_is_no_finding, Setup) {
  const simulator::Range whole = part_of(block, 0, 1024), half = part_of(block, 512, 1024);
  const OperationPtr first = copy("stream 1", whole, Touch::write);
  const OperationPtr second = copy("stream 1", whole, Touch::write);
  const OperationPtr other = copy("stream 2", half, Touch::write);
  const OperationPtr back = copy("stream 3", part_of(block, 600, 8), Touch::read);
  run(other, half, 1);
  run(first, whole, 2);
  run(back);
  wait_for(first);
  run(second, whole, 3);
  wait_for(other);
  wait_for(second);
  wait_for(back);
  BOOST_TEST(take_names() == "");
}

BOOST_FIXTURE_TEST_CASE(a_change_is_not_taken_for_that_of_a_copy_that_runs_later, Setup) {
  const OperationPtr first = copy("stream 1", part_of(block, 0, 512), Touch::write);
  const OperationPtr other = copy("stream 2", part_of(block, 0, 1024), Touch::write);
  bytes[100] = std::byte{9};
  run(other, part_of(block, 0, 1024), 1);
  BOOST_TEST(take_names() == "host touched, host touched");  // of both ranges
  run(first, part_of(block, 0, 512), 2);
  wait_for(first);
  wait_for(other);
  BOOST_TEST(take_names() == "");
}

BOOST_FIXTURE_TEST_CASE(a_range_is_the_hosts_again_only_when_all_its_users_are_known, Setup) {
  const simulator::Range range = part_of(block, 0, 512);
  const OperationPtr first = copy("stream 1", range, Touch::read);
  const OperationPtr second = copy("stream 2", range, Touch::read);
  run(first);
  run(second);
  wait_for(first);
  bytes[0] = std::byte{1};
  wait_for(second);
  BOOST_TEST_REQUIRE(hazards.reports().size() == 1u);
  BOOST_TEST(hazards.reports()[0].text.find("operation 2") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_host_function_may_change_what_comes_after_it, Setup) {
  const OperationPtr function = host_function();
  wait("stream 1", function);
  const OperationPtr operation = copy("stream 1", part_of(block, 0, 512), Touch::read);
  run(function, part_of(block, 0, 512), 5);
  run(operation);
  wait_for(operation);
  BOOST_TEST(take_names() == "");
  const OperationPtr again = copy("stream 1", part_of(block, 0, 512), Touch::read);
  bytes[0] = std::byte{1};
  run(host_function());
  wait_for(again);
  BOOST_TEST(take_names() == "host touched");
}

BOOST_FIXTURE_TEST_CASE(only_memory_of_the_host_that_is_there_is_watched, Setup) {
  std::vector<std::byte> own(64);
  const Block device = allocate(512, Place::device);
  const auto watched = [&](std::vector<Access> accesses) {
    const OperationPtr operation = issue("stream 1", "kernel", std::move(accesses));
    hazards.clear();
    watch.issued(operation, memory);
    std::byte& first = *reinterpret_cast<std::byte*>(operation->task->accesses[0].range.begin);
    first ^= std::byte{1};
    wait_for(operation);
    first ^= std::byte{1};
    return take_names();
  };
  BOOST_TEST(watched({{part_of(block, 0, 512), Touch::read}}) == "host touched");
  BOOST_TEST(watched({{device.range, Touch::read}}) == "");
  BOOST_TEST(watched({{part_of(block, 0, 5000), Touch::read}}) == "");
  BOOST_TEST(watched({{range_of(own.data(), own.size()), Touch::read}}) == "");
  const OperationPtr pageable = copy("stream 1", range_of(own.data(), own.size()), Touch::write);
  own[0] ^= std::byte{1};
  wait_for(pageable);
  BOOST_TEST(take_names() == "host touched");
  watch.issued(issue("stream 1", "kernel", {{{8, 4096}, Touch::write}}), memory);  // nothing checks
  memory.register_host(own.data(), own.size());
  BOOST_TEST(watched({{range_of(own.data(), own.size()), Touch::read}}) == "host touched");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
