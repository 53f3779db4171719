#include "common/measure/context/host.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>

#include "tests/measure/fake_root.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(host_memory)

namespace {

constexpr std::uint64_t gib = 1ull << 30;

/// 16 GiB available on the host, in the caller's control group.
struct Host : FakeRoot {
  explicit Host(const std::string& groups) {
    write(
        "proc/meminfo",
        "MemTotal:       33554432 kB\nMemFree:         1048576 kB\nMemAvailable:   16777216 kB\n");
    write("proc/self/cgroup", groups);
  }
  void group_v2(const std::string& folder, const std::string& limit, std::uint64_t used,
                std::uint64_t cache = 0) const {
    write(folder + "/memory.max", limit + "\n");
    write(folder + "/memory.current", std::to_string(used) + "\n");
    write(folder + "/memory.stat",
          "anon 1\nactive_file 99\ninactive_file " + std::to_string(cache) + "\nslab 5\n");
  }
  void group_v1(const std::string& folder, std::uint64_t limit, std::uint64_t used,
                std::uint64_t cache = 0) const {
    write(folder + "/memory.limit_in_bytes", std::to_string(limit) + "\n");
    write(folder + "/memory.usage_in_bytes", std::to_string(used) + "\n");
    write(folder + "/memory.stat",
          "inactive_file 7\ntotal_inactive_file " + std::to_string(cache) + "\n");
  }
};

std::uint64_t left(const FakeRoot& root) { return available_host_bytes(root.path); }

std::string text(std::uint64_t bytes) { return std::to_string(bytes); }

}  // namespace

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
  const FakeRoot empty;
  BOOST_TEST(left(empty) == std::numeric_limits<std::uint64_t>::max());
  empty.write("proc/self/cgroup", "nonsense\n0:\n:\n\n");
  empty.write("proc/meminfo", "MemAvailable:\n");
  BOOST_TEST(left(empty) == std::numeric_limits<std::uint64_t>::max());
}

BOOST_AUTO_TEST_CASE(this_machine_has_some) {
  const std::uint64_t bytes = available_host_bytes();
  BOOST_TEST(bytes > 1u << 20);
  BOOST_TEST(bytes < 1ull << 50);
}

BOOST_AUTO_TEST_SUITE_END()
