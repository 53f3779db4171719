// Host memory and waiting on the command line.
#include "common/commands/options/options.hpp"
#include "common/text/exit_code.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "tests/text/refusal.hpp"

using namespace trilane;

namespace {

/// The options of a line whose words are separated by single spaces.
Options parsed(const std::string& line) {
  const std::vector<std::string> variants{"serial", "streams", "graph", "pool"};
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return parse_options(arguments, variants, false);
}

std::string refused(const std::string& line) {
  return refusal<UsageError>([&] { parsed(line); });
}

/// The settings of a line, as a further process is given them.
std::vector<std::string> settings(const std::string& line) {
  std::vector<std::string> all;
  for (const Setting& setting : parsed(line).processes.settings) {
    const auto words = arguments_of(setting);
    BOOST_REQUIRE_EQUAL(words.size(), 2u);
    all.push_back(words[0] + ' ' + words[1]);
  }
  return all;
}

void check_settings(const std::string& line, const std::vector<std::string>& expected) {
  BOOST_TEST_CONTEXT(line)
  BOOST_TEST(settings(line) == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(settings_of_processes)

BOOST_AUTO_TEST_CASE(the_plainest_is_the_default) {
  const Options options = parsed("");
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

BOOST_AUTO_TEST_CASE(each_memory_goes_with_each_wait_in_their_order_of_plainness) {
  check_settings("--wait block,spin --host-memory registered,pageable,pinned",
                 {"--host-memory=pinned --wait=spin", "--host-memory=pinned --wait=block",
                  "--host-memory=pageable --wait=spin", "--host-memory=pageable --wait=block",
                  "--host-memory=registered --wait=spin", "--host-memory=registered --wait=block"});
  check_settings(
      "--host-memory registered,write-combined --wait block,yield",
      {"--host-memory=write-combined --wait=yield", "--host-memory=write-combined --wait=block",
       "--host-memory=registered --wait=yield", "--host-memory=registered --wait=block"});
}

BOOST_AUTO_TEST_CASE(workloads_and_waiting_are_those_of_the_first_setting) {
  for (const char* work :
       {"", " --preset launch,reduce", " --chunks 4", " --preset search --lanes 2"}) {
    const Options options =
        parsed("--host-memory registered,pageable --wait block,yield" + std::string(work));
    BOOST_TEST((options.comparison.wait == Wait::yield));
    BOOST_TEST(!options.workloads.empty());
    for (const Workload& workload : options.workloads) {
      BOOST_TEST((workload.host_memory == HostMemory::pageable), workload.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(host_memory_is_no_knob) {
  const Options options = parsed("--host-memory pageable");
  BOOST_TEST(options.workloads.size() == presets().size());
  for (const Workload& workload : options.workloads) BOOST_TEST(!workload.modified);
}

BOOST_AUTO_TEST_CASE(a_further_process_is_given_no_setting_but_its_own) {
  const Options options =
      parsed("--preset launch --host-memory pinned,pageable --wait=block --pool threshold=0");
  BOOST_TEST(options.processes.arguments ==
                 (std::vector<std::string>{"--pool=threshold=0", "--preset=launch"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(several_settings_go_with_nothing_that_is_one_process) {
  const std::string out = "; leave one out";
  const std::string sweep = "--sweep lanes=1,2 --sweep chunks=2,4";
  for (const auto& [name, values] :
       {std::pair<std::string, std::string>{"host-memory", "pinned,pageable"},
        {"wait", "spin,block"}}) {
    const std::string words = "--" + name + ' ' + values;
    const std::string refusal = "--" + name + " '" + values + "': does not go with ";
    BOOST_TEST(refused(words + " --aa graph --repeat 2") == refusal + "--repeat" + out);
    BOOST_TEST(refused(words + " --dry-run") == refusal + "--dry-run" + out);
    BOOST_TEST(refused(words + ' ' + sweep) == refusal + "--sweep" + out);
    BOOST_TEST(refused(words + " --prove-break-even") ==
               "--" + name + " '" + values +
                   "': runs several processes, but --prove-break-even tests the prediction of one" +
                   out);
    BOOST_TEST(refused(words + " --kernel-time 1ms") ==
               "--kernel-time '1ms': every process would find other rounds for it; give --rounds "
               "instead");
    BOOST_TEST(refused("--calibrate new " + words) ==
               "--calibrate 'new': measures a profile, not variants; leave out --" + name);
    BOOST_TEST(parsed(words + " --processes 2 --aa graph").processes.settings.size() == 2u);
  }
}

BOOST_AUTO_TEST_CASE(one_setting_goes_with_all_of_them) {
  const std::string one = "--host-memory pageable --wait block ";
  for (const char* other : {"--aa graph --repeat 2", "--dry-run", "--prove-break-even"}) {
    const Options options = parsed(one + other);
    BOOST_TEST((options.comparison.wait == Wait::block));
    BOOST_TEST((options.workloads.front().host_memory == HostMemory::pageable));
  }
  const Options swept = parsed(one + "--sweep lanes=1,2 --sweep chunks=2,4");
  BOOST_REQUIRE(swept.sweep);
  BOOST_TEST((swept.comparison.wait == Wait::block));
  BOOST_TEST((swept.sweep->base.host_memory == HostMemory::pageable));
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
