#include "common/measure/context/context.hpp"

#include <sched.h>
#include <unistd.h>

#include <thread>

#include "common/measure/context/host.hpp"
#include "tests/base/folder.hpp"

BOOST_AUTO_TEST_SUITE(context)

const std::string measured, simulated = "NVIDIA Test (profile of 2001-02-03)";

std::map<std::string, std::string> by_name(const std::vector<Property>& properties) {
  return {properties.begin(), properties.end()};
}

Device some_device() {
  Device device;
  device.ordinal = 2;
  device.name = "NVIDIA Test";
  device.pci_bus_id = "ffff:ff:1f.0";  // no machine has it, so the driver says nothing
  device.driver_version = 13000;
  device.runtime_version = 12090;
  device.compute_major = 9;
  device.multiprocessors = 132;
  device.memory_pools = true;
  device.total_bytes = 150ull << 30;
  return device;
}

/// Sets the home directory while an instance exists.
class Home {
 public:
  explicit Home(const char* path) : before_(std::getenv("HOME") ? std::getenv("HOME") : "") {
    setenv("HOME", path, 1);
  }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;
  ~Home() { setenv("HOME", before_.c_str(), 1); }

 private:
  std::string before_;
};

constexpr std::uint64_t gib = 1ull << 30;

/// 16 GiB available on the host, in the caller's control group.
struct Host : Folder {
  explicit Host(const std::string& groups) {
    put("proc/meminfo",
        "MemTotal:       33554432 kB\nMemFree:         1048576 kB\nMemAvailable:   16777216 kB\n");
    put("proc/self/cgroup", groups);
  }
  void group_v2(const std::string& folder, const std::string& limit, std::uint64_t used,
                std::uint64_t cache = 0) const {
    put(folder + "/memory.max", limit + "\n");
    put(folder + "/memory.current", std::to_string(used) + "\n");
    put(folder + "/memory.stat",
        "anon 1\nactive_file 99\ninactive_file " + std::to_string(cache) + "\nslab 5\n");
  }
  void group_v1(const std::string& folder, std::uint64_t limit, std::uint64_t used,
                std::uint64_t cache = 0) const {
    put(folder + "/memory.limit_in_bytes", std::to_string(limit) + "\n");
    put(folder + "/memory.usage_in_bytes", std::to_string(used) + "\n");
    put(folder + "/memory.stat",
        "inactive_file 7\ntotal_inactive_file " + std::to_string(cache) + "\n");
  }
};

std::uint64_t left(const Folder& root) { return available_host_bytes(root.path); }

std::string text(std::uint64_t bytes) { return std::to_string(bytes); }

BOOST_AUTO_TEST_CASE(says_what_made_the_results_and_when) {
  Context context = start_context(some_device(), "trilane --preset launch", measured);
  BOOST_TEST(std::regex_match(context.tool_version, std::regex(R"(\d+\.\d+\.\d+)")));
  BOOST_TEST(!context.git_revision.empty());
  BOOST_TEST(!context.build_type.empty());
  BOOST_TEST(context.command_line == "trilane --preset launch");
  const std::regex iso(R"(20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\dZ)");
  BOOST_TEST(std::regex_match(context.started, iso));
  BOOST_TEST(context.finished.empty());
  BOOST_TEST(context.gpu_after.empty());
  finish_context(context);
  BOOST_TEST(std::regex_match(context.finished, iso));
  BOOST_TEST((context.finished >= context.started));
  BOOST_TEST(context.gpu_after.size() == context.gpu_before.size());
}

BOOST_AUTO_TEST_CASE(describes_the_gpu_with_readable_versions) {
  const Context context = start_context(some_device(), "trilane", measured);
  auto gpu = by_name(context.gpu);
  BOOST_TEST(gpu.size() == context.gpu.size());  // no duplicate names
  BOOST_TEST(gpu["name"] == "NVIDIA Test");
  BOOST_TEST(gpu["ordinal"] == "2");
  BOOST_TEST(gpu["cuda_driver_version"] == "13.0");
  BOOST_TEST(gpu["cuda_runtime_version"] == "12.9");
  BOOST_TEST(gpu["compute_capability"] == "9.0");
  BOOST_TEST(gpu["multiprocessors"] == "132");
  BOOST_TEST(gpu["memory_pools"] == "yes");
  BOOST_TEST(gpu["memory_bytes"] == "161061273600");
  BOOST_TEST(gpu.count("uuid") == 1u);
  BOOST_TEST(gpu.count("driver_version") == 1u);
}

BOOST_AUTO_TEST_CASE(a_missing_nvml_is_noted_once) {
  Context context = start_context(some_device(), "trilane", measured);
  finish_context(context);
  finish_context(context);
  BOOST_REQUIRE(context.notes.size() == 1u);
  BOOST_TEST(context.notes.front().starts_with("NVML: "));
}

BOOST_AUTO_TEST_CASE(a_simulated_device_says_so_and_no_driver_is_asked) {
  Context context = start_context(some_device(), "trilane-sim", simulated);
  finish_context(context);
  BOOST_TEST(context.simulated == simulated);
  auto gpu = by_name(context.gpu);
  BOOST_TEST(gpu["name"] == "NVIDIA Test (simulated)");
  BOOST_TEST(gpu.count("uuid") == 0u);
  BOOST_TEST(context.gpu_before.empty());
  BOOST_TEST(context.gpu_after.empty());
  BOOST_TEST(context.other_processes.empty());
  BOOST_TEST(!context.finished.empty());
  BOOST_REQUIRE(context.notes.size() == 1u);
  BOOST_TEST(context.notes.front().starts_with("simulated: "));
  BOOST_TEST(start_context(some_device(), "trilane", measured).simulated == "");
}

BOOST_AUTO_TEST_CASE(names_neither_the_machine_nor_the_user) {
  char name[256] = {};
  BOOST_REQUIRE(gethostname(name, sizeof(name) - 1) == 0);
  const std::string host = name;
  const Home home("/home/adalovelace");
  Context context =
      start_context(some_device(), "trilane --json /home/adalovelace/out.json", measured);
  BOOST_TEST(context.command_line == "trilane --json ~/out.json");
  for (const auto& [key, value] : context.host) {
    BOOST_TEST_CONTEXT(key) BOOST_TEST((host.size() < 4 || value.find(host) == std::string::npos));
  }
  name_node(context);  // only on request
  BOOST_TEST(by_name(context.host)["node"] == host);
}

BOOST_AUTO_TEST_CASE(reads_the_host) {
  const Folder root;
  root.put("proc/cpuinfo",
           "processor\t: 0\nmodel name\t: Intel(R) Xeon(R): Platinum\n"
           "flags\t\t: fpu vme hypervisor\n\nprocessor\t: 1\nmodel name\t: other\n");
  root.put("proc/self/status", "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7,12\n");
  root.put("proc/meminfo", "MemTotal:        1024 kB\nMemAvailable:    512 kB\n");
  root.put("proc/loadavg", "0.52 1.25 2.00 3/456 7890\n");
  root.put("proc/sys/kernel/osrelease", "6.8.0-45-generic\n");
  root.put("etc/os-release", "NAME=\"Ubuntu\"\nPRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\nID=ubuntu\n");
  root.put("sys/devices/system/cpu/online", "0-15\n");
  root.put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  const std::vector<Property> wanted = {{"cpu", "Intel(R) Xeon(R): Platinum"},
                                        {"cpus_online", "0-15"},
                                        {"cpus_allowed", "0-7,12"},
                                        {"cpu_governor", "performance"},
                                        {"memory_bytes", "1048576"},
                                        {"memory_available_bytes", "524288"},
                                        {"kernel", "6.8.0-45-generic"},
                                        {"os", "Ubuntu 24.04.1 LTS"},
                                        {"load_average", "0.52 1.25 2.00"},
                                        {"virtual_machine", "yes"}};
  BOOST_TEST((describe_host(root.path) == wanted));
}

BOOST_AUTO_TEST_CASE(knows_a_real_machine_from_one_that_does_not_say) {
  const Folder root;
  root.put("proc/cpuinfo", "flags\t\t: fpu hypervisor_not vme\n");
  BOOST_TEST(by_name(describe_host(root.path))["virtual_machine"] == "no");
  root.put("proc/cpuinfo", "Features\t: fp asimd\n");
  BOOST_TEST(by_name(describe_host(root.path))["virtual_machine"] == "");
}

BOOST_AUTO_TEST_CASE(an_unreadable_host_has_all_names_and_no_values) {
  const Folder root;
  const auto host = describe_host(root.path);
  BOOST_TEST(host.size() == 10u);
  for (const auto& [name, value] : host) BOOST_TEST_CONTEXT(name) BOOST_TEST(value == "");
}

/// Returns the numbers of the cores that this thread may use.
std::vector<int> allowed_cores() {
  cpu_set_t cores;
  sched_getaffinity(0, sizeof cores, &cores);
  std::vector<int> numbers;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &cores)) numbers.push_back(core);
  }
  return numbers;
}

BOOST_AUTO_TEST_CASE(a_process_stays_near_its_gpu_if_the_machine_says_which_cores_are) {
  const Folder root;
  const std::vector<int> before = allowed_cores();
  const std::string one = std::to_string(before.front());
  const auto near = [&](const std::string& cores) {
    root.put("sys/bus/pci/devices/0000:1b:00.0/local_cpulist", cores + "\n");
    std::string said;
    std::vector<int> after;
    std::thread([&] {  // which has an affinity of its own
      said = stay_near("0000:1B:00.0", root.path);
      after = allowed_cores();
    })
        .join();
    return std::pair(said, after);
  };
  BOOST_TEST(stay_near("0000:1B:00.0", root.path) == "");
  BOOST_TEST(stay_near("", root.path) == "");
  BOOST_TEST((near("0-1023") == std::pair(std::string(), before)));  // all are
  BOOST_TEST((near("1000-1010") == std::pair(std::string(), before)));
  BOOST_TEST((near("nonsense") == std::pair(std::string(), before)));
  if (before.size() < 2) return;
  BOOST_TEST((near(one + ",1023") == std::pair(one + ",1023", std::vector{before.front()})));
  root.put("sys/bus/pci/devices/0000:1b:00.0/numa_node", "0\n");
  BOOST_TEST((near(one) == std::pair(one + ", node 0", std::vector{before.front()})));
}

BOOST_AUTO_TEST_CASE(records_the_variables_that_steer_cuda) {
  const Home home("/home/adalovelace");
  setenv("CUDA_TRILANE_B", "/home/adalovelace/cache:/opt", 1);
  setenv("CUDA_TRILANE_A", "a=b", 1);
  setenv("NVIDIA_TRILANE_API_KEY", "hunter2", 1);
  setenv("TRILANE_CUDA_C", "no", 1);
  setenv("NVIDIA_REQUIRE_TRILANE", "cuda>=13.0", 1);
  const auto found = describe_environment();
  for (const char* name :
       {"CUDA_TRILANE_A", "CUDA_TRILANE_B", "NVIDIA_TRILANE_API_KEY", "TRILANE_CUDA_C"}) {
    unsetenv(name);
  }
  BOOST_TEST(std::is_sorted(found.begin(), found.end()));
  auto values = by_name(found);
  BOOST_TEST(values["CUDA_TRILANE_A"] == "a=b");
  BOOST_TEST(values["CUDA_TRILANE_B"] == "~/cache:/opt");
  BOOST_TEST(values["NVIDIA_TRILANE_API_KEY"] == "(not recorded)");
  BOOST_TEST(values.count("TRILANE_CUDA_C") == 0u);
  BOOST_TEST(values.count("NVIDIA_REQUIRE_TRILANE") == 0u);
}

BOOST_AUTO_TEST_CASE(home_is_replaced_only_as_a_whole) {
  const Home home("/home/an");
  BOOST_TEST(without_home("/home/an") == "~");
  BOOST_TEST(without_home("x=/home/an/y /home/anna/z '/home/an'") == "x=~/y /home/anna/z '~'");
  const Home root("/");
  BOOST_TEST(without_home("/a/ /") == "/a/ /");
}

BOOST_AUTO_TEST_CASE(without_a_limit_the_host_decides) {
  const Host host("0::/user.slice/session\n");
  BOOST_TEST(left(host) == 16 * gib);
  host.group_v2("sys/fs/cgroup/user.slice/session", "max", 2 * gib);
  BOOST_TEST(left(host) == 16 * gib);
}

BOOST_AUTO_TEST_CASE(a_v2_limit_lowers_it_by_what_is_used_and_not_reclaimable) {
  const Host host("0::/job\n");
  host.group_v2("sys/fs/cgroup/job", text(4 * gib), 3 * gib, 1 * gib);
  BOOST_TEST(left(host) == 2 * gib);
}

BOOST_AUTO_TEST_CASE(the_tightest_level_of_the_hierarchy_counts) {
  const Host host("0::/outer/middle/inner\n");
  host.group_v2("sys/fs/cgroup/outer/middle/inner", text(12 * gib), 1 * gib);
  host.group_v2("sys/fs/cgroup/outer/middle", "max", 1 * gib);
  host.group_v2("sys/fs/cgroup/outer", text(8 * gib), 5 * gib);
  BOOST_TEST(left(host) == 3 * gib);
}

BOOST_AUTO_TEST_CASE(in_a_container_the_mount_itself_is_the_group) {
  const Host namespaced("0::/\n");
  namespaced.group_v2("sys/fs/cgroup", text(2 * gib), gib / 2);
  BOOST_TEST(left(namespaced) == 3 * gib / 2);
  const Host foreign("0::/docker/4c56ea\n");  // a path of the host's hierarchy
  foreign.group_v2("sys/fs/cgroup", text(2 * gib), gib);
  BOOST_TEST(left(foreign) == gib);
}

BOOST_AUTO_TEST_CASE(v1_limits_count_too) {
  const Host host("9:name=systemd:/\n4:cpu,memory:/job\n0::/\n");
  host.group_v1("sys/fs/cgroup/memory", 9223372036854771712ull, 20 * gib);
  BOOST_TEST(left(host) == 16 * gib);
  host.group_v1("sys/fs/cgroup/memory/job", 6 * gib, 4 * gib, 1 * gib);
  BOOST_TEST(left(host) == 3 * gib);
}

BOOST_AUTO_TEST_CASE(other_controllers_do_not_count) {
  const Host host("4:hugememory,cpu:/job\n");
  host.group_v1("sys/fs/cgroup/memory/job", 1 * gib, 0);
  BOOST_TEST(left(host) == 16 * gib);
}

BOOST_AUTO_TEST_CASE(an_exceeded_limit_leaves_nothing) {
  const Host host("0::/job\n");
  host.group_v2("sys/fs/cgroup/job", text(1 * gib), 3 * gib, gib / 4);
  BOOST_TEST(left(host) == 0u);
  host.group_v2("sys/fs/cgroup/job", text(1 * gib), gib / 4, gib);  // figures of two moments
  BOOST_TEST(left(host) == gib);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_limits_nothing) {
  const Folder empty;
  BOOST_TEST(left(empty) == std::numeric_limits<std::uint64_t>::max());
  empty.put("proc/self/cgroup", "nonsense\n0:\n:\n\n");
  empty.put("proc/meminfo", "MemAvailable:\n");
  BOOST_TEST(left(empty) == std::numeric_limits<std::uint64_t>::max());
}

BOOST_AUTO_TEST_CASE(this_machine_has_some) {
  const std::uint64_t bytes = available_host_bytes();
  BOOST_TEST(bytes > 1u << 20);
  BOOST_TEST(bytes < 1ull << 50);
}

BOOST_AUTO_TEST_SUITE_END()
