// Host memory and waiting on the command line, and options that no chosen variant reads, with a
// registry of fake variants.
#include "common/commands/runs.hpp"
#include "tests/base/refusal.hpp"
#include "tests/commands/words.hpp"
#include "tests/model/made_up_registry.hpp"

BOOST_AUTO_TEST_SUITE(settings_of_processes)

const Caller caller = made_up_caller({"serial", "streams", "graph", "pool"});

RunOptions parsed(const std::string& line) { return read_options(line, caller); }

std::string refused(const std::string& line) {
  return refusal<UsageError>([&] { parsed(line); });
}

/// Returns the settings of a line, as a further process gets them.
std::vector<std::string> settings(const std::string& line) {
  std::vector<std::string> all;
  for (const Setting& setting : parsed(line).processes.settings) {
    const auto words = arguments_of(setting);
    BOOST_REQUIRE_EQUAL(words.size(), 3u);
    all.push_back(words[0] + ' ' + words[1]);
    BOOST_TEST(words[2] == "--device=0");
  }
  return all;
}

void check_settings(const std::string& line, const std::vector<std::string>& expected) {
  BOOST_TEST_CONTEXT(line)
  check_words(settings(line), expected);
}

BOOST_AUTO_TEST_CASE(the_plainest_is_the_default) {
  const RunOptions options = parsed("");
  BOOST_REQUIRE_EQUAL(options.processes.settings.size(), 1u);
  BOOST_TEST((options.processes.settings.front().host_memory == HostMemory::pinned));
  BOOST_TEST((options.processes.settings.front().wait == Wait::spin));
  BOOST_TEST((options.comparison.wait == Wait::spin));
}

BOOST_AUTO_TEST_CASE(every_name_arrives_and_comes_back_as_an_argument) {
  for (const char* memory : {"pinned", "pageable", "write-combined", "registered"}) {
    const std::string word = std::string("--host-memory=") + memory;
    check_settings(word, {word + " --wait=spin"});
  }
  for (const char* wait : {"spin", "yield", "block"}) {
    const std::string word = std::string("--wait=") + wait;
    check_settings(word, {"--host-memory=pinned " + word});
  }
}

BOOST_AUTO_TEST_CASE(each_memory_goes_with_each_wait_in_the_order_given) {
  check_settings("--wait spin,block --host-memory registered,pageable",
                 {"--host-memory=registered --wait=spin", "--host-memory=registered --wait=block",
                  "--host-memory=pageable --wait=spin", "--host-memory=pageable --wait=block"});
  check_settings(
      "--host-memory pinned,write-combined --wait block,yield",
      {"--host-memory=pinned --wait=block", "--host-memory=pinned --wait=yield",
       "--host-memory=write-combined --wait=block", "--host-memory=write-combined --wait=yield"});
}

BOOST_AUTO_TEST_CASE(workloads_and_waiting_are_those_of_the_first_setting) {
  for (const char* work :
       {"", " --preset launch,reduce", " --chunks 4", " --preset search --lanes 2"}) {
    const RunOptions options =
        parsed("--host-memory pageable,registered --wait yield,block" + std::string(work));
    BOOST_TEST((options.comparison.wait == Wait::yield));
    BOOST_TEST(!options.workloads.empty());
    for (const Workload& workload : options.workloads) {
      BOOST_TEST((workload.host_memory == HostMemory::pageable), workload.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(host_memory_is_no_knob) {
  const RunOptions options = parsed("--host-memory pageable");
  BOOST_TEST(options.workloads.size() == presets().size());
  for (const Workload& workload : options.workloads) BOOST_TEST(!workload.modified);
}

BOOST_AUTO_TEST_CASE(a_further_process_is_given_no_setting_but_its_own) {
  const RunOptions options =
      parsed("--preset launch --host-memory pinned,pageable --wait=block --pool threshold=0");
  check_words(options.processes.arguments, {"run", "--pool=threshold=0", "--preset=launch"});
}

BOOST_AUTO_TEST_CASE(a_process_is_told_how_its_gpu_is_measured) {
  for (const char* way : {"alone", "processes", "threads"}) {
    const RunOptions options = parsed("--preset launch --device 3 --together " + std::string(way));
    BOOST_TEST_REQUIRE(options.processes.settings.size() == 1u);
    const std::vector<std::string> words = arguments_of(options.processes.settings.front());
    BOOST_TEST(words.at(2) == "--device=3");
    BOOST_TEST(words.at(3) == "--together=" + std::string(way));
    check_words(options.processes.arguments, {"run", "--preset=launch"});
  }
}

BOOST_AUTO_TEST_CASE(several_settings_go_with_nothing_that_is_one_process) {
  for (const auto& [name, values] :
       {std::pair<std::string, std::string>{"host-memory", "pinned,pageable"},
        {"wait", "spin,block"}}) {
    const std::string words = "--" + name + ' ' + values;
    const std::string given = "--" + name + " '" + values + "': ";
    BOOST_TEST(refused("aa graph --repeat 2 " + words) ==
               given + "runs several processes, but --repeat one; leave one out");
    BOOST_TEST(refused("--prove-break-even " + words) ==
               given + "runs several processes, but --prove-break-even one; leave one out");
    BOOST_TEST(refused("sweep lanes=1,2 chunks=2,4 " + words) ==
               given + "names several; give one, or compare them with trilane run");
    BOOST_TEST(
        refused(words + " --kernel-time 1ms") ==
        "--kernel-time '1ms': each process would choose different rounds; give --rounds instead");
    BOOST_TEST(refused(words + " --trace t") ==
               "--trace 't': traces one process, but --" + name + " runs several; leave one out");
    BOOST_TEST(parsed("aa graph --processes 2 " + words).processes.settings.size() == 2u);
  }
  BOOST_TEST(refused("plan --host-memory pinned,pageable") ==
             "--host-memory 'pinned,pageable': names several; give one, or compare them with "
             "trilane run");
}

BOOST_AUTO_TEST_CASE(one_setting_goes_with_all_of_them) {
  const std::string one = " --host-memory pageable --wait block";
  for (const char* command : {"aa graph --repeat 2", "run --prove-break-even"}) {
    const RunOptions options = parsed(command + one);
    BOOST_TEST((options.comparison.wait == Wait::block));
    BOOST_TEST((options.workloads.front().host_memory == HostMemory::pageable));
  }
  const std::string sweep = "sweep lanes=1,2 chunks=2,4" + one;
  BOOST_TEST((parsed(sweep).comparison.wait == Wait::block));
  BOOST_TEST((read_sweep(read_line(sweep, caller).given).base.host_memory == HostMemory::pageable));
}

BOOST_AUTO_TEST_CASE(unknown_and_repeated_names_are_refused) {
  const std::string memories = "choose from pinned, pageable, write-combined, registered";
  BOOST_TEST(refused("--host-memory paged") == "--host-memory 'paged': is unknown; " + memories);
  BOOST_TEST(refused("--host-memory pinned,") == "--host-memory '': is unknown; " + memories);
  BOOST_TEST(refused("--host-memory pinned,pinned") ==
             "--host-memory 'pinned': is named more than once; leave one out");
  BOOST_TEST(refused("--wait sleep") ==
             "--wait 'sleep': is unknown; choose from spin, yield, block");
  BOOST_TEST(refused("--wait spin,block,spin") ==
             "--wait 'spin': is named more than once; leave one out");
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

Plan whole_plan(const Workload& workload) {
  Plan plan;
  plan.calls = {{"cudaLaunchKernel", workload.depth}};
  return plan;
}

/// Besides "plain" and "pooled", which have lanes, "whole", which has none.
struct Line : MadeUpRegistry {
  Line() { const Registered<Witness> whole("whole", "no lanes", whole_plan); }

  static inline const Caller caller = made_up_caller({"plain", "pooled", "whole"});

  static std::vector<std::string> warnings(const std::string& line) {
    RunOptions options = read_options(line, caller);
    check_read(read_line(line, caller).given, options);
    return options.warnings;
  }
  static std::string refused(const std::string& line) {
    return refusal<UsageError>([&] { warnings(line); });
  }
  static void check_unread(const std::string& line, const std::vector<std::string>& expected) {
    check_words(warnings(line), expected);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(unread_options, Line)

BOOST_AUTO_TEST_CASE(a_pool_policy_that_nobody_takes_memory_by_is_refused) {
  const std::string way_out =
      ": no chosen variant takes memory from a pool; choose pooled with --variant, or leave it out";
  BOOST_TEST(refused("--variant plain --pool threshold=0") == "--pool 'threshold=0'" + way_out);
  BOOST_TEST(refused("--variant plain,whole --pool default/threshold=0") ==
             "--pool 'default/threshold=0'" + way_out);
  BOOST_TEST(refused("aa plain --pool threshold=0") == "--pool 'threshold=0'" + way_out);
  for (const char* line : {"--pool threshold=0", "--variant pooled --pool threshold=0",
                           "--variant plain", "aa pooled --pool default", ""}) {
    BOOST_TEST(refused(line) == "(not refused)", line);
  }
}

BOOST_AUTO_TEST_CASE(where_no_variant_knows_pools_the_way_out_names_none) {
  std::erase_if(registry(), [](const VariantEntry& entry) { return entry.name == "pooled"; });
  BOOST_TEST(refused("--variant plain --pool default") ==
             "--pool 'default': no chosen variant takes memory from a pool; leave it out");
}

BOOST_AUTO_TEST_CASE(a_proof_needs_somebody_who_can_pay_off) {
  BOOST_TEST(contains(refused("--variant plain --reference plain --prove-break-even"),
                      "--prove-break-even: the reference is the only variant"));
  for (const char* line : {"--variant plain,whole --reference plain --prove-break-even",
                           "--variant pooled --reference pooled --pool default/threshold=0 "
                           "--prove-break-even"}) {
    BOOST_TEST(refused(line) == "(not refused)", line);
  }
}

BOOST_AUTO_TEST_CASE(lanes_and_order_change_nothing_where_nobody_has_lanes) {
  const std::string why = " changes nothing: no chosen variant has lanes";
  check_unread("--variant whole --lanes 3", {"--lanes '3'" + why});
  check_unread("--variant whole --order breadth --lanes 2 --depth 2",
               {"--lanes '2'" + why, "--order 'breadth'" + why});
  check_unread("sweep chunks=2,4 lanes=1,2 --variant whole", {"'lanes=1,2'" + why});
  for (const char* line : {"--lanes 3", "--variant plain --lanes 3 --order breadth",
                           "--variant whole --depth 3", ""}) {
    check_unread(line, {});
  }
}

BOOST_AUTO_TEST_SUITE_END()
