// The real program on bad command lines, on an empty one, and on machines without and with a GPU.
#include "tests/commands/cli/program.hpp"

namespace {

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
          {{"--stride", "0"}, "'0'", "the minimum is 4 bytes"},
          {{"--stride", "1048578"}, "'1048578'", "use 1048576 or 1048580"},
          {{"--chunks", "0"}, "'0'", range + "1 to 1000000"},
          {{"--chunks", "-3"}, "'-3'", range + "1 to 1000000"},
          {{"--chunks", "1000001"}, "'1000001'", range + "1 to 1000000"},
          {{"--chunks", "4294967297"}, "'4294967297'", range + "1 to 1000000"},
          {{"--chunks", "2.5"}, "'2.5'", range + "1 to 1000000"},
          {{"--chunks", "4K"}, "'4K'", range + "1 to 1000000"},
          {{"--chunks", "1,4"}, "--chunks '1,4'", "trilane sweep chunks=1,4"},
          {{"--chunks", "1..4K"}, "--chunks '1..4K'", "trilane sweep chunks=1..4K"},
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
          {{"aa", "graph", "--repeat", "0"}, "'0'", range + "1 to 100000"},
          {{"aa", "graph", "--slow-down", "0%"}, "'0%'", "must be from 0.001%"},
          {{"aa", "graph", "--slow-down", "1"}, "'1'", "write it like 1%"},
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
          {{"--stride", "512K"}, "--stride 512KiB", "a chunk of 1MiB; give that or more"},
          {{"--chunks", "5", "--stride", "1048576T"}, "1048576TiB", "at most 230584300921369392"},
          {{"--rounds", "3", "--kernel-time", "1ms"}, "'1ms'", "leave one out"},
          {{"--drawn", "0"}, "'0'", "from 1 to 1000"},
          {{"--drawn", "2:x"}, "--drawn 'x'", "whole number"},
          {{"--drawn", "2", "--preset", "launch"}, "--preset 'launch'", "leave one out"},
          {{"--drawn", "2", "--lanes", "2"}, "--lanes '2'", "drawn by --drawn"},
          {{"plan", "--json", "new"}, "plan has no option '--json'", "option of run, sweep"},
          {{"plan", "--fault", "1=2"}, "plan has no option '--fault'", "trilane-sim"},
          {{"calibrate", "new", "--csv", "also"}, "'--csv'", "option of run and aa"},
          {{"calibrate", "new", "--preset", "launch"}, "'--preset'", "leave it out"},
          {{"calibrate", "new", "more"}, "'more'", "write trilane"},
          {{"calibrate"}, "calibrate needs one word more", "calibrate FILE"},
          {{"--json", "-", "--csv", "-"}, "'-'", "give another name"},
          {{"--json", "new", "--trace", "./new"}, "'./new'", "is also the file of --json"},
          {{"--csv", "-", "--trace", "-"}, "'-'", "is also the file of --csv"},
          {{"plan", "--trace", "new"}, "'--trace'", "option of run"},
          {{"aa", "graph", "--trace", "new"}, "aa has no option '--trace'", "option of run"},
          {{"--processes", "2", "--trace", "new"}, "'new'", "--processes runs several"},
          {{"--wait", "spin,yield", "--trace", "new"}, "'new'", "--wait runs several"},
          {{"--json", "new", "--csv", "./folder/../new"}, "'./folder/../new'", "another name"},
          {{"--variant", "graph", "--prove-break-even"}, "--prove-break-even", "--reference"},
          {{"aa", "graph", "--variant", "graph"}, "aa has no option '--variant'", "leave it out"},
          {{"aa", "graph", "--reference", "graph"}, "'--reference'", "leave it out"},
          {{"aa", "pool", "--pool", "default/threshold=0"}, "threshold=0", "give one"},
          {{"aa", "graph", "--repeat", "2", "--csv", "new"}, "'new'", "use --json"},
          {{"aa"}, "aa needs one word more", "aa VARIANT"},
          {{"aa", "graph", "pool"}, "'pool'", "aa VARIANT"},
          {in_rounds({"--variant", "streams", "--prove-break-even"}), "--prove-break-even",
           "--variant"},
          {{"--repeat", "2"}, "run has no option '--repeat'", "option of aa"},
          {{"--processes", "2", "--kernel-time", "1ms"}, "'1ms'", "give --rounds instead"},
          {{"aa", "graph", "--processes", "2", "--repeat", "2"}, "'2'", "leave one out"},
          {{"--processes", "2", "--prove-break-even"}, "'2'", "leave one out"},
          {{"aa", "graph", "--prove-break-even"}, "'--prove-break-even'", "option of run"},
          {{"--slow-down", "1%"}, "'--slow-down'", "option of aa"},
          {{"--variant", "graph", "--reference", "streams"}, "'streams'", "add it to --variant"}};
}

std::vector<Refused> refused_words() {
  return {
      {{"--preset", "lunch"}, "'lunch'", "did you mean 'launch'? choose from launch, transfer"},
      {{"--preset", "launch,,reduce"}, "''", "choose from launch"},
      {{"--preset", "launch,launch"}, "'launch'", "leave one out"},
      {{"--preset", "Launch"}, "'Launch'", "did you mean 'launch'? choose from launch"},
      {{"--variant", "stream"}, "'stream'", "did you mean 'streams'? choose from serial, streams"},
      {{"--variant", "graph,pool,graph"}, "'graph'", "leave one out"},
      {{"--variant", "all"}, "'all'", "choose from serial"},
      {{"aa", "nobody"}, "aa 'nobody'", "choose from serial"},
      {{"aa", "graph,pool"}, "aa 'graph,pool'", "choose from serial"},
      {{"aa", ""}, "aa ''", "aa VARIANT"},
      {{"--reference", "nobody"}, "'nobody'", "choose from serial"},
      {{"--mode", "fast"}, "'fast'", "choose from latency, throughput"},
      {{"--order", "random"}, "'random'", "choose from depth, breadth"},
      {{"--speed", "9"}, "'--speed'", "--help"},
      {{"--siz", "4K"}, "'--siz'", "did you mean --size? "},
      {{"--chunk", "4"}, "'--chunk'", "did you mean --chunks? "},
      {{"--presett=launch"}, "'--presett'", "did you mean --preset? "},
      {{"-x"}, "'-x'", "run --help lists all"},
      {{"--sweep", "lanes=1,2"}, "'--sweep'", " sweep"},
      {{"launch"}, "'launch' is not a command", " run --preset launch"},
      {{"graph", "--time", "1s"}, "'graph' is not a command", " run --variant graph"},
      {{"swep", "lanes=1"}, "'swep' is not a command", "did you mean 'sweep'? "},
      {{"stray"}, "'stray' is not a command", " --help lists the commands"},
      {{"stray", "--help"}, "'stray' is not a command", " --help lists the commands"},
      {{""}, "'' is not a command", "--help"},
      {{"a\nb"}, "'a\\x0ab' is not a command", "--help"},
      {{"--lanes", "2", "3"}, "'3'", "run takes options only"},
      {{"--", "late"}, "'late'", "run takes options only"},
      {{"list", "variants"}, "'variants'", "list takes options only"},
      {{"--lanes", "2", "--lanes", "3"}, "'3'", "leave one out"},
      {{"--force", "--force"}, "--force", "leave one out"},
      {{"--force=yes"}, "--force", "write it alone"},
      {{"--size"}, "--size", "needs a value"},
      {{"--size="}, "--size", "needs a value"}};
}

/// Host memory and ways to wait, and what several of these exclude.
std::vector<Refused> refused_settings() {
  const std::string memories = "choose from pinned, pageable, write-combined, registered";
  const std::string one_out = "leave one out", no_setting = "write for example opportunistic=on";
  return {{{"--host-memory", "paged"}, "--host-memory 'paged'", memories},
          {{"--host-memory", "Pinned"}, "--host-memory 'Pinned'", memories},
          {{"--host-memory", "pinned,"}, "--host-memory ''", memories},
          {{"--host-memory", "pinned,pinned"}, "--host-memory 'pinned'", one_out},
          {{"--host-memory="}, "--host-memory", "needs a value"},
          {{"plan", "--host-memory", "pinned,pageable"}, "'pinned,pageable'", "give one"},
          {{"aa", "graph", "--host-memory", "pinned,pageable", "--repeat", "2"},
           "'pinned,pageable'",
           "--repeat"},
          {{"--wait", "sleep"}, "--wait 'sleep'", "choose from spin, yield, block"},
          {{"--wait", "block,block"}, "--wait 'block'", one_out},
          {{"--wait"}, "--wait", "needs a value"},
          {{"plan", "--wait", "block"}, "plan has no option '--wait'", "leave it out"},
          {{"--pool", "big"}, "--pool 'big'", no_setting},
          {{"--pool", "events=on,"}, "--pool ''", no_setting},
          {{"--pool", "size=4K"}, "--pool 'size'", "choose from threshold, events"},
          {{"--pool", "events=yes"}, "--pool events 'yes'", "choose from off, on"},
          {{"--pool", "pools=two"}, "--pool pools 'two'", "choose from shared, lane"},
          {{"--pool", "allocations=3"}, "--pool allocations '3'", "choose from 1, 2"},
          {{"--pool", "threshold=64Q"}, "--pool threshold '64Q'", "use K, M, G, T"},
          {{"--pool", "default/"}, "--pool 'default/'", "write kept for a policy without settings"},
          {{"--pool", "default/default"}, "--pool 'default'", one_out},
          {{"--pool", ""}, "--pool ''", "write kept for a policy without settings"},
          {{"--variant", "streams,graph", "--pool", "threshold=0"},
           "--pool 'threshold=0'",
           "choose pool with --variant"}};
}

/// Returns a sweep with `first` as one knob, chunks as the other, and more words after them.
Refused refused_sweep(const std::string& first, std::string value, std::string way_out,
                      const Words& more = {}) {
  return {joined({"sweep", first, "chunks=2,4"}, more), std::move(value), std::move(way_out)};
}

std::vector<Refused> refused_sweeps() {
  const std::string lanes = "lanes=1,2";
  return {{{"sweep"}, "sweep needs one word more", "sweep KNOB=VALUES"},
          {{"sweep", "lanes"}, "'lanes'", "write it like chunk-size=4K..8M:12"},
          {{"sweep", lanes, "--lanes", "4"}, "'4'", "leave one out"},
          {{"sweep", lanes, "--tier", "rewriten"}, "'rewriten'", "'rewritten'"},
          {{"sweep", lanes, "--tier", "same", "--variant", "graph"}, "'graph'", "leave one out"},
          refused_sweep(lanes, "'depth=1'", "sweep KNOB=VALUES", {"depth=1"}),
          refused_sweep("lanes", "'lanes'", "write it like chunk-size=4K..8M:12"),
          refused_sweep("order=1", "'order'", "choose from chunks, chunk-size"),
          refused_sweep("lanes=", "sweep lanes ''", range + "1 to 1024"),
          refused_sweep("lanes=1,,2", "sweep lanes ''", range + "1 to 1024"),
          refused_sweep("lanes=1,2,1", "sweep lanes '1'", "leave one out"),
          refused_sweep("chunk-size=4K,4096", "sweep chunk-size '4096'", "leave one out"),
          refused_sweep("lanes=0..4", "sweep lanes '0'", range + "1 to 1024"),
          refused_sweep("lanes=1..2000", "sweep lanes '2000'", range + "1 to 1024"),
          refused_sweep("lanes=4..2", "'4..2'", "write the smaller value first"),
          refused_sweep("lanes=2..2", "'2..2'", "write the smaller value first"),
          refused_sweep("lanes=1..8:1", "'1'", range + "2 to 32"),
          refused_sweep("lanes=1..8:99", "'99'", range + "2 to 32"),
          refused_sweep("chunk-size=4Q..8M", "'4Q'", "use K, M, G, T"),
          refused_sweep("kernel-time=10..20us", "'10'", "write it like 250us"),
          refused_sweep("size=4..1048576T", "'4..1048576T'", "end it with :12"),
          refused_sweep("chunks=8,16", "'chunks=2,4'", "name another knob"),
          {{"sweep", "rounds=1,2", "kernel-time=1us"}, "'kernel-time=1us'", "leave one"},
          refused_sweep(lanes, "'4'", "leave one out", {"--lanes", "4"}),
          refused_sweep("rounds=1,2", "'1us'", "leave one out", {"--kernel-time", "1us"}),
          {{"sweep", lanes, "depth=1,2", "--chunks", "2,4"}, "'2,4'", "one number"},
          refused_sweep(lanes, "'launch,search'", "name one", {"--preset", "launch,search"}),
          refused_sweep(lanes, "'--csv'", "option of run and aa", {"--csv", "new"}),
          refused_sweep(lanes, "'--precision'", "fleet and aa", {"--precision", "1%"}),
          refused_sweep(lanes, "'0'", range + "1 to 1000", {"--processes", "0"}),
          refused_sweep(lanes, "'spin,block'", "give one", {"--wait", "spin,block"}),
          refused_sweep(lanes, "'old'", "already exists", {"--json", "old"})};
}

/// Files and options of `compare`. `old` exists, and contains no results.
std::vector<Refused> refused_comparisons() {
  const std::string write_it = "give a file that trilane run --json wrote";
  return {{{"compare", "old"}, "compare needs one word more", "compare OLD... NEW"},
          {{"compare", "old", "folder", "fifo"}, "'old'", write_it},
          {{"compare"}, "compare needs one word more", "compare OLD... NEW"},
          {{"compare", "", "old"}, "compare ''", "compare OLD... NEW"},
          {{"compare", "missing", "old"}, "'missing'", write_it},
          {{"compare", "folder", "old"}, "'folder'", write_it},
          {{"compare", "/dev/null", "old"}, "'/dev/null'", write_it},
          {{"compare", "old", "missing"}, "compare 'old': results file: byte", write_it},
          {{"compare", "old", "b", "--json", "old"}, "--json 'old'", "that compare reads"},
          {{"compare", "a", "old", "--json", "old", "--force"}, "--json 'old'", "another name"},
          {{"compare", "old", "old", "--preset", "launch"}, "'--preset'", "leave it out"},
          {{"compare", "old", "old", "--profile", "old"}, "'--profile'", "--"},
          {{"compare", "a", "b", "--same-within", "5"}, "--same-within '5'", "write it like 1%"},
          {{"compare", "a", "b", "--same-within"}, "--same-within", "needs a value"},
          {{"compare", "a", "b", "--process-spread", "200%"}, "'200%'", "to 100%"},
          {{"compare", "a", "b", "--fail-on-slower=-1%"}, "'-1%'", "must be from 0%"},
          {{"compare", "a", "b", "--fail-on-slower", "c"}, "--fail-on-slower 'c'", "like 1%"},
          {{"compare", "a", "b", "--fail-on-slower"}, "--fail-on-slower", "needs a value"},
          {{"--fail-on-slower", "1%"}, "'--fail-on-slower'", "option of compare"}};
}

/// Options that only the simulated device has.
std::vector<Refused> refused_on_a_gpu() {
  const std::string only = "only trilane-sim";
  return {{{"--profile", "old"}, "'--profile'", only},
          {{"--fault", "nonsense"}, "'--fault'", only},
          {{"--set", "nonsense"}, "'--set'", only},
          {{"calibrate", "new", "--profile", "old"}, "'--profile'", only}};
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
          {{"calibrate", "old", "--profile", "old", "--force"}, "calibrate 'old'", reads},
          {{"--set", ""}, "--set ''", "write in_gbps=110"},
          {{"--set", "in_gbps"}, "--set 'in_gbps'", "NAME=VALUE"},
          {{"--set", "in_gpbs=1"}, "--set 'in_gpbs=1'", "did you mean in_gbps"},
          {{"--set", "in_gbps=0"}, "--set 'in_gbps=0'", "set another value"},
          {{"--fault", ""}, "--fault ''", "NUMBER=CODE"},
          {{"--fault", "700"}, "'700'", write_it},
          {{"--fault", "0=700"}, "'0=700'", write_it},
          {{"--fault", "-1=700"}, "'-1=700'", write_it},
          {{"--fault", "1.5=700"}, "'1.5=700'", write_it},
          {{"--fault", "1=0"}, "'1=0'", write_it},
          {{"--fault", "1=nothing"}, "'1=nothing'", write_it},
          {{"--fault", "1=2=3"}, "'1=2=3'", write_it},
          {{"--fault", "18446744073709551616=2"}, "'18446744073709551616=2'", write_it},
          {{"--gpus", ""}, "--gpus ''", "8,3=95%"},
          {{"--gpus", "0"}, "'0'", "from 1 to 64"},
          {{"--gpus", "65"}, "'65'", "from 1 to 64"},
          {{"--gpus", "2,2=95%"}, "'2'", "from 0 to 1"},
          {{"--gpus", "2,1"}, "''", "percentage"},
          {{"--gpus", "2,1=0.9"}, "'0.9'", "%"},
          {{"--gpus", "2,1=101%"}, "'101%'", "100%"},
          {{"--gpus", "2", "--device", "2"}, "--device 2", "use 0 to 1"},
          {{"--split"}, "--split", "needs several GPUs"},
          {{"--gpus", "2", "--split", "--device", "1"}, "--split", "such as --device 0,1"},
          {{"--gpus", "2", "--split", "--device", "0,2"}, "--device '2'", "use 0 to 1"},
          {{"--gpus", "2", "--split", "--preset", "launch", "--variant", "streams,pool"},
           "--variant 'pool'",
           "use streams, engines, threads, graph"},
          {{"--gpus", "2", "--split", "--reference", "serial"}, "'serial'", "use streams"},
          {{"--gpus", "2", "--split", "--trace", "new"}, "--trace 'new'", "--split runs several"},
          {{"aa", "streams", "--gpus", "2", "--split"}, "'--split'", "no option"}};
}

/// Paths are relative to the workplace, see program.hpp.
std::vector<Refused> refused_paths() {
  std::vector<Refused> cases;
  for (const std::string option : {"--json", "--csv", "--trace", "calibrate"}) {
    cases.insert(
        cases.end(),
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
         {{option, ""}, "''", option == "calibrate" ? "calibrate FILE" : "give one, or -"}});
  }
  // The first output is valid: it must not be created either.
  cases.push_back({{"--json", "new", "--csv", "missing/new"}, "'missing/new'", "another folder"});
  return cases;
}

void check_refused(const std::vector<Refused>& cases) {
  const Workplace workplace;
  for (const auto& [words, value, way_out] : cases) {
    const auto before = workplace.snapshot();
    const Outcome outcome = run_without_gpu(words);
    check_refused(outcome, value, way_out);
    BOOST_TEST_INFO_SCOPE(outcome.command_line << "\n" << outcome.err);
    BOOST_TEST(outcome.err.ends_with('\n'));
    BOOST_TEST(outcome.err.starts_with(is_simulated() ? "trilane-sim: " : "trilane: "));
    BOOST_TEST((workplace.snapshot() == before));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bad_input)

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

BOOST_FIXTURE_TEST_SUITE(without_gpu, Workplace)

BOOST_AUTO_TEST_CASE(what_needs_no_gpu_works) {
  const std::vector<Refused> cases = {
      {{"--help"}, "Usage: trilane", "sweep"},
      {{"-h"}, "Usage: trilane", "compare"},
      {{"run", "--help"}, " run [options]", "--kernel-time"},
      {{"--size", "0", "--speed", "9", "--help"}, "Usage: trilane", "Commands"},
      {{"sweep", "-h"}, " sweep KNOB=VALUES", "Example"},
      {{"--version"}, is_simulated() ? "trilane-sim " : "trilane ", "."},
      {{"list", "-V"}, is_simulated() ? "trilane-sim " : "trilane ", "."},
      {{"list"}, "graph_pool", "PCIe"},
      {{"plan"}, "cudaGraphLaunch", "search"},
      {{"plan", "--kernel-time", "1ms"}, "chosen on the GPU", "cudaMemcpyAsync"},
      {{"plan", "--variant", "pool"}, "cudaMallocFromPoolAsync", "cudaFreeAsync"}};
  for (const auto& [words, one, other] : cases) {
    const Outcome outcome = run_without_gpu(words).ended(0);
    BOOST_TEST_INFO_SCOPE(outcome.command_line << "\n" << outcome.err << outcome.out);
    BOOST_TEST(outcome.err.empty());
    BOOST_TEST(contains(outcome.out, one));
    BOOST_TEST(contains(outcome.out, other));
  }
}

BOOST_AUTO_TEST_CASE(a_knob_that_changes_nothing_is_said_to_and_no_mistake) {
  const Outcome outcome = run_without_gpu({"plan", "--variant", "fused", "--lanes", "3"}).ended(0);
  BOOST_TEST(outcome.says(": warning: --lanes '3' changes nothing: no chosen variant has lanes\n"));
}

BOOST_AUTO_TEST_CASE(a_refused_command_says_why_and_warns_of_nothing,
                     *boost::unit_test::precondition(for_the_simulated_device)) {
  const std::vector<Words> late{
      {"aa", "fused", "--profile", "old"},
      {"aa", "fused", "--repeat", "2", "--json", "old"},
      {"run", "--variant", "fused", "--json", "old"},
      {"run", "--variant", "fused", "--size", "16T", "--chunk-size", "1G"},
      {"run", "--variant", "fused", "--processes", "2", "--json", "old"},
      {"sweep", "chunks=1,2", "--variant", "fused", "--json", "old"}};
  for (const Words& words : late) {
    const Outcome outcome = run_without_gpu(joined(words, {"--lanes", "3"}));
    BOOST_TEST_INFO_SCOPE(outcome.command_line << "\n" << outcome.err);
    BOOST_TEST((outcome.code == 2 || outcome.code == 4));
    BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
    BOOST_TEST(!outcome.says("warning"));
  }
}

BOOST_AUTO_TEST_CASE(measuring_says_what_is_missing, *boost::unit_test::precondition(for_a_gpu)) {
  const auto before = snapshot();
  for (const Words& words : {Words{"--json", "new", "--csv", "also"}, {"calibrate", "new"}}) {
    const Outcome outcome = run_without_gpu(words).ended(3);
    BOOST_TEST_INFO_SCOPE(outcome.command_line << "\n" << outcome.err);
    BOOST_TEST(outcome.out.empty());
    BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
    BOOST_TEST((outcome.says("driver") || outcome.says("CUDA_VISIBLE_DEVICES")));
  }
  BOOST_TEST((snapshot() == before));
}

BOOST_AUTO_TEST_CASE(a_full_standard_output_is_an_error) {
  for (const char* word : {"--help", "--version", "list", "plan"}) {
    const Outcome outcome = run_program({word}, {.gpu = false, .stdout_to = "/dev/full"});
    BOOST_TEST_INFO_SCOPE(word << "\n" << outcome.err);
    BOOST_TEST(outcome.code == 5);
    BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
    BOOST_TEST(outcome.says("No space left on device"));
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(on_a_gpu, Workplace, *boost::unit_test::precondition(has_gpu))

BOOST_AUTO_TEST_CASE(more_than_is_there) {
  struct Case {
    Words words;
    int code;
    std::string value;
  };
  for (const auto& [words, code, value] :
       {Case{{"--device", "1023", "--json", "new"}, 2, "1023"},
        Case{{"--size", "16T", "--chunk-size", "1G", "--json", "new"}, 4, "16"},
        Case{{"--chunks", "1", "--chunk-size", "1048576T", "--json", "new"}, 4, "1"}}) {
    const auto before = snapshot();
    const Outcome outcome = run_program(words).ended(code);
    BOOST_TEST_INFO_SCOPE(outcome.command_line << "\n" << outcome.err);
    BOOST_TEST(outcome.says(value));
    BOOST_TEST(outcome.out.empty());
    BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
    BOOST_TEST((snapshot() == before));
  }
}

BOOST_AUTO_TEST_CASE(a_full_disk) {
  const auto before = snapshot();
  // 8 KiB hold the table, not a thousand samples. Variants in separate processes would need shared
  // memory, which the limit covers too.
  const Outcome outcome =
      run_program(in_rounds({"--preset", "launch", "--variant", "streams", "--processes", "1",
                             "--time", "500ms", "--precision", "0.001%", "--json", "new"}),
                  {.file_limit = 8192});
  BOOST_TEST_CONTEXT(outcome.err) {
    BOOST_TEST(outcome.code == 5);
    BOOST_TEST(outcome.says("--json 'new': cannot be written"));
    BOOST_TEST((snapshot() == before));
  }
  const Outcome piped = run_program({"--preset", "search", "--variant", "streams", "--processes",
                                     "1", "--time", "10ms", "--json", "-"},
                                    {.stdout_to = "/dev/full"});
  BOOST_TEST_CONTEXT(piped.err) BOOST_TEST(piped.code == 5);
}

BOOST_AUTO_TEST_CASE(results_on_standard_output_stand_there_alone_and_once) {
  const Outcome outcome = run_program({"--preset", "launch,search", "--variant", "serial",
                                       "--processes", "2", "--time", "10ms", "--json", "-"});
  BOOST_TEST_CONTEXT(outcome.err) BOOST_TEST(outcome.code == 0);
  BOOST_TEST(outcome.out.starts_with('{'));
  BOOST_TEST(outcome.out.ends_with("}\n"));
  const std::size_t first = outcome.out.find("\"schema_version\"");
  BOOST_TEST(first != std::string::npos);
  BOOST_TEST(outcome.out.find("\"schema_version\"", first + 1) == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
