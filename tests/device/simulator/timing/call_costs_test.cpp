// Calls whose cost depends on earlier calls.
#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/gpu/operation.hpp"
#include "common/measure/gpu/recording.hpp"
#include "kernels/move.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(call_costs)

constexpr double same = 1e-6;  // microseconds

struct Restarted {
  Restarted() { simulator::restart({.profile = profile, .fault = {}}); }
  const Profile profile = simulator::built_in_profile();
};

struct GraphBench : Restarted {
  static constexpr int nodes = 5;
  DeviceBuffer memory = make_device_buffer(4096);
  Operation kernel{clear_launch(memory.get(), 4096)};
  Stream stream = make_stream();
  Graph graph = make_graph();
  std::vector<cudaGraphNode_t> made;
  GraphExec executable;

  GraphBench() {
    for (int i = 0; i < nodes; ++i) made.push_back(kernel.add_to(graph.get(), {}));
    executable = instantiate(graph);
  }
  double launch_us() const {
    const double us = timed_us([&] { check(cudaGraphLaunch(executable.get(), stream.get())); });
    check(cudaStreamSynchronize(stream.get()));
    return us;
  }
  /// Returns by how many uploads of a node the next launch takes longer than the one after it.
  double uploads() const {
    const double first_us = launch_us();
    return (first_us - launch_us()) / profile.graph.upload_node_us;
  }
};

BOOST_FIXTURE_TEST_CASE(the_first_launch_uploads_what_no_upload_has, GraphBench) {
  BOOST_TEST(uploads() == nodes, boost::test_tools::tolerance(same));
  executable = instantiate(graph);
  check(cudaGraphUpload(executable.get(), stream.get()));
  BOOST_TEST(std::abs(uploads()) < same);
}

BOOST_FIXTURE_TEST_CASE(a_launch_uploads_what_was_changed_once, GraphBench) {
  launch_us();
  kernel.set_on(executable.get(), made[1]);
  kernel.set_on(executable.get(), made[1]);
  kernel.set_on(executable.get(), made[3]);
  BOOST_TEST(uploads() == 2, boost::test_tools::tolerance(same));
  cudaGraphExecUpdateResultInfo info{};
  check(cudaGraphExecUpdate(executable.get(), graph.get(), &info));
  BOOST_TEST(uploads() == nodes, boost::test_tools::tolerance(same));
}

BOOST_FIXTURE_TEST_CASE(edges_between_branches_take_the_host_time, GraphBench) {
  using Dependencies = std::vector<std::vector<std::size_t>>;
  const auto crossings = [&](const Dependencies& all) {
    const auto us = [&](bool in_a_row) {
      graph = make_graph();
      made.clear();
      for (const auto& dependencies : all) {
        std::vector<cudaGraphNode_t> before;
        if (in_a_row && !made.empty()) before.push_back(made.back());
        for (const std::size_t node : dependencies) {
          if (!in_a_row) before.push_back(made[node]);
        }
        made.push_back(kernel.add_to(graph.get(), before));
      }
      executable = instantiate(graph);
      launch_us();  // uploads
      return launch_us();
    };
    return (us(false) - us(true)) / (profile.graph.branch_us.value() / 2);
  };
  const auto near = boost::test_tools::tolerance(same);
  BOOST_TEST(crossings({{}, {}, {}}) == 4.0, near);            // two leave the launch and join it
  BOOST_TEST(crossings({{}, {0}, {0}}) == 2.0, near);          // one leaves, and joins the launch
  BOOST_TEST(crossings({{}, {0}, {0}, {1, 2}}) == 2.0, near);  // or the other
  BOOST_TEST(crossings({{}, {}, {0, 1}, {2}}) == 2.0, near);
}

BOOST_AUTO_TEST_SUITE_END()
