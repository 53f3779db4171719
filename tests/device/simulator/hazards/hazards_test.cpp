#include "common/device/simulator/hazards/hazards.hpp"

#include "tests/device/simulator/machine/operations.hpp"

namespace trilane::simulator {

BOOST_FIXTURE_TEST_SUITE(hazards, IssuedLanes)

BOOST_AUTO_TEST_CASE(a_pipeline_in_order_is_clean) {
  for (int pass = 0; pass < 3; ++pass) {
    for (const std::uint64_t chunk : {0, 1}) {
      const std::string lane = chunk == 0 ? "stream 1" : "stream 2";
      wait(lane, issue("stream 9", "copy in",
                       {{part_of(pinned, chunk * 512, 512), Touch::read},
                        {part_of(device, chunk * 512, 512), Touch::write}},
                       Kind::copy_in));
      write(lane, part_of(device, 1024 + chunk * 512, 512));
      issue(lane, "kernel",
            {{part_of(device, chunk * 512, 512), Touch::read},
             {part_of(device, 1024 + chunk * 512, 512), Touch::read_write}});
      const OperationPtr last = issue(lane, "copy out",
                                      {{part_of(device, 1024 + chunk * 512, 512), Touch::read},
                                       {part_of(pinned, 2048 + chunk * 512, 512), Touch::write}},
                                      Kind::copy_out);
      wait("stream 9", last);
    }
  }
  BOOST_TEST(take_names() == "");
}

BOOST_AUTO_TEST_CASE(unordered_uses_are_found_when_one_of_them_writes) {
  const OperationPtr first = write("stream 1", device.range);
  read("stream 2", device.range);
  BOOST_TEST(take_names() == "unordered");  // read after write
  wait("stream 2", first);
  read("stream 2", device.range);
  BOOST_TEST(take_names() == "");
  read("stream 1", device.range);
  BOOST_TEST(take_names() == "");  // reads may be in no order
  write("stream 1", device.range);
  BOOST_TEST(take_names() == "unordered");  // write after read
  write("stream 3", device.range);
  BOOST_TEST(take_names() == "unordered, unordered");  // write after write, and after the read
}

BOOST_AUTO_TEST_CASE(a_report_names_both_operations_their_lanes_and_the_bytes) {
  write("stream 1", part_of(device, 0, 1024));
  read("stream 2", part_of(device, 512, 256));
  BOOST_TEST_REQUIRE(hazards.reports().size() == 1u);
  BOOST_TEST(hazards.reports()[0].text ==
             "kernel (stream 2, operation 2) reads what memset (stream 1, operation 1) writes, "
             "with no order between them: " +
                 text_of(part_of(device, 512, 256)));
  BOOST_TEST(describe(simulator::Range{0x1000, 0x1010}, Place::pool) ==
             "0x1000-0x1010 (16 bytes of pool memory)");
}

BOOST_AUTO_TEST_CASE(the_same_finding_is_reported_once_until_cleared) {
  for (int pass = 0; pass < 3; ++pass) {
    write("stream 1", part_of(device, 0, 64));
    write("stream 2", part_of(device, 0, 64));
  }
  BOOST_TEST(take_names() == "unordered, unordered");  // each of the two after the other
  write("stream 1", part_of(device, 0, 64));
  BOOST_TEST(take_names() == "unordered");
}

BOOST_AUTO_TEST_CASE(a_mistake_over_bytes_with_different_pasts_is_one_report) {
  for (const std::uint64_t offset : {0, 100, 200}) write("stream 1", part_of(device, offset, 50));
  write("stream 1", part_of(device, 0, 300));
  for (const std::uint64_t offset : {0, 100, 200}) read("stream 1", part_of(device, offset, 50));
  wait("stream 2", tails["stream 1"][0]);
  write("stream 1", part_of(device, 20, 260));
  write("stream 2", part_of(device, 0, 300));
  BOOST_TEST_REQUIRE(hazards.reports().size() == 1u);
  BOOST_TEST(hazards.reports()[0].text.ends_with(text_of(part_of(device, 20, 260))));
}

BOOST_AUTO_TEST_CASE(bytes_beside_each_other_with_different_mistakes_are_two_reports) {
  write("stream 1", part_of(device, 0, 50));
  write("stream 2", part_of(device, 50, 50));
  write("stream 3", part_of(device, 0, 100));
  BOOST_TEST(take_names() == "unordered, unordered");
}

BOOST_AUTO_TEST_CASE(what_the_host_has_waited_for_is_in_order) {
  const OperationPtr first = write("stream 1", device.range);
  order.host_waited_for(*first);
  write("stream 2", device.range);
  BOOST_TEST(take_names() == "");
}

BOOST_AUTO_TEST_CASE(host_memory_is_checked_too_and_never_undefined) {
  std::vector<std::byte> own(64);
  for (const simulator::Range& range : {pinned.range, range_of(own.data(), own.size())}) {
    const auto copy = [&](const std::string& lane, Kind kind, Touch touch) {
      issue(lane, "copy", {{range, touch}}, kind, true);
    };
    copy("stream 1", Kind::copy_in, Touch::read);
    BOOST_TEST(take_names() == "");
    copy("stream 2", Kind::copy_out, Touch::write);
    BOOST_TEST(take_names() == "unordered");
    copy("stream 3", Kind::copy_out, Touch::write);
    BOOST_TEST(take_names() == "unordered, unordered");
  }
}

BOOST_AUTO_TEST_CASE(bytes_that_nothing_wrote_are_undefined) {
  write("stream 1", part_of(device, 0, 100));
  read("stream 1", part_of(device, 50, 100));
  BOOST_TEST_REQUIRE(hazards.reports().size() == 1u);
  BOOST_TEST(hazards.reports()[0].text ==
             "kernel (stream 1, operation 2) reads what nothing has "
             "written: " +
                 text_of(part_of(device, 100, 50)));
  hazards.clear();
  issue("stream 1", "kernel", {{part_of(device, 200, 8), Touch::read_write}});
  BOOST_TEST(take_names() == "uninitialised read");
  read("stream 1", part_of(device, 200, 8));
  BOOST_TEST(take_names() == "");
}

BOOST_AUTO_TEST_CASE(what_an_operation_writes_does_not_define_what_it_reads) {
  issue("stream 1", "kernel", {{device.range, Touch::write}, {device.range, Touch::read}});
  BOOST_TEST(take_names() == "uninitialised read");
  issue("stream 1", "kernel", {{device.range, Touch::write}, {device.range, Touch::read}});
  BOOST_TEST(take_names() == "");
}

BOOST_AUTO_TEST_CASE(bytes_of_no_allocation_are_outside) {
  std::vector<std::byte> own(64);
  write("stream 1", part_of(device, 0, 5000));
  BOOST_TEST_REQUIRE(hazards.reports().size() == 1u);
  BOOST_TEST(hazards.reports()[0].text.ends_with(text_of(part_of(device, 4096, 904))));
  BOOST_TEST(take_names() == "outside");
  read("stream 1", range_of(own.data(), own.size()));
  BOOST_TEST(take_names() == "outside");
  issue("stream 1", "copy in", {{range_of(own.data(), 64), Touch::write}}, Kind::copy_in, true);
  BOOST_TEST(take_names() == "outside");
  issue("stream 1", "copy in", {{range_of(own.data(), 64), Touch::read}}, Kind::copy_in, true);
  issue("stream 1", "host function", {{range_of(own.data(), 64), Touch::write}},
        Kind::host_function);
  BOOST_TEST(take_names() == "");
  read("stream 1", range_of(own.data(), own.size()));
  BOOST_TEST(take_names() == "outside");  // although something is known of those bytes by now
  write("stream 1", {device.range.begin + 8, device.range.begin});
  BOOST_TEST(take_names() == "outside");
}

BOOST_AUTO_TEST_CASE(what_later_operations_come_after_is_forgotten) {
  std::vector<std::weak_ptr<Operation>> all;
  for (int pass = 0; pass < 10; ++pass) {
    all.push_back(write("stream 1", device.range));
    all.push_back(read("stream 1", part_of(device, 100, 100)));
    all.push_back(read("stream 1", part_of(device, 150, 100)));
  }
  for (const auto& operation : all) {
    if (const OperationPtr kept = operation.lock()) kept->after.clear();  // done by the schedule
  }
  const auto alive = [&] {
    return std::ranges::count_if(all, [](const auto& operation) { return !operation.expired(); });
  };
  BOOST_TEST(alive() == 3);
  write("stream 1", device.range)->after.clear();
  BOOST_TEST(alive() == 0);
}

BOOST_AUTO_TEST_CASE(of_millions_of_racing_pairs_so_many_are_reported) {
  for (int lane = 0; lane < 200; ++lane) write(fmt::format("stream {}", lane), device.range);
  BOOST_TEST(hazards.reports().size() == Findings::most);
  hazards.clear();
  write("stream 200", device.range);
  BOOST_TEST(hazards.reports().size() == 200);
}

BOOST_AUTO_TEST_CASE(further_findings_are_kept_as_they_are) {
  hazards.report(Hazard::never_finishes, "wait (stream 4, operation 9)");
  BOOST_TEST(hazards.reports()[0].text == "wait (stream 4, operation 9)");
  BOOST_TEST(take_names() == "never finishes");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
