// The knobs of a sweep on the command line, and the cells that they make.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "common/commands/options/option_parts.hpp"
#include "common/commands/options/options.hpp"
#include "common/text/exit_code.hpp"
#include "tests/text/refusal.hpp"

using namespace trilane;

namespace {

const std::vector<std::string> known{"serial", "streams", "graph", "malloc", "pool"};

Options parsed(std::vector<const char*> words) { return parse_options(words, known, false); }

std::string refused(std::vector<const char*> words) {
  return refusal<UsageError>([&] { parsed(words); });
}

std::vector<double> values(const std::string& text) { return parse_axis("--sweep", text).values; }

using Values = std::vector<double>;

}  // namespace

BOOST_AUTO_TEST_SUITE(axis)

BOOST_AUTO_TEST_CASE(values_are_listed_doubled_or_in_equal_ratios) {
  const auto same = [](const Values& found, const Values& wanted) {
    BOOST_TEST(found == wanted, boost::test_tools::per_element());
  };
  same(values("lanes=4,1,2"), {1, 2, 4});
  same(values("chunks=2..16"), {2, 4, 8, 16});
  same(values("chunks=3..20"), {3, 6, 12, 20});
  same(values("chunk-size=4K..64K"), {4096, 8192, 16384, 32768, 65536});
  same(values("depth=1..100:3"), {1, 10, 100});
  same(values("depth=1..4:12"), {1, 2, 3, 4});  // what rounding makes the same is there once
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
  const Options options = parsed({"--preset", "launch", "--lanes", "2", "--sweep",
                                  "chunk-size=4K..16K", "--sweep", "chunks=2,8"});
  BOOST_TEST((options.action == Action::sweep));
  BOOST_TEST(options.comparison.seconds == 300);
  BOOST_REQUIRE(options.sweep.has_value());
  BOOST_TEST(options.sweep->columns.values.size() == 3u);
  BOOST_TEST(options.sweep->rows.values.size() == 2u);
  const Workload cell = point_at(*options.sweep, 2, 1).workload;
  BOOST_TEST(cell.name == "launch");
  BOOST_TEST(cell.modified);
  BOOST_TEST(cell.shape() == "8 chunks x 16 KiB, 2 lanes, depth 4, 1 round");
}

BOOST_AUTO_TEST_CASE(a_kernel_time_is_swept_or_holds_in_every_cell) {
  const Options swept = parsed({"--sweep", "kernel-time=10us,20us", "--sweep", "chunks=2,4"});
  BOOST_TEST(point_at(*swept.sweep, 1, 0).kernel_time_us == 20);
  const Options fixed =
      parsed({"--sweep", "depth=1,2", "--sweep", "chunks=2,4", "--kernel-time", "30us"});
  BOOST_TEST(point_at(*fixed.sweep, 1, 1).kernel_time_us == 30);
}

BOOST_AUTO_TEST_CASE(knobs_that_contradict_each_other_do_so_in_their_cells_only) {
  const Options options = parsed({"--sweep", "chunk-size=4K,64K", "--sweep", "result-size=4K,64K"});
  BOOST_TEST(point_at(*options.sweep, 1, 1).workload.result_bytes == 65536u);
  BOOST_TEST(contains(refusal<UsageError>([&] { point_at(*options.sweep, 0, 1); }),
                      "--result-size 64KiB: is more than a chunk of 4KiB"));
}

BOOST_AUTO_TEST_CASE(the_main_variants_are_compared_unless_others_are_named) {
  const std::vector<const char*> sweep{"--sweep", "chunks=2,4", "--sweep", "lanes=1,2"};
  BOOST_TEST(
      parsed(sweep).comparison.variants == (std::vector<std::string>{"streams", "graph", "pool"}),
      boost::test_tools::per_element());
  BOOST_TEST(parsed({"--preset", "launch"}).comparison.variants.size() == known.size());
  BOOST_TEST(main_variants({"malloc"}) == std::vector<std::string>{"malloc"},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_map_is_known_by_its_options_but_time_and_file) {
  const auto command = [](std::vector<const char*> more) {
    std::vector<const char*> words{"--sweep", "chunks=2,4", "--sweep", "lanes=1,2"};
    words.insert(words.end(), more.begin(), more.end());
    return parsed(words).sweep->command;
  };
  BOOST_TEST(command({}) == "--sweep chunks=2,4 --sweep lanes=1,2");
  BOOST_TEST(command({"--time", "1s", "--json", "m.json", "--force"}) == command({}));
  BOOST_TEST(command({"--seed", "2"}) != command({}));
}

BOOST_AUTO_TEST_CASE(options_that_do_not_go_with_a_sweep_are_refused) {
  const auto with = [](std::vector<const char*> more) {
    more.insert(more.end(), {"--sweep", "chunks=2,4", "--sweep", "lanes=1,2"});
    return refused(more);
  };
  BOOST_TEST(contains(with({"--csv", "a"}), "--csv 'a': does not go with --sweep"));
  BOOST_TEST(contains(with({"--dry-run"}), "--dry-run: does not go with"));
  BOOST_TEST(contains(with({"--lanes", "4"}), "--lanes '4': --sweep gives lanes in every cell"));
  BOOST_TEST(contains(with({"--preset", "launch,search"}), "'launch,search'"));
  BOOST_TEST(contains(with({"--sweep", "depth=1,2"}), "is one knob too many"));
}

BOOST_AUTO_TEST_SUITE_END()
