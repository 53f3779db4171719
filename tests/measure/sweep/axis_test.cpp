// The knobs of a sweep on the command line, and the cells that they make.
#include "common/measure/sweep/map/regime_map.hpp"
#include "tests/base/refusal.hpp"
#include "tests/commands/words.hpp"

BOOST_AUTO_TEST_SUITE(axis)

const Caller caller = made_up_caller({"serial", "streams", "graph", "malloc", "pool"});

SweepRequest parsed(const std::string& line) { return read_sweep(read_line(line, caller).given); }

std::string refused(const std::string& line) {
  return refusal<UsageError>([&] { parsed(line); });
}

std::vector<double> values(const std::string& text) { return parse_axis("sweep", text).values; }

using Values = std::vector<double>;

BOOST_AUTO_TEST_CASE(values_are_listed_doubled_or_in_equal_ratios) {
  const auto same = [](const Values& found, const Values& wanted) {
    BOOST_TEST(found == wanted, boost::test_tools::per_element());
  };
  same(values("lanes=4,1,2"), {1, 2, 4});
  same(values("chunks=2..16"), {2, 4, 8, 16});
  same(values("chunks=3..20"), {3, 6, 12, 20});
  same(values("chunk-size=4K..64K"), {4096, 8192, 16384, 32768, 65536});
  same(values("depth=1..100:3"), {1, 10, 100});
  same(values("depth=1..4:12"), {1, 2, 3, 4});  // values that round to the same occur once
  same(values("kernel-time=10us..1ms:5"), {10, 32, 100, 320, 1000});
  same(values("result-size=4..4K:3"), {4, 128, 4096});
}

BOOST_AUTO_TEST_CASE(ratios_are_about_equal_and_sizes_can_be_typed) {
  const Values sizes = values("chunk-size=4K..8M:12");
  BOOST_TEST(sizes.size() == 12u);
  BOOST_TEST(sizes.front() == 4096);
  BOOST_TEST(sizes.back() == 8 << 20);
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    BOOST_TEST(std::abs(sizes[i] / sizes[i - 1] / 2 - 1) < 0.13);
    BOOST_TEST(std::fmod(sizes[i], 256) == 0);
  }
}

BOOST_AUTO_TEST_CASE(values_have_their_units) {
  BOOST_TEST(value_text("chunk-size", 65536) == "64 KiB");
  BOOST_TEST(value_text("size", 5.5 * 1024) == "5.5 KiB");
  BOOST_TEST(value_text("size", 1155 * 1024) == "1155 KiB");
  BOOST_TEST(value_text("size", 1100) == "1100 B");
  BOOST_TEST(value_text("chunks", 16) == "16");
  BOOST_TEST(value_text("kernel-time", 1200) == "1200 us");
  BOOST_TEST(short_text("chunk-size", 65536) == "64K");
  BOOST_TEST(short_text("size", 1.5 * (1 << 20)) == "1.5M");
  BOOST_TEST(short_text("rounds", 112000) == "112k");
  BOOST_TEST(short_text("kernel-time", 40) == "40us");
  BOOST_TEST(short_text("kernel-time", 1500) == "1.5ms");
}

BOOST_AUTO_TEST_CASE(a_cell_is_the_workload_with_both_knobs_turned) {
  const std::string line = "sweep chunk-size=4K..16K chunks=2,8 --preset launch --lanes 2";
  BOOST_TEST(read_options(line, caller).comparison.seconds == 300);
  const SweepRequest request = parsed(line);
  BOOST_TEST(request.columns.values.size() == 3u);
  BOOST_TEST(request.rows->values.size() == 2u);
  const Workload cell = point_at(request, 2, 1).workload;
  BOOST_TEST(cell.name == "launch");
  BOOST_TEST(cell.modified);
  BOOST_TEST(cell.shape() == "8 chunks x 16 KiB, 2 lanes, depth 4, 1 round");
}

BOOST_AUTO_TEST_CASE(one_knob_alone_makes_a_row_of_cells) {
  const std::string line = "sweep chunks=2..16 --size 1M --preset transfer";
  BOOST_TEST(read_options(line, caller).comparison.seconds == 60);
  const SweepRequest request = parsed(line);
  BOOST_TEST(!request.rows);
  BOOST_TEST(point_at(request, 2, 0).workload.chunks() == 8u);
  BOOST_TEST(point_at(request, 2, 0).workload.bytes == 1u << 20);
  const RegimeMap curve = empty_map(request, {"streams"}, {Tier::same_operations});
  BOOST_TEST(curve.cells.size() == 4u);
  BOOST_TEST(place_text(curve, curve.cells[3]) == "chunks 16");
}

BOOST_AUTO_TEST_CASE(ranges_to_sweep_next_can_be_typed_and_keep_to_what_a_knob_allows) {
  const auto before = [](const char* text) { return range_before(parse_axis("sweep", text)); };
  const auto after = [](const char* text) { return range_after(parse_axis("sweep", text)); };
  BOOST_TEST(before("chunks=16..64") == "chunks=4..32");
  BOOST_TEST(before("chunks=3,64") == "chunks=1..6");
  BOOST_TEST(before("lanes=1,2") == "");
  BOOST_TEST(after("chunks=16..64") == "chunks=32..256");
  BOOST_TEST(after("chunks=2,600000") == "chunks=300000..1000000");
  BOOST_TEST(after("lanes=1,1024") == "");
  BOOST_TEST(before("chunk-size=64K,1M") == "chunk-size=16K..128K");
  BOOST_TEST(before("chunk-size=4,1M") == "");
  BOOST_TEST(after("chunk-size=64K,1100") == "chunk-size=32K..256K");
  BOOST_TEST(after("chunk-size=1000,1100") == "chunk-size=548..4400");
  BOOST_TEST(before("kernel-time=10us,40us") == "kernel-time=2.5us..20us");
  BOOST_TEST(before("kernel-time=1us,40us") == "");
  BOOST_TEST(after("kernel-time=10us,40us") == "kernel-time=20us..160us");
  for (const char* text : {"chunks=3,64", "chunk-size=1000,1100", "kernel-time=3us,40us"}) {
    BOOST_TEST(values(after(text)).size() > 1u);
    BOOST_TEST(values(before(text)).size() > 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_kernel_time_is_swept_or_holds_in_every_cell) {
  const SweepRequest swept = parsed("sweep kernel-time=10us,20us chunks=2,4");
  BOOST_TEST(point_at(swept, 1, 0).kernel_time_us == 20);
  const SweepRequest fixed = parsed("sweep depth=1,2 chunks=2,4 --kernel-time 30us");
  BOOST_TEST(point_at(fixed, 1, 1).kernel_time_us == 30);
}

BOOST_AUTO_TEST_CASE(knobs_that_contradict_each_other_do_so_in_their_cells_only) {
  const SweepRequest request = parsed("sweep chunk-size=4K,64K result-size=4K,64K");
  BOOST_TEST(point_at(request, 1, 1).workload.result_bytes == 65536u);
  BOOST_TEST(contains(refusal<UsageError>([&] { point_at(request, 0, 1); }),
                      "--result-size 64KiB: is more than a chunk of 4KiB"));
}

BOOST_AUTO_TEST_CASE(the_main_variants_are_compared_unless_others_are_named) {
  BOOST_TEST(read_options("sweep chunks=2,4 lanes=1,2", caller).comparison.variants ==
                 (std::vector<std::string>{"streams", "graph", "pool"}),
             boost::test_tools::per_element());
  BOOST_TEST(main_variants({"malloc"}) == std::vector<std::string>{"malloc"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_map_is_known_by_its_options_but_time_and_file) {
  const auto command = [](const std::string& more) {
    return parsed("sweep chunks=2,4 lanes=1,2" + more).command;
  };
  BOOST_TEST(command(" --depth 2 --preset launch") ==
             "chunks=2,4 lanes=1,2 --depth 2 --preset launch");
  BOOST_TEST(command(" --time 1s --json m.json --force --markdown") == command(""));
  BOOST_TEST(command(" --seed 2") != command(""));
}

BOOST_AUTO_TEST_CASE(a_knob_has_one_place) {
  const std::string sweep = "sweep chunks=2,4 lanes=1,2 ";
  BOOST_TEST(
      contains(refused(sweep + "--lanes 4"), "--lanes '4': the sweep gives lanes its values"));
  BOOST_TEST(contains(refused(sweep + "--preset launch,search"), "'launch,search'"));
  BOOST_TEST(contains(refused("sweep kernel-time=1us,2us --rounds 9"),
                      "--rounds '9': the sweep gives kernel-time its values"));
}

BOOST_AUTO_TEST_SUITE_END()
