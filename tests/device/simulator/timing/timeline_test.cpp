// Virtual time, with a profile of round figures.
#include "common/device/simulator/timing/virtual_timeline.hpp"

#include "tests/framework.hpp"

namespace trilane::simulator {

BOOST_AUTO_TEST_SUITE(timeline)

namespace {

const auto near = boost::test_tools::tolerance(1e-12);

std::vector<SizeCost> always(double us) { return {{1, us}}; }

/// Returns a profile: copies and memsets of 100 bytes take 10 us, kernels 20; an idle stream starts
/// after 3, or with a memset at once, so that none of it is the host's notice.
Profile round_figures() {
  Profile profile;
  profile.multiprocessors = 100;
  for (Kind kind : all_stages) {
    profile.stream.enqueue[index_of(kind)] = always(1);
    profile.stream.start_us[index_of(kind)] = kind == Kind::memset ? 0 : 3;
    for (Kind before : all_stages) {
      profile.stream.latency_us[index_of(before)][index_of(kind)] = before == kind ? 0.5 : 2;
      profile.graph.latency_us[index_of(before)][index_of(kind)] = 4;
      profile.graph.node_us[index_of(before)][index_of(kind)] = before == kind ? 0.25 : 0.75;
    }
    if (kind != Kind::kernel) {
      profile.engine.duration[index_of(kind)] = {{100, 10}, {200, 15}};
    }
  }
  profile.stream.across_us = 1;
  profile.graph.start_us = 5;
  profile.engine.kernel_spacing_us = 1.5;
  profile.engine.in_gbps = profile.engine.out_gbps = 50;
  profile.engine.duplex_in_gbps = 40;
  profile.engine.duplex_out_gbps = 25;
  profile.engine.pageable_in_gbps = profile.engine.pageable_out_gbps = 0.1;
  profile.engine.mapped_in_gbps = profile.engine.mapped_out_gbps = 46;
  profile.engine.mapped_both_gbps = 20;
  profile.engine.within_gbps = 1;
  profile.kernels = {{false, 100, 100, 1, 20, 2, 0.75}, {true, 100, 1, 1, 20, 2, 0.25}};
  return profile;
}

class Bench {
 public:
  explicit Bench(Profile profile = round_figures()) : profile_(std::move(profile)) {}

  Timeline& timeline() { return timeline_; }

  /// Enqueues an operation on a stream, after that stream's work and after `more`.
  OperationPtr add(Kind kind, std::uint64_t stream, std::uint64_t bytes = 100, Frontier more = {},
                   std::uint64_t launch = 0, bool pageable = false) {
    return add({.kind = kind,
                .name = "",
                .bytes = bytes,
                .kernel = {.words = 100, .outputs = 100, .blocks = 100, .rounds = 1},
                .pageable = pageable},
               stream, std::move(more), launch);
  }

  /// Adds a kernel that moves bytes; without `rounds` it does nothing else.
  OperationPtr add_kernel(std::uint64_t stream, const Traffic& traffic, std::uint32_t rounds = 1,
                          double fill = 1, std::uint64_t blocks = 100) {
    return add({.kind = Kind::kernel,
                .name = "",
                .kernel = {.words = 100, .outputs = 100, .blocks = blocks, .rounds = rounds},
                .fill = fill,
                .traffic = traffic},
               stream, {}, 0);
  }

  OperationPtr add_memset(std::uint64_t stream, const Traffic& traffic) {
    return add({.kind = Kind::memset, .name = "", .bytes = 100, .traffic = traffic}, stream, {}, 0);
  }

  double finish(const OperationPtr& operation) { return timeline_.time_of({operation}, 0); }

 private:
  OperationPtr add(Task what, std::uint64_t stream, Frontier more, std::uint64_t launch) {
    auto task = std::make_shared<Task>(std::move(what));
    auto operation = std::make_shared<Operation>();
    operation->number = ++number_;
    operation->task = std::move(task);
    operation->stream = stream;
    operation->launch = launch;
    operation->after = std::move(more);
    if (last_[stream]) operation->after.push_back(last_[stream]);
    last_[stream] = operation;
    timeline_.enqueue(operation);
    operation->after.clear();
    all_.push_back(operation);
    return operation;
  }

  Profile profile_;
  Timeline timeline_{profile_};
  std::uint64_t number_ = 0;
  std::map<std::uint64_t, OperationPtr> last_;
  Frontier all_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_idle_stream_starts_after_the_call_and_its_latency) {
  Bench bench;
  const OperationPtr copy = bench.add(Kind::copy_in, 1);
  BOOST_TEST(bench.timeline().now() == 1);
  BOOST_TEST(bench.finish(copy) == 1 + 3 + 10);
  BOOST_TEST(bench.timeline().now() == 1);  // nobody has waited
  bench.timeline().wait_for({copy});
  BOOST_TEST(bench.timeline().now() == 14);
}

BOOST_AUTO_TEST_CASE(a_stream_keeps_its_order_with_a_latency_for_each_pair) {
  Bench bench;
  bench.add(Kind::copy_in, 1);
  bench.add(Kind::memset, 1);
  const OperationPtr kernel = bench.add(Kind::kernel, 1), last = bench.add(Kind::kernel, 1);
  BOOST_TEST(bench.finish(kernel) == 14 + 2 + 10 + 2 + 20);
  BOOST_TEST(bench.finish(last) == 48 + 0.5 + 20);
}

BOOST_AUTO_TEST_CASE(what_ended_before_the_call_delays_nothing) {
  Bench bench;
  bench.timeline().wait_for({bench.add(Kind::copy_in, 1)});  // until 14
  bench.timeline().wait_for({bench.add(Kind::memset, 1)});
  BOOST_TEST(bench.timeline().now() == 15 + 10);
  bench.add(Kind::copy_in, 2);  // from 29 to 39, while the host does something else
  bench.timeline().spend(100);
  BOOST_TEST(bench.finish(bench.add(Kind::memset, 2)) == 127 + 10);
}

BOOST_AUTO_TEST_CASE(sizes_between_two_measured_ones_lie_on_a_line) {
  Bench bench;
  BOOST_TEST(bench.finish(bench.add(Kind::copy_in, 1, 150)) == 1 + 3 + 12.5);
}

BOOST_AUTO_TEST_CASE(copies_one_way_take_turns_in_the_order_in_which_they_are_ready) {
  Bench bench;
  const OperationPtr first = bench.add(Kind::copy_in, 1), second = bench.add(Kind::copy_in, 2);
  BOOST_TEST(bench.finish(second) == 24);
  BOOST_TEST(bench.finish(first) == 14);
}

BOOST_AUTO_TEST_CASE(copies_both_ways_slow_each_other_down_while_both_are_busy) {
  Bench bench;
  const OperationPtr in = bench.add(Kind::copy_in, 1);    // from 4: alone for 1 us, then at 0.8
  const OperationPtr out = bench.add(Kind::copy_out, 2);  // from 5: at 0.5, then alone
  BOOST_TEST(bench.finish(in) == 5 + 9 / 0.8);
  const double both = 9 / 0.8;
  BOOST_TEST(bench.finish(out) == 5 + both + (10 - both * 0.5), near);
}

BOOST_AUTO_TEST_CASE(kernels_share_the_sms_first_come_first_served) {
  Bench bench;
  const OperationPtr first = bench.add(Kind::kernel, 1);  // 0.75 of the SMs from 4 to 24
  const OperationPtr second =
      bench.add(Kind::kernel, 2);  // from 5.5: 0.25 of them, a third of speed
  BOOST_TEST(bench.finish(first) == 24);
  BOOST_TEST(bench.finish(second) == 24 + (20 - (24 - 5.5) / 3), near);
}

BOOST_AUTO_TEST_CASE(graph_nodes_cost_the_host_by_pair_and_start_without_spacing) {
  Bench bench;
  const OperationPtr root = bench.add(Kind::kernel, 1, 100, {}, 7);
  BOOST_TEST(bench.timeline().now() == 0.25);
  const OperationPtr other = bench.add(Kind::copy_in, 2, 100, {root}, 7);
  BOOST_TEST(bench.timeline().now() == 1);
  BOOST_TEST(bench.finish(root) == 0.25 + 5 + 20);
  BOOST_TEST(bench.finish(other) == 25.25 + 4 + 10);  // an edge, whatever the stream
}

BOOST_AUTO_TEST_CASE(an_event_across_streams_adds_its_latency) {
  Bench bench;
  const OperationPtr kernel = bench.add(Kind::kernel, 1);
  const OperationPtr copy = bench.add(Kind::copy_out, 2, 100, {kernel});
  BOOST_TEST(bench.finish(copy) == 24 + 2 + 1 + 10);
}

BOOST_AUTO_TEST_CASE(allocations_and_releases_order_and_take_no_time) {
  Bench bench;
  bench.add(Kind::copy_out, 1);
  const OperationPtr release = bench.add(Kind::release, 1), allocate = bench.add(Kind::allocate, 1);
  const OperationPtr next = bench.add(Kind::copy_in, 1);
  BOOST_TEST(bench.finish(release) == 14);
  BOOST_TEST(bench.finish(allocate) == 14);
  BOOST_TEST(bench.finish(next) == 14 + 2 + 10);  // as after the copy out itself
  BOOST_TEST(bench.timeline().now() == 2);        // the pool's costs are spent by the pool
}

BOOST_AUTO_TEST_CASE(a_host_function_holds_its_stream_until_it_returns) {
  Bench bench;
  const OperationPtr gate = bench.add(Kind::host_function, 1);
  const OperationPtr held = bench.add(Kind::copy_in, 1), free = bench.add(Kind::copy_out, 2);
  bench.timeline().spend(98);
  BOOST_TEST(bench.finish(free) == 2 + 3 + 10);
  bench.timeline().host_function_returned(*gate);
  BOOST_TEST(bench.finish(gate) == 100);
  BOOST_TEST(bench.finish(held) == 110);
}

BOOST_AUTO_TEST_CASE(pageable_copies_in_keep_the_host_busy_with_staging) {
  Bench bench;
  const OperationPtr copy = bench.add(Kind::copy_in, 1, 100, {}, 0, true);
  BOOST_TEST(bench.timeline().now() == 1 + 1);   // 100 bytes at 0.1e9 bytes a second
  BOOST_TEST(bench.finish(copy) == 2 + 3 + 10);  // the last piece, as the smallest copy
}

BOOST_AUTO_TEST_CASE(pageable_copies_in_of_a_graph_keep_the_host_busy_too) {
  Bench bench;
  const OperationPtr copy = bench.add(Kind::copy_in, 1, 1000, {}, 7, true);
  BOOST_TEST(bench.timeline().now() == 0.25 + 10);  // 1000 bytes at 0.1e9 a second
  BOOST_TEST(bench.finish(copy) == 10.25 + 5 + 10, near);
}

// At 46e9 bytes a second, or at 50e9 like copies, and 1.5 us later if it reads. Each thread's work
// comes after its reads and before its writes: an eighth of 20 us, as that of eight threads
// overlaps.
BOOST_AUTO_TEST_CASE(a_kernel_on_mapped_memory_takes_as_long_as_the_link_does) {
  Bench reading, writing, little;
  BOOST_TEST(reading.finish(reading.add_kernel(1, {.in = 4'600'000})) == 4 + 101.5 + 2.5, near);
  BOOST_TEST(writing.finish(writing.add_kernel(1, {.out = 4'600'000})) == 4 + 2.5 + 100, near);
  BOOST_TEST(little.finish(little.add_kernel(1, {.in = 46})) == 4 + 20, near);
  Profile older = round_figures();
  older.engine.mapped_in_gbps.reset();
  Bench as_copies(older);
  BOOST_TEST(as_copies.finish(as_copies.add_kernel(1, {.in = 5'000'000})) == 4 + 101.5 + 2.5, near);
}

// Threads have 16 bytes under way: a thousandth of 2048 * 100 have 3276.8 in 1.5 us.
BOOST_AUTO_TEST_CASE(few_threads_read_over_the_link_slowly) {
  Bench bench;
  const OperationPtr kernel = bench.add_kernel(1, {.in = 3'276'800}, 1, 1e-3);
  BOOST_TEST(bench.finish(kernel) == 4 + 1500 + 20, near);
}

// The measured kernel takes 0.75 of the SMs. Further rounds need them.
BOOST_AUTO_TEST_CASE(few_blocks_have_few_sms) {
  Bench few, enough;
  BOOST_TEST(few.finish(few.add_kernel(1, {}, 6, 1, 25)) == 4 + 20 + 3 * 5 * 2, near);
  BOOST_TEST(enough.finish(enough.add_kernel(1, {}, 6, 1, 75)) == 4 + 20 + 5 * 2, near);
}

// Both together get 2 * 2 / 3 of 45 / 50.
BOOST_AUTO_TEST_CASE(kernels_share_a_port_to_the_link_for_both_directions) {
  Profile profile = round_figures();
  profile.engine.mapped_both_gbps = 45;
  Bench bench(profile);
  const OperationPtr writes = bench.add_kernel(1, {.out = 4'600'000}, 1, 0.1);  // from 4
  const OperationPtr reads = bench.add_kernel(2, {.in = 4'600'000}, 1, 0.1);    // from 5.5
  const double asked = 100 / 120.0 + 100 / 121.5, end = 5.5 + 118.5 * asked / 1.2;
  BOOST_TEST(bench.finish(writes) == end, near);
  BOOST_TEST(bench.finish(reads) == end + 3, near);
}

// Reads take 50 us and writes 100. While both go on, each have 20e9 bytes a second. A
// thread's work comes in between; that of all overlaps, if it takes longer.
BOOST_AUTO_TEST_CASE(threads_that_run_at_once_read_over_the_link_before_they_write) {
  const Traffic traffic{.in = 2'500'000, .out = 5'000'000};
  Bench one_wave, two_waves, busy;
  BOOST_TEST(one_wave.finish(one_wave.add_kernel(1, traffic, 1, 1)) == 4 + 51.5 + 2.5 + 100, near);
  BOOST_TEST(two_waves.finish(two_waves.add_kernel(1, traffic, 1, 2)) == 4 + 26.5 + 126.25 + 50,
             near);
  BOOST_TEST(busy.finish(busy.add_kernel(1, traffic, 141, 2)) == 4 + 300 + 50, near);
}

BOOST_AUTO_TEST_CASE(a_kernel_leaves_the_sms_to_the_next_one_while_its_last_threads_write) {
  const Traffic traffic{.in = 5'000'000, .out = 5'000'000};
  Bench bench;
  const OperationPtr first = bench.add_kernel(1, traffic, 1, 1);   // reads from 4 to 105.5
  const OperationPtr second = bench.add_kernel(2, traffic, 1, 1);  // reads from then on
  const double alone_us = 101.5 + 2.5 + 100;
  BOOST_TEST(bench.finish(first) > 4 + alone_us);
  BOOST_TEST(bench.finish(second) < bench.finish(first) + alone_us);
}

BOOST_AUTO_TEST_CASE(a_memset_of_mapped_memory_takes_as_long_as_the_link_does) {
  Bench bench;
  const OperationPtr memset = bench.add_memset(1, {.out = 4'600'000});
  BOOST_TEST(bench.finish(memset) == 1 + 100, near);
}

// The smallest kernel and its bytes at twice the rate of copies within the device, which read and
// write.
BOOST_AUTO_TEST_CASE(a_kernel_that_only_moves_bytes_takes_as_long_as_memory_does) {
  Bench bench;
  BOOST_TEST(bench.finish(bench.add_kernel(1, {.device = 6000}, 0)) == 4 + 20 + 3, near);
}

BOOST_AUTO_TEST_CASE(an_engine_turns_late_to_a_copy_that_waited_for_another_engine) {
  Profile profile = round_figures();
  profile.engine.turn_us = 4;
  Bench bench(profile);
  const OperationPtr first = bench.add(Kind::copy_in, 1);  // from 4
  bench.add(Kind::memset, 2);                              // from 2 to 12
  const OperationPtr waited = bench.add(Kind::copy_in, 2), free = bench.add(Kind::copy_in, 3);
  BOOST_TEST(bench.finish(first) == 14);
  BOOST_TEST(bench.finish(free) == 14 + 10);
  BOOST_TEST(bench.finish(waited) == 24 + 4 + 10);
  bench.timeline().spend(96);  // the engine is idle
  bench.add(Kind::memset, 4);  // from 101 to 111
  BOOST_TEST(bench.finish(bench.add(Kind::copy_in, 4)) == 111 + 2 + 10);
}

BOOST_AUTO_TEST_CASE(an_engine_turns_at_once_to_a_copy_issued_after_the_end_of_what_it_follows) {
  Profile profile = round_figures();
  profile.engine.turn_us = 4;
  Bench bench(profile);
  bench.add(Kind::memset, 1);        // from 1 to 11
  bench.timeline().spend(20);        // to 21
  bench.add(Kind::copy_in, 2, 200);  // from 25 to 40
  BOOST_TEST(bench.finish(bench.add(Kind::copy_in, 1)) == 40 + 10);
}

// The kernel asks for 100 of its 102.5 us.
BOOST_AUTO_TEST_CASE(kernels_on_mapped_memory_share_the_link_with_copies) {
  Bench bench;
  const OperationPtr kernel = bench.add_kernel(1, {.out = 4'600'000});  // from 4
  const OperationPtr copy = bench.add(Kind::copy_out, 2);               // from 5, of 10 us alone
  const double asked = 1 + 100 / 102.5;
  BOOST_TEST(bench.finish(copy) == 5 + asked * 10, near);
  BOOST_TEST(bench.finish(kernel) == 5 + asked * 10 + (102.5 - 1 - 10), near);
}

// In the other direction they act like a copy: less, as far as they fill it less.
BOOST_AUTO_TEST_CASE(kernels_on_mapped_memory_slow_the_other_direction_down) {
  Bench full, half;
  full.add_kernel(1, {.out = 46'000'000});  // 1000 of its 1002.5 us
  BOOST_TEST(full.finish(full.add(Kind::copy_in, 2)) == 5 + 10 / (1 - 0.2 / 1.0025), near);
  half.add_kernel(1, {.out = 460'000});  // 10 of its 20 us
  BOOST_TEST(half.finish(half.add(Kind::copy_in, 2)) == 5 + 10 / 0.9, near);
}

BOOST_AUTO_TEST_CASE(an_event_has_the_time_of_what_it_comes_after_or_of_its_record) {
  Bench bench;
  const OperationPtr copy = bench.add(Kind::copy_in, 1);
  BOOST_TEST(bench.timeline().time_of({copy}, 5) == 14);
  BOOST_TEST(bench.timeline().time_of({copy}, 20) == 20);
  BOOST_TEST(bench.timeline().time_of({}, 20) == 20);
}

BOOST_AUTO_TEST_CASE(the_host_notices_an_end_later_than_the_device) {
  Profile profile = round_figures();
  profile.stream.start_us = {3, 2, 3, 3};  // 2 of each are the host's notice
  Bench bench(profile);
  const OperationPtr copy = bench.add(Kind::copy_in, 1);
  BOOST_TEST(bench.finish(copy) == 1 + 1 + 10);
  BOOST_TEST(bench.timeline().seen_us({copy}) == 14);
  bench.timeline().wait_for({copy});
  BOOST_TEST(bench.timeline().now() == 14);
}

BOOST_AUTO_TEST_CASE(nodes_look_from_their_submission_on_and_later_ones_when_is_unknown) {
  Profile profile = round_figures();
  profile.stream.look_us = 8;
  Bench bench(profile);
  const auto node = [&](Kind kind) { return bench.add(kind, 1, 100, {}, 7); };
  const OperationPtr in = node(Kind::copy_in), kernel = node(Kind::kernel);
  const OperationPtr out = node(Kind::copy_out), next = node(Kind::copy_in);
  BOOST_TEST(bench.finish(in) == 0.25 + 5 + 10);
  BOOST_TEST(bench.finish(kernel) == 1 + 5 + 2 * 8 + 20);  // looks at 6, 14 and 22
  BOOST_TEST(bench.finish(out) == 1.75 + 5 + 5 * 8 + 10);  // the first after 42
  BOOST_TEST(bench.finish(next) == 56.75 + 8 / 2.0 + 10);  // half an interval late
}

BOOST_AUTO_TEST_CASE(a_launch_carries_its_first_copy_itself_if_it_is_small) {
  Profile profile = round_figures();
  profile.stream.look_us = 8;
  profile.stream.enqueue[index_of(Kind::copy_in)] = {{100, 2}, {101, 1}};
  profile.graph.latency_us[index_of(Kind::kernel)][index_of(Kind::kernel)] = 0.5;
  const auto end = [&](std::uint64_t bytes, bool begins) {
    Bench bench(profile);
    if (!begins) bench.add(Kind::kernel, 1, 100, {}, 7);
    bench.add(Kind::copy_in, 1, bytes, {}, 7);
    return bench.finish(bench.add(Kind::kernel, 1, 100, {}, 7));
  };
  BOOST_TEST(end(100, true) == 15.25 + 0.5 + 20);
  BOOST_TEST(end(200, true) == 1 + 5 + 2 * 8 + 20);      // the copy ends at 20.25
  BOOST_TEST(end(100, false) == 1.75 + 5 + 5 * 8 + 20);  // it starts at a look, too, at 30
}

BOOST_AUTO_TEST_CASE(a_large_memset_orders_and_costs_a_launch_as_a_kernel_does) {
  Profile profile = round_figures();
  profile.stream.enqueue[index_of(Kind::memset)] = {{100, 1}, {200, 4}};
  profile.stream.enqueue[index_of(Kind::kernel)] = always(4);
  profile.stream.latency_us[index_of(Kind::copy_in)][index_of(Kind::memset)] = 7;
  const auto end = [&](std::uint64_t bytes) {
    Bench bench(profile);
    bench.add(Kind::copy_in, 1);
    return bench.finish(bench.add(Kind::memset, 1, bytes));
  };
  BOOST_TEST(end(100) == 14 + 7 + 10);
  BOOST_TEST(end(200) == 14 + 2 + 15);
  const auto host_us = [&](std::uint64_t bytes) {
    Bench bench(profile);
    bench.add(Kind::kernel, 1, 100, {}, 7);
    bench.add(Kind::memset, 1, bytes, {}, 7);
    return bench.timeline().now();
  };
  BOOST_TEST(host_us(100) == 0.25 + 0.75);
  BOOST_TEST(host_us(200) == 0.25 + 0.25);
}

BOOST_AUTO_TEST_CASE(a_node_costs_the_host_as_after_its_dearest_predecessor) {
  Bench bench;
  const OperationPtr copy = bench.add(Kind::copy_in, 1, 100, {}, 7);
  const OperationPtr kernel = bench.add(Kind::kernel, 2, 100, {}, 7);
  bench.add(Kind::kernel, 3, 100, {copy, kernel}, 7);
  BOOST_TEST(bench.timeline().now() == 0.25 + 0.25 + 0.75);
}

BOOST_AUTO_TEST_CASE(a_clock_that_has_come_far_still_ends_what_is_short) {
  Bench bench;
  bench.timeline().spend(1e15);  // microseconds: 30 years
  const OperationPtr kernel = bench.add(Kind::kernel, 1), copy = bench.add(Kind::copy_out, 2);
  bench.timeline().wait_for({kernel, copy});
  BOOST_TEST(bench.timeline().now() == 1e15 + 25, boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace trilane::simulator
