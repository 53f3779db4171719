// The sweep as a user runs it on the simulated device: the map, its file, interrupt and resume.
#include "common/measure/sweep/sweep_file.hpp"
#include "tests/base/mentions.hpp"
#include "tests/commands/cli/program.hpp"

BOOST_FIXTURE_TEST_SUITE(simulated_sweep, Workplace,
                         *boost::unit_test::precondition(for_the_simulated_device))

const Words small{"sweep", "chunk-size=4K..32K", "chunks=2..16"};

Words with_small(const Words& more) { return joined(small, more); }

Outcome run(const Words& words = {}, const Setting& setting = {.gpu = false}) {
  return run_program(with_small(words), setting);
}

RegimeMap map_in(const char* path) { return map_from_json(content_of_file(path)); }

/// Returns what does not differ on another day, or in two parts.
std::string figures(const char* path) {
  RegimeMap map = map_in(path);
  map.context = {};
  map.seconds = map.seconds_allowed = 0;
  for (Cell& cell : map.cells) cell.seconds = cell.measuring_seconds = 0;
  return to_json(map);
}

Outcome run_with_fault(std::uint64_t call) {
  return run({"--variant", "streams,graph", "--check", "--fault", std::to_string(call) + "=700"});
}

bool has_a_winner(const Outcome& outcome) {
  return !holds(outcome.out, "16 cells: 0 have a clear winner, and in 0 ");
}

/// Checks that a sweep whose GPU was lost has shown its results, and says where it ended.
void check_loss(const Outcome& outcome) {
  BOOST_TEST_INFO_SCOPE(outcome.out << outcome.err);
  BOOST_TEST(outcome.code == 1);
  BOOST_TEST(has_a_winner(outcome));
  BOOST_TEST(holds(outcome.out, " !: failed. "));
  BOOST_TEST(holds(outcome.out, " cells have not been run yet."));
  BOOST_TEST(outcome.says("cudaErrorIllegalAddress (700)"));
  BOOST_TEST(outcome.says(": this leaves the GPU unusable for the process, and "));
  BOOST_TEST(outcome.says(" of 16 cells were not run; with --json FILE"));
}

BOOST_AUTO_TEST_CASE(a_map_has_a_winner_in_every_cell_and_says_that_it_is_simulated) {
  const Outcome outcome = run({"--variant", "streams,graph,pool", "--json", "map.json"}).ended(0);
  const RegimeMap map = map_in("map.json");
  BOOST_TEST(map.finished);
  BOOST_TEST(map.cells.size() == 16u);
  for (const Cell& cell : map.cells) {
    BOOST_TEST((cell.status == Status::ok));
    BOOST_TEST(cell.workload.chunk_bytes == map.columns.values[cell.column]);
    BOOST_TEST(cell.workload.chunks() == map.rows->values[cell.row]);
    BOOST_TEST(cell.variants.size() == 3u);
    BOOST_TEST(cell.left_out.empty());
  }
  BOOST_TEST(map.seconds <= map.seconds_allowed);
  BOOST_TEST(holds(outcome.out, "simulated NVIDIA H200"));
  BOOST_TEST(!map.borders.empty());
  BOOST_TEST(holds(outcome.out, "S streams, G graph, P pool"));
  BOOST_TEST(!holds(outcome.out, "measured"));
}

BOOST_AUTO_TEST_CASE(an_interrupted_map_goes_on_to_what_it_would_have_been) {
  const auto whole = in_rounds({"--variant", "streams,graph", "--json", "whole.json"});
  BOOST_TEST(run(whole).code == 0);
  const auto parts = in_rounds({"--variant", "streams,graph", "--json", "parts.json"});
  const Outcome first = run_interrupted(with_small(parts), "parts.json");
  BOOST_TEST_REQUIRE(first.code == 130);
  const RegimeMap begun = map_in("parts.json");
  BOOST_TEST(!begun.finished);
  BOOST_TEST(holds(first.out, ".: not run yet."));
  const Outcome second = run(parts).ended(0);
  BOOST_TEST((figures("parts.json") == figures("whole.json")));
  for (const Cell& cell : map_in("parts.json").cells) BOOST_TEST(cell.visits == 1u);

  const Outcome third = run(parts).ended(0);
  BOOST_TEST(!third.says("started"));
  BOOST_TEST((figures("parts.json") == figures("whole.json")));
}

BOOST_AUTO_TEST_CASE(a_map_begun_otherwise_is_refused_and_force_starts_over) {
  BOOST_TEST(run({"--variant", "streams", "--json", "map.json"}).code == 0);
  const std::string before = content_of_file("map.json");
  const Outcome other = run({"--variant", "streams,graph", "--json", "map.json"}).ended(2);
  BOOST_TEST(other.says("--json 'map.json': the sweep in it was started with the options"),
             other.err);
  BOOST_TEST(other.says("start over with --force"));
  BOOST_TEST((content_of_file("map.json") == before));
  BOOST_TEST(run({"--variant", "streams,graph", "--json", "map.json", "--force"}).code == 0);
  BOOST_TEST(map_in("map.json").variants.size() == 2u);
  const Outcome foreign = run({"--json", "old"}).ended(2);
  BOOST_TEST(foreign.says("already exists"));
}

BOOST_AUTO_TEST_CASE(cells_that_cannot_run_say_why_and_the_map_goes_on) {
  const Outcome outcome = run_without_gpu({"sweep", "chunk-size=4K,64K", "result-size=4K,64K",
                                           "--variant", "streams,graph", "--json", "map.json"});
  BOOST_TEST(outcome.code == 0);
  const RegimeMap map = map_in("map.json");
  const Cell& cell = map.cells[map.position(0, 1)];
  BOOST_TEST((cell.status == Status::not_supported));
  BOOST_TEST(holds(cell.reason, "more than a chunk"));
  BOOST_TEST((map.cells[map.position(1, 1)].status == Status::ok));
  BOOST_TEST(holds(outcome.out, "-: cannot run here."));
}

BOOST_AUTO_TEST_CASE(the_map_can_go_to_standard_output) {
  const Outcome outcome = run({"--variant", "streams", "--json", "-"}).ended(0);
  BOOST_TEST(map_from_json(outcome.out).finished);
  BOOST_TEST(outcome.says("Which variant wins where"));
}

BOOST_AUTO_TEST_CASE(one_knob_gives_a_curve_of_each_variant_and_its_best_value) {
  const Words words{"sweep",    "chunks=1..16", "--size", "4M",
                    "--preset", "transfer",     "--json", "curve.json"};
  const Outcome outcome = run_without_gpu(words).ended(0);
  const RegimeMap map = map_in("curve.json");
  BOOST_TEST(!map.rows);
  BOOST_TEST(map.finished);
  BOOST_TEST((map.merit == Merit::time));
  BOOST_TEST_REQUIRE(map.cells.size() == 5u);
  for (const Cell& cell : map.cells) {
    BOOST_TEST((cell.status == Status::ok));
    BOOST_TEST(cell.workload.bytes == 4u << 20);
    BOOST_TEST(cell.variants.size() == map.variants.size());
    BOOST_TEST(cell.winners.size() == 3u);  // one of each tier
    for (const CellVariant& entry : cell.variants) {
      BOOST_TEST(entry.wall_low_us > 0);
      BOOST_TEST(entry.wall_low_us <= entry.wall_us);
      BOOST_TEST(entry.wall_us <= entry.wall_high_us);
    }
  }
  for (const Curve& curve : map.curves) {
    BOOST_TEST_INFO_SCOPE(curve.variant);
    BOOST_TEST(curve.optimum.has_value());
    BOOST_TEST(holds(outcome.out, curve.words + "."));
  }
  BOOST_TEST(holds(outcome.out, "Wall time against chunks, simulated NVIDIA H200"));
  BOOST_TEST(holds(outcome.out, "- Best, same operations: "));
  BOOST_TEST(std::ranges::count(outcome.out, '\n') <= 40);

  const Outcome again = run_without_gpu(words).ended(0);
  BOOST_TEST((map_in("curve.json").seconds == map.seconds));  // nothing left to run
}

BOOST_AUTO_TEST_CASE(a_curve_with_data_and_checks_has_rounds_for_every_variant) {
  const Outcome outcome = run_without_gpu({"sweep", "lanes=1,2", "--preset", "launch", "--check",
                                           "--json", "curve.json", "--markdown"});
  BOOST_TEST_CONTEXT(outcome.err) BOOST_TEST(outcome.code == 0);
  for (const Cell& cell : map_in("curve.json").cells) {
    for (const CellVariant& entry : cell.variants) BOOST_TEST(entry.rounds >= 6u, entry.variant);
  }
  BOOST_TEST(outcome.out.starts_with("### Wall time against lanes"), outcome.out);
  BOOST_TEST(holds(outcome.out, "| lanes |"), outcome.out);
}

BOOST_AUTO_TEST_CASE(an_interrupted_curve_goes_on_to_what_it_would_have_been) {
  const auto words = [](const char* file) {
    return Words{"sweep",         "lanes=1..64", "--preset", "launch", "--variant",
                 "streams,graph", "--check",     "--json",   file};
  };
  BOOST_TEST(run_without_gpu(words("whole.json")).code == 0);
  BOOST_TEST_REQUIRE(run_interrupted(words("parts.json"), "parts.json").code == 130);
  BOOST_TEST(!map_in("parts.json").finished);
  BOOST_TEST(run_without_gpu(words("parts.json")).code == 0);
  BOOST_TEST((figures("parts.json") == figures("whole.json")));
}

BOOST_AUTO_TEST_CASE(a_sweep_can_be_of_one_tier) {
  for (const auto& [word, tier] :
       {std::pair{"same", Tier::same_operations}, std::pair{"moved", Tier::moved_together},
        std::pair{"rewritten", Tier::rewritten}, std::pair{"moved together", Tier::moved_together},
        std::pair{"same operations", Tier::same_operations}}) {
    const Outcome outcome = run_without_gpu({"sweep", "lanes=1,2", "--preset", "launch", "--tier",
                                             word, "--json", "tier.json", "--force"});
    BOOST_TEST_CONTEXT(word << outcome.err) BOOST_TEST(outcome.code == 0);
    const RegimeMap map = map_in("tier.json");
    BOOST_TEST(!map.variants.empty());
    for (const Tier found : map.tiers) BOOST_TEST((found == tier), word);
    BOOST_TEST(map.variants.size() > 1);
  }
}

BOOST_AUTO_TEST_CASE(a_map_tells_tiers_apart) {
  const Outcome outcome = run({"--json", "map.json"}).ended(0);
  const RegimeMap map = map_in("map.json");
  BOOST_TEST(map.tiers.size() == map.variants.size());
  for (const Cell& cell : map.cells) BOOST_TEST(cell.winners.size() == 3u);
  BOOST_TEST(holds(outcome.out, "moved together: C graph_coalesced, B batch; rewritten: "));
  BOOST_TEST(holds(outcome.out, "(rewritten; "));
  BOOST_TEST(holds(outcome.out, "of the same operations "));
}

BOOST_AUTO_TEST_CASE(a_kernel_time_has_the_same_rounds_wherever_the_chunk_is_the_same) {
  const Outcome outcome =
      run_without_gpu({"sweep", "kernel-time=10us,40us", "chunks=2,4", "--variant", "streams,graph",
                       "--json", "map.json", "--preset", "search"});
  BOOST_TEST_CONTEXT(outcome.err) BOOST_TEST(outcome.code == 0);
  const RegimeMap map = map_in("map.json");
  for (std::size_t column : {0, 1}) {
    const Cell &low = map.cells[map.position(column, 0)],
               &high = map.cells[map.position(column, 1)];
    BOOST_TEST(low.workload.rounds == high.workload.rounds);
    BOOST_TEST(low.requested_kernel_us == map.columns.values[column]);
  }
  BOOST_TEST(map.cells[0].workload.rounds != map.cells[1].workload.rounds);
}

BOOST_AUTO_TEST_CASE(a_sticky_error_ends_the_map_and_keeps_what_was_there) {
  const Outcome outcome =
      run({"--variant", "streams,graph", "--json", "map.json", "--check", "--fault", "9000=700"});
  BOOST_TEST(outcome.code == 1);
  const RegimeMap map = map_in("map.json");
  BOOST_TEST(!map.finished);
  std::size_t ok = 0, failed = 0;
  for (const Cell& cell : map.cells) {
    ok += cell.status == Status::ok && cell.left_out.empty();
    failed += cell.status == Status::failed || !cell.left_out.empty();
  }
  BOOST_TEST(ok > 0u);
  BOOST_TEST(failed == 1u);
}

BOOST_AUTO_TEST_CASE(a_full_disk_is_said_once_and_the_whole_map_is_measured_and_shown) {
  const Outcome outcome = run({"--variant", "streams,graph", "--json", "map.json"},
                              {.gpu = false, .file_limit = 16 << 10});
  BOOST_TEST(outcome.code == 5);
  const std::size_t said = outcome.err.find("map.json");
  BOOST_TEST(said != outcome.err.npos, outcome.err);
  BOOST_TEST(outcome.err.find("map.json", said + 1) == outcome.err.npos, outcome.err);
  BOOST_TEST(has_a_winner(outcome), outcome.out);
  BOOST_TEST(!holds(outcome.out, " cells have not been run yet."), outcome.out);
}

BOOST_AUTO_TEST_CASE(a_sticky_error_of_a_variant_shows_the_map_so_far_and_what_was_not_run) {
  const Outcome outcome = run_with_fault(9000);
  check_loss(outcome);
  BOOST_TEST(outcome.says(": streams failed: cudaErrorIllegalAddress (700)"), outcome.err);
}

BOOST_AUTO_TEST_CASE(so_does_one_outside_of_variants) {
  std::uint64_t before = 1000, after = 9000;  // the first cell is done
  while (after - before > 1) {
    const std::uint64_t middle = before + (after - before) / 2;
    (run_with_fault(middle).says("[2/16]") ? after : before) = middle;
  }
  const Outcome outcome = run_with_fault(after);
  check_loss(outcome);
  BOOST_TEST(outcome.says(": cudaErrorIllegalAddress (700)"), outcome.err);
  BOOST_TEST(!outcome.says("streams failed"), outcome.err);
}

BOOST_AUTO_TEST_SUITE_END()
