// The real program on bad command lines, on none, and on machines without and with a GPU.
#include <boost/test/unit_test.hpp>

#include <algorithm>

#include "tests/commands/cli/program.hpp"

using namespace trilane;

namespace {

/// A command line that is refused: its message holds `value` and `way_out`.
struct Refused {
  std::vector<std::string> words;
  std::string value, way_out;
};

const std::string range = "must be a whole number from ";

std::vector<Refused> refused_numbers() {
  return {{{"--size", "0"}, "'0'", "the minimum is 4 bytes"},
          {{"--size", "-4096"}, "'-4096'", "the minimum is 4 bytes"},
          {{"--size", "-1"}, "'-1'", "the minimum is 4 bytes"},
          {{"--size", "4097"}, "'4097'", "use 4096 or 4100"},
          {{"--size", "1.3"}, "'1.3'", "write it in bytes"},
          {{"--size", "2097152T"}, "'2097152T'", "the maximum is 2^60"},
          {{"--size", "18446744073709551616"}, "'18446744073709551616'", "the maximum is 2^60"},
          {{"--size", "18446744073709551620"}, "'18446744073709551620'", "the maximum is 2^60"},
          {{"--size", "1e400"}, "'1e400'", "the maximum is 2^60"},
          {{"--size", "nan"}, "'nan'", "write it like 4096"},
          {{"--size", "big"}, "'big'", "write it like 4096"},
          {{"--size", "64Q"}, "'64Q'", "use K, M, G, T"},
          {{"--size", "0x100"}, "'0x100'", "use K, M, G, T"},
          {{"--size", " "}, "' '", "write it like 4096"},
          {{"--size", "4K\n4K"}, "'4K\\x0a4K'", "use K, M, G, T"},
          {{"--chunk-size", "0"}, "'0'", "the minimum is 4 bytes"},
          {{"--chunk-size", "-1M"}, "'-1M'", "the minimum is 4 bytes"},
          {{"--chunk-size", "4194305"}, "'4194305'", "use 4194304 or 4194308"},
          {{"--result-size", "0"}, "'0'", "the minimum is 4 bytes"},
          {{"--result-size", "6"}, "'6'", "use 4 or 8"},
          {{"--chunks", "0"}, "'0'", range + "1 to 1000000"},
          {{"--chunks", "-3"}, "'-3'", range + "1 to 1000000"},
          {{"--chunks", "1000001"}, "'1000001'", range + "1 to 1000000"},
          {{"--chunks", "4294967297"}, "'4294967297'", range + "1 to 1000000"},
          {{"--chunks", "2.5"}, "'2.5'", range + "1 to 1000000"},
          {{"--chunks", "4K"}, "'4K'", range + "1 to 1000000"},
          {{"--chunks", "1,,4"}, "--chunks ''", range + "1 to 1000000"},
          {{"--chunks", "1..4K"}, "--chunks '4K'", range + "1 to 1000000"},
          {{"--chunks", "4..2"}, "--chunks '4..2'", "write the smaller value first"},
          {{"--chunks", "1..8:40"}, "--chunks '40'", range + "2 to 32"},
          {{"--lanes", "0"}, "'0'", range + "1 to 1024"},
          {{"--lanes", "-1"}, "'-1'", range + "1 to 1024"},
          {{"--lanes", "1025"}, "'1025'", range + "1 to 1024"},
          {{"--depth", "0"}, "'0'", range + "1 to 10000"},
          {{"--depth", "10001"}, "'10001'", range + "1 to 10000"},
          {{"--rounds", "0"}, "'0'", range + "1 to 1000000000"},
          {{"--rounds", "1e10"}, "'1e10'", range + "1 to 1000000000"},
          {{"--rounds", "18446744073709551617"}, "'18446744073709551617'", range + "1 to"},
          {{"--processes", "0"}, "'0'", range + "1 to 1000"},
          {{"--processes", "two"}, "'two'", range + "1 to 1000"},
          {{"--aa", "graph", "--repeat", "0"}, "'0'", range + "1 to 100000"},
          {{"--aa", "graph", "--slow-down", "0%"}, "'0%'", "must be from 0.001%"},
          {{"--aa", "graph", "--slow-down", "1"}, "'1'", "write it like 1%"},
          {{"--seed", "-1"}, "'-1'", range + "0 to"},
          {{"--seed", "18446744073709551616"}, "'18446744073709551616'", range + "0 to"},
          {{"--device", "-1"}, "'-1'", range + "0 to 1023"},
          {{"--device", "one"}, "'one'", range + "0 to 1023"},
          {{"--device", "4294967296"}, "'4294967296'", range + "0 to 1023"},
          {{"--time", "0s"}, "'0s'", "must be more than 0 us"},
          {{"--time", "-1s"}, "'-1s'", "must be more than 0 us"},
          {{"--time", "8"}, "'8'", "write it like 250us"},
          {{"--time", "1e9s"}, "'1e9s'", "at most 86400 s"},
          {{"--time", "nans"}, "'nans'", "write it like 250us"},
          {{"--kernel-time", "11s"}, "'11s'", "at most 0.1 s"},
          {{"--kernel-time", "0us"}, "'0us'", "must be more than 0 us"},
          {{"--precision", "0%"}, "'0%'", "must be from 0.001%"},
          {{"--precision", "0.01"}, "'0.01'", "write it like 1%"},
          {{"--precision", "200%"}, "'200%'", "to 100%"}};
}

std::vector<Refused> refused_combinations() {
  return {{{"--chunks", "1000000", "--chunk-size", "2T"}, "2TiB", "at most 1152921504604"},
          {{"--chunks", "5", "--chunk-size", "1048576T"}, "1048576TiB", "fewer --chunks"},
          {{"--chunk-size", "1048576T"}, "1048576TiB", "at most 65536TiB"},
          {{"--size", "1048576T"}, "1048576TiB", "--chunk-size from"},
          {{"--size", "1T"}, "1048576 chunks", "--chunk-size from 1099512"},
          {{"--size", "1G", "--chunk-size", "4"}, "1GiB", "--chunk-size from 1076"},
          {{"--chunks", "1000000", "--depth", "8"}, "1000000", "smaller depth"},
          {{"--preset", "launch", "--chunks", "100000", "--depth", "10000"}, "10000", "fewer"},
          {{"--size", "40", "--chunks", "7"}, "7", "use 5 or 10"},
          {{"--size", "4", "--chunks", "2"}, "2", "use 1"},
          {{"--size", "1M", "--chunks", "3", "--chunk-size", "1K"}, "3", "makes 1024; leave one"},
          {{"--size", "1K", "--chunk-size", "2K"}, "2KiB", "smaller chunk"},
          {{"--result-size", "2M"}, "2MiB", "give that or less"},
          {{"--preset", "launch", "--result-size", "8K"}, "8KiB", "a chunk of 4KiB"},
          {{"--rounds", "3", "--kernel-time", "1ms"}, "'1ms'", "leave one out"},
          {{"--dry-run", "--json", "new"}, "'new'", "leave one out"},
          {{"--dry-run", "--csv", "new"}, "'new'", "leave one out"},
          {{"--dry-run", "--calibrate", "new"}, "'new'", "leave out --dry-run"},
          {{"--calibrate", "new", "--json", "also"}, "'new'", "leave out --json"},
          {{"--calibrate", "new", "--csv", "also"}, "'new'", "leave out --csv"},
          {{"--calibrate", "new", "--preset", "launch"}, "'new'", "leave out --preset"},
          {{"--calibrate", "new", "--variant", "graph"}, "'new'", "leave out --variant"},
          {{"--calibrate", "new", "--time", "1s"}, "'new'", "leave out --time"},
          {{"--calibrate", "new", "--seed", "1"}, "'new'", "leave out --seed"},
          {{"--json", "-", "--csv", "-"}, "'-'", "give another name"},
          {{"--json", "new", "--trace", "./new"}, "'./new'", "is also the file of --json"},
          {{"--csv", "-", "--trace", "-"}, "'-'", "is also the file of --csv"},
          {{"--dry-run", "--trace", "new"}, "'new'", "leave one out"},
          {{"--aa", "graph", "--trace", "new"}, "'new'", "use --variant"},
          {{"--processes", "2", "--trace", "new"}, "'new'", "--processes runs several"},
          {{"--wait", "spin,yield", "--trace", "new"}, "'new'", "--wait runs several"},
          {{"--json", "new", "--csv", "./folder/../new"}, "'./folder/../new'", "another name"},
          {{"--variant", "graph", "--prove-break-even"}, "--prove-break-even", "--reference"},
          {{"--aa", "graph", "--variant", "graph"}, "'graph'", "leave one out"},
          {{"--aa", "graph", "--reference", "graph"}, "'graph'", "leave one out"},
          {{"--aa", "pool", "--pool", "default/threshold=0"}, "threshold=0", "give one policy"},
          {{"--aa", "graph", "--repeat", "2", "--csv", "new"}, "'new'", "use --json"},
          {{"--variant", "streams", "--prove-break-even"}, "--prove-break-even", "--variant"},
          {{"--repeat", "2"}, "'2'", "add --aa NAME"},
          {{"--processes", "2", "--kernel-time", "1ms"}, "'1ms'", "give --rounds instead"},
          {{"--processes", "2", "--dry-run"}, "'2'", "leave one out"},
          {{"--processes", "2", "--aa", "graph", "--repeat", "2"}, "'2'", "leave one out"},
          {{"--processes", "2", "--prove-break-even"}, "'2'", "leave one out"},
          {{"--aa", "graph", "--prove-break-even"}, "'graph'", "leave --prove-break-even out"},
          {{"--calibrate", "new", "--processes", "2"}, "'new'", "leave out --processes"},
          {{"--slow-down", "1%"}, "'1%'", "add --aa NAME"},
          {{"--variant", "graph", "--reference", "streams"}, "'streams'", "add it to --variant"}};
}

std::vector<Refused> refused_words() {
  return {{{"--preset", "lunch"}, "'lunch'", "choose from launch, transfer"},
          {{"--preset", "launch,,reduce"}, "''", "choose from launch"},
          {{"--preset", "launch,launch"}, "'launch'", "leave one out"},
          {{"--preset", "Launch"}, "'Launch'", "choose from launch"},
          {{"--chunks", "1,1"}, "--chunks '1'", "is named more than once; leave one out"},
          {{"--chunks", "8,2,8"}, "--chunks '8'", "leave one out"},
          {{"--variant", "stream"}, "'stream'", "choose from serial, streams"},
          {{"--variant", "graph,pool,graph"}, "'graph'", "leave one out"},
          {{"--variant", "all"}, "'all'", "choose from serial"},
          {{"--aa", "nobody"}, "'nobody'", "choose from serial"},
          {{"--aa", "graph,pool"}, "'graph,pool'", "choose from serial"},
          {{"--reference", "nobody"}, "'nobody'", "choose from serial"},
          {{"--mode", "fast"}, "'fast'", "choose from latency, throughput"},
          {{"--order", "random"}, "'random'", "choose from depth, breadth"},
          {{"--speed", "9"}, "'--speed'", "--help"},
          {{"--siz", "4K"}, "'--siz'", "abbreviations are refused"},
          {{"--vers"}, "'--vers'", "abbreviations are refused"},
          {{"--chunk", "4"}, "'--chunk'", "abbreviations are refused"},
          {{"-h"}, "'-h'", "--help"},
          {{"stray"}, "'stray'", "--help"},
          {{"--lanes", "2", "3"}, "'3'", "--help"},
          {{"--", "late"}, "'late'", "--help"},
          {{"--help", "me"}, "'me'", "--help"},
          {{"--lanes", "2", "--lanes", "3"}, "'3'", "leave one out"},
          {{"--force", "--force"}, "--force", "leave one out"},
          {{"--force=yes"}, "--force", "write it alone"},
          {{"--size"}, "--size", "needs a value"},
          {{"--size="}, "--size", "needs a value"}};
}

/// Where memory comes from and how the host waits, and what several of these do not go with.
std::vector<Refused> refused_settings() {
  const std::string memories = "choose from pinned, pageable, write-combined, registered";
  const std::string one_out = "leave one out", no_setting = "write it like opportunistic=on";
  return {{{"--host-memory", "paged"}, "--host-memory 'paged'", memories},
          {{"--host-memory", "Pinned"}, "--host-memory 'Pinned'", memories},
          {{"--host-memory", "pinned,"}, "--host-memory ''", memories},
          {{"--host-memory", "pinned,pinned"}, "--host-memory 'pinned'", one_out},
          {{"--host-memory="}, "--host-memory", "needs a value"},
          {{"--host-memory", "pinned,pageable", "--dry-run"}, "'pinned,pageable'", "--dry-run"},
          {{"--host-memory", "pinned,pageable", "--aa", "graph", "--repeat", "2"},
           "'pinned,pageable'",
           "--repeat"},
          {{"--calibrate", "new", "--host-memory", "pageable"}, "'new'", "leave out --host-memory"},
          {{"--wait", "sleep"}, "--wait 'sleep'", "choose from spin, yield, block"},
          {{"--wait", "block,block"}, "--wait 'block'", one_out},
          {{"--wait"}, "--wait", "needs a value"},
          {{"--wait", "spin,block", "--dry-run"}, "--wait 'spin,block'", one_out},
          {{"--calibrate", "new", "--wait", "block"}, "'new'", "leave out --wait"},
          {{"--pool", "big"}, "--pool 'big'", no_setting},
          {{"--pool", "events=on,"}, "--pool ''", no_setting},
          {{"--pool", "size=4K"}, "--pool 'size'", "choose from threshold, events"},
          {{"--pool", "events=yes"}, "--pool events 'yes'", "choose from off, on"},
          {{"--pool", "pools=two"}, "--pool pools 'two'", "choose from shared, lane"},
          {{"--pool", "allocations=3"}, "--pool allocations '3'", "choose from 1, 2"},
          {{"--pool", "threshold=64Q"}, "--pool threshold '64Q'", "use K, M, G, T"},
          {{"--pool", "default/"}, "--pool 'default/'", "write default for the default settings"},
          {{"--pool", "default/default"}, "--pool 'default'", one_out},
          {{"--pool", ""}, "--pool ''", "write default for the default settings"},
          {{"--variant", "streams,graph", "--pool", "threshold=0"},
           "--pool 'threshold=0'",
           "choose pool with --variant"},
          {{"--calibrate", "new", "--pool", "default"}, "'new'", "leave out --pool"}};
}

/// A sweep with `first` as its one knob and chunks as the other, and more words behind.
Refused refused_sweep(const std::string& first, std::string value, std::string way_out,
                      const std::vector<std::string>& more = {}) {
  Refused refused{
      {"--sweep", first, "--sweep", "chunks=2,4"}, std::move(value), std::move(way_out)};
  refused.words.insert(refused.words.end(), more.begin(), more.end());
  return refused;
}

std::vector<Refused> refused_sweeps() {
  const std::string lanes = "lanes=1,2";
  return {
      {{"--sweep", lanes}, "'lanes=1,2'", "a map has two"},
      refused_sweep(lanes, "'depth=1'", "a map has two", {"--sweep", "depth=1"}),
      refused_sweep("lanes", "'lanes'", "write it like chunk-size=4K..8M:12"),
      refused_sweep("order=1", "'order'", "choose from chunks, chunk-size"),
      refused_sweep("lanes=", "--sweep lanes ''", range + "1 to 1024"),
      refused_sweep("lanes=1,,2", "--sweep lanes ''", range + "1 to 1024"),
      refused_sweep("lanes=1,2,1", "--sweep lanes '1'", "leave one out"),
      refused_sweep("chunk-size=4K,4096", "--sweep chunk-size '4096'", "leave one out"),
      refused_sweep("lanes=0..4", "--sweep lanes '0'", range + "1 to 1024"),
      refused_sweep("lanes=1..2000", "--sweep lanes '2000'", range + "1 to 1024"),
      refused_sweep("lanes=4..2", "'4..2'", "write the smaller value first"),
      refused_sweep("lanes=2..2", "'2..2'", "write the smaller value first"),
      refused_sweep("lanes=1..8:1", "'1'", range + "2 to 32"),
      refused_sweep("lanes=1..8:99", "'99'", range + "2 to 32"),
      refused_sweep("chunk-size=4Q..8M", "'4Q'", "use K, M, G, T"),
      refused_sweep("kernel-time=10..20us", "'10'", "write it like 250us"),
      refused_sweep("size=4..1048576T", "'4..1048576T'", "end it with :12"),
      refused_sweep("chunks=8,16", "'chunks=2,4'", "name another knob"),
      {{"--sweep", "rounds=1,2", "--sweep", "kernel-time=1us"}, "'kernel-time=1us'", "leave one"},
      refused_sweep(lanes, "'4'", "leave one out", {"--lanes", "4"}),
      refused_sweep("rounds=1,2", "'1us'", "leave one out", {"--kernel-time", "1us"}),
      {{"--sweep", lanes, "--sweep", "depth=1,2", "--chunks", "2,4"}, "'2,4'", range},
      refused_sweep(lanes, "'launch,search'", "name one", {"--preset", "launch,search"}),
      refused_sweep(lanes, "'new'", "go with --sweep; leave one out", {"--csv", "new"}),
      refused_sweep(lanes, "'new'", "go with --sweep; leave one out", {"--trace", "new"}),
      refused_sweep(lanes, "'1%'", "go with --sweep; leave one out", {"--precision", "1%"}),
      refused_sweep(lanes, "--dry-run", "go with --sweep; leave one out", {"--dry-run"}),
      refused_sweep(lanes, "'graph'", "go with --sweep; leave one out", {"--aa", "graph"}),
      refused_sweep(lanes, "'2'", "not go with --sweep; leave one out", {"--processes", "2"}),
      refused_sweep(lanes, "--prove-break-even", "go with --sweep", {"--prove-break-even"}),
      refused_sweep(lanes, "'spin,block'", "not go with --sweep", {"--wait", "spin,block"}),
      refused_sweep(lanes, "'old'", "is already there", {"--json", "old"})};
}

/// Files and options of --compare. `old` is there, and holds no results.
std::vector<Refused> refused_comparisons() {
  const std::string write_it = "give a file that --json wrote", leave_out = "leave out --";
  return {{{"--compare", "old"}, "'old'", "give two"},
          {{"--compare", "old", "folder", "fifo"}, "'fifo'", "give two"},
          {{"--compare", "old", "--force", "fifo"}, "'fifo'", "belongs to no option"},
          {{"--compare"}, "--compare", "needs a value"},
          {{"--compare", "", "old"}, "--compare ''", "give two"},
          {{"--compare", "missing", "old"}, "'missing'", write_it},
          {{"--compare", "folder", "old"}, "'folder'", write_it},
          {{"--compare", "/dev/null", "old"}, "'/dev/null'", write_it},
          {{"--compare", "old", "missing"}, "--compare 'old': results file: byte", write_it},
          {{"--compare", "old", "b", "--json", "old"}, "--json 'old'", "that --compare reads"},
          {{"--compare", "a", "old", "--json", "old", "--force"}, "--json 'old'", "another name"},
          {{"--compare", "old", "old", "--csv", "new"}, "'old'", leave_out + "csv"},
          {{"--compare", "old", "old", "--preset", "launch"}, "'old'", leave_out + "preset"},
          {{"--compare", "old", "old", "--dry-run"}, "'old'", leave_out + "dry-run"},
          {{"--compare", "a", "b", "--sweep", "lanes=1,2"}, "'a'", leave_out + "sweep"},
          {{"--compare", "a", "b", "--calibrate", "new"}, "'new'", leave_out + "compare"},
          {{"--compare", "a", "b", "--compare", "c", "d"}, "'c'", "leave one out"},
          {{"--compare", "a", "b", "--same-within", "5"}, "--same-within '5'", "write it like 1%"},
          {{"--compare", "a", "b", "--same-within"}, "--same-within", "needs a value"},
          {{"--compare", "a", "b", "--process-spread", "200%"}, "'200%'", "to 100%"},
          {{"--compare", "a", "b", "--fail-on-slower=-1%"}, "'-1%'", "must be from 0%"},
          {{"--compare", "a", "b", "--fail-on-slower", "c"}, "--fail-on-slower 'c'", "like 1%"},
          {{"--fail-on-slower"}, "--fail-on-slower:", "add --compare OLD NEW"},
          {{"--same-within", "1%"}, "'1%'", "add --compare OLD NEW"},
          {{"--process-spread", "1%"}, "'1%'", "add --compare OLD NEW"}};
}

/// What only the simulated device has.
std::vector<Refused> refused_on_a_gpu() {
  const std::string only = "only trilane-sim";
  return {{{"--profile", "old"}, "--profile 'old'", only},
          {{"--profile", "missing"}, "--profile 'missing'", only},
          {{"--fault", "1=2"}, "--fault '1=2'", only},
          {{"--fault", "nonsense"}, "--fault 'nonsense'", only},
          {{"--calibrate", "new", "--profile", "old"}, "--profile 'old'", only},
          {{"--dry-run", "--fault", "1=2"}, "--fault '1=2'", only}};
}

std::vector<Refused> refused_by_the_simulated_device() {
  const std::string write_it = "write it like 100=";
  const std::string reads = "is a file that --profile reads; give another name";
  return {{{"--profile", "missing"}, "'missing'", "give a device profile"},
          {{"--profile", "folder"}, "'folder'", "give a device profile"},
          {{"--profile", "old"}, "'old'", "give a device profile"},
          {{"--profile", ""}, "--profile ''", "give one"},
          {{"--profile"}, "--profile", "needs a value"},
          {{"--profile", "old", "--json", "./old", "--force"}, "--json './old'", reads},
          {{"--profile", "old", "--csv", "old"}, "--csv 'old'", reads},
          {{"--profile", "old", "--trace", "folder/../old", "--force"}, "folder/../old'", reads},
          {{"--calibrate", "old", "--profile", "old", "--force"}, "--calibrate 'old'", reads},
          {{"--fault", ""}, "--fault ''", "NUMBER=CODE"},
          {{"--fault", "700"}, "'700'", write_it},
          {{"--fault", "0=700"}, "'0=700'", write_it},
          {{"--fault", "-1=700"}, "'-1=700'", write_it},
          {{"--fault", "1.5=700"}, "'1.5=700'", write_it},
          {{"--fault", "1=0"}, "'1=0'", write_it},
          {{"--fault", "1=nothing"}, "'1=nothing'", write_it},
          {{"--fault", "1=2=3"}, "'1=2=3'", write_it},
          {{"--fault", "18446744073709551616=2"}, "'18446744073709551616=2'", write_it},
          {{"--dry-run", "--profile", "old"}, "'old'", "leave one out"},
          {{"--dry-run", "--fault", "1=2"}, "'1=2'", "leave one out"},
          {{"--calibrate", "new", "--fault", "1=2"}, "'new'", "leave out --fault"}};
}

/// Paths are relative to the workplace, see program.hpp.
std::vector<Refused> refused_paths() {
  std::vector<Refused> cases;
  for (const std::string option : {"--json", "--csv", "--trace", "--calibrate"}) {
    cases.insert(cases.end(),
                 {{{option, "old"}, "'old'", "add --force"},
                  {{option, "folder"}, "'folder'", "add a file name"},
                  {{option, "folder", "--force"}, "'folder'", "add a file name"},
                  {{option, "folder/"}, "'folder/'", "add a file name"},
                  {{option, "missing/new"}, "'missing/new'", "give another folder"},
                  {{option, "old/new", "--force"}, "'old/new'", "give another name"},
                  {{option, "/proc/new"}, "'/proc/new'", "give another folder"},
                  {{option, "fifo", "--force"}, "'fifo'", "give another name, or -"},
                  {{option, "/dev/full", "--force"}, "'/dev/full'", "give another name, or -"},
                  {{option, "dangling", "--force"}, "'dangling'", "give a regular file"},
                  {{option, std::string(300, 'n')}, "nnn'", "give another name"},
                  {{option, ""}, "''", "give one, or -"}});
  }
  // The first output is good: it must not be made either.
  cases.push_back({{"--json", "new", "--csv", "missing/new"}, "'missing/new'", "another folder"});
  return cases;
}

void check_refused(const std::vector<Refused>& cases) {
  const Workplace workplace;
  for (const auto& [words, value, way_out] : cases) {
    const auto before = workplace.snapshot();
    const Outcome outcome = run_program(words, {.gpu = false});
    BOOST_TEST_CONTEXT(outcome.command_line << "\n" << outcome.err) {
      BOOST_TEST(outcome.code == 2);
      BOOST_TEST(outcome.out.empty());
      BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
      BOOST_TEST(outcome.err.ends_with('\n'));
      BOOST_TEST(outcome.err.starts_with(is_simulated() ? "trilane-sim: " : "trilane: "));
      BOOST_TEST(outcome.says(value));
      BOOST_TEST(outcome.says(way_out));
      BOOST_TEST((workplace.snapshot() == before));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bad_input)

BOOST_AUTO_TEST_CASE(at_least_sixty_cases) {
  const std::size_t cases = refused_numbers().size() + refused_combinations().size() +
                            refused_words().size() + refused_paths().size();
  BOOST_TEST(cases >= 60u);
}
BOOST_AUTO_TEST_CASE(numbers) { check_refused(refused_numbers()); }
BOOST_AUTO_TEST_CASE(combinations) { check_refused(refused_combinations()); }
BOOST_AUTO_TEST_CASE(words) { check_refused(refused_words()); }
BOOST_AUTO_TEST_CASE(settings) { check_refused(refused_settings()); }
BOOST_AUTO_TEST_CASE(sweeps) { check_refused(refused_sweeps()); }
BOOST_AUTO_TEST_CASE(comparisons) { check_refused(refused_comparisons()); }
BOOST_AUTO_TEST_CASE(paths) { check_refused(refused_paths()); }
BOOST_AUTO_TEST_CASE(what_only_the_other_program_takes,
                     *boost::unit_test::precondition(for_a_gpu)) {
  check_refused(refused_on_a_gpu());
}
BOOST_AUTO_TEST_CASE(simulation, *boost::unit_test::precondition(for_the_simulated_device)) {
  check_refused(refused_by_the_simulated_device());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(without_gpu)

BOOST_AUTO_TEST_CASE(what_needs_no_gpu_works) {
  const Workplace workplace;
  const std::vector<Refused> cases = {
      {{"--help"}, "Usage: trilane", "--kernel-time"},
      {{"--version"}, is_simulated() ? "trilane-sim " : "trilane ", "."},
      {{"--list"}, "graph_pool", "PCIe"},
      {{"--dry-run"}, "cudaGraphLaunch", "search"},
      {{"--dry-run", "--kernel-time", "1ms"}, "found on the GPU", "cudaMemcpyAsync"},
      {{"--dry-run", "--variant", "pool"}, "cudaMallocFromPoolAsync", "cudaFreeAsync"}};
  for (const auto& [words, one, other] : cases) {
    const Outcome outcome = run_program(words, {.gpu = false});
    BOOST_TEST_CONTEXT(outcome.command_line << "\n" << outcome.err << outcome.out) {
      BOOST_TEST(outcome.code == 0);
      BOOST_TEST(outcome.err.empty());
      BOOST_TEST(outcome.out.find(one) != std::string::npos);
      BOOST_TEST(outcome.out.find(other) != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_knob_that_changes_nothing_is_said_to_and_no_mistake) {
  const Workplace workplace;
  const Outcome outcome =
      run_program({"--dry-run", "--variant", "fused", "--lanes", "3"}, {.gpu = false});
  BOOST_TEST(outcome.code == 0);
  BOOST_TEST(outcome.says(": warning: --lanes '3' changes nothing: no chosen variant has lanes\n"));
}

BOOST_AUTO_TEST_CASE(measuring_says_what_is_missing, *boost::unit_test::precondition(for_a_gpu)) {
  const Workplace workplace;
  const auto before = workplace.snapshot();
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--json", "new", "--csv", "also"}, {"--calibrate", "new"}}) {
    const Outcome outcome = run_program(words, {.gpu = false});
    BOOST_TEST_CONTEXT(outcome.command_line << "\n" << outcome.err) {
      BOOST_TEST(outcome.code == 3);
      BOOST_TEST(outcome.out.empty());
      BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
      BOOST_TEST((outcome.says("driver") || outcome.says("CUDA_VISIBLE_DEVICES")));
    }
  }
  BOOST_TEST((workplace.snapshot() == before));
}

BOOST_AUTO_TEST_CASE(a_full_standard_output_is_an_error) {
  const Workplace workplace;
  for (const char* word : {"--help", "--version", "--list", "--dry-run"}) {
    const Outcome outcome = run_program({word}, {.gpu = false, .stdout_to = "/dev/full"});
    BOOST_TEST_CONTEXT(word << "\n" << outcome.err) {
      BOOST_TEST(outcome.code == 5);
      BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
      BOOST_TEST(outcome.says("No space left on device"));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(on_a_gpu, *boost::unit_test::precondition(has_gpu))

BOOST_AUTO_TEST_CASE(more_than_is_there) {
  const Workplace workplace;
  struct Case {
    std::vector<std::string> words;
    int code;
    std::string value;
  };
  for (const auto& [words, code, value] :
       {Case{{"--device", "1023", "--json", "new"}, 2, "1023"},
        Case{{"--size", "16T", "--chunk-size", "1G", "--json", "new"}, 4, "16"},
        Case{{"--chunks", "1", "--chunk-size", "1048576T", "--json", "new"}, 4, "1"}}) {
    const auto before = workplace.snapshot();
    const Outcome outcome = run_program(words);
    BOOST_TEST_CONTEXT(outcome.command_line << "\n" << outcome.err) {
      BOOST_TEST(outcome.code == code);
      BOOST_TEST(outcome.says(value));
      BOOST_TEST(outcome.out.empty());
      BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
      BOOST_TEST((workplace.snapshot() == before));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk) {
  const Workplace workplace;
  const auto before = workplace.snapshot();
  // 8 KiB hold the table, not a thousand samples.
  const Outcome outcome = run_program(
      {"--preset", "launch", "--time", "500ms", "--precision", "0.001%", "--json", "new"},
      {.file_limit = 8192});
  BOOST_TEST_CONTEXT(outcome.err) {
    BOOST_TEST(outcome.code == 5);
    BOOST_TEST(outcome.says("--json 'new': cannot be written"));
    BOOST_TEST((workplace.snapshot() == before));
  }
  const Outcome piped = run_program({"--preset", "search", "--time", "10ms", "--json", "-"},
                                    {.stdout_to = "/dev/full"});
  BOOST_TEST_CONTEXT(piped.err) BOOST_TEST(piped.code == 5);
}

BOOST_AUTO_TEST_CASE(results_on_standard_output_stand_there_alone_and_once) {
  const Workplace workplace;
  const Outcome outcome = run_program(
      {"--preset", "launch,search", "--variant", "serial", "--time", "10ms", "--json", "-"});
  BOOST_TEST_CONTEXT(outcome.err) BOOST_TEST(outcome.code == 0);
  BOOST_TEST(outcome.out.starts_with('{'));
  BOOST_TEST(outcome.out.ends_with("}\n"));
  const std::size_t first = outcome.out.find("\"schema_version\"");
  BOOST_TEST(first != std::string::npos);
  BOOST_TEST(outcome.out.find("\"schema_version\"", first + 1) == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
