// Predicted times of a recorded iteration on a simulated device with round times.
#include "common/application/prediction/simulated_prediction.hpp"

#include "tests/application/prediction/plain_profile.hpp"

using namespace plain;

BOOST_AUTO_TEST_SUITE(simulated_predictions)

using R = Recorded;
std::string refusal(const ApplicationRecording& recording) {
  const SimulatedTimes all = simulated_times(recording);
  BOOST_TEST((all.refusal.empty() != all.times.empty()));
  return all.refusal;
}

BOOST_AUTO_TEST_CASE(the_same_calls_take_the_recorded_kernels_and_the_copies_of_the_profile) {
  plain::start();
  const SimulatedTimes all = predict(one_chunk());
  BOOST_TEST(us(all, SimulatedWay::same_calls) == 60.0, near);
  BOOST_TEST(*time_of(all, SimulatedWay::same_calls).ratio == 1.0);
  BOOST_TEST(all.profile == "Plain GPU (profile of 2026-01-01)");
}

BOOST_AUTO_TEST_CASE(the_hosts_own_time_stays_without_what_recording_added) {
  plain::start();
  Iteration a = one_chunk();
  const SimulatedTimes all = predict(a, 5);  // 10 from 5 on, 30, and 20; then the wait is over
  BOOST_TEST(us(all, SimulatedWay::same_calls) == 65.0, near);
  a.recording.iteration_us = {70};
  a.recording.watched_us = {60};  // half of the gaps is the recorder's
  BOOST_TEST(us(predict(a, 5), SimulatedWay::same_calls) == 62.5, near);
  BOOST_TEST(us(predict(a, 5), SimulatedWay::graph) == 70.0, near);  // all of it before the launch
}

BOOST_AUTO_TEST_CASE(a_graph_saves_the_calls_and_takes_its_launch) {
  Profile profile = plain::profile();
  for (const Kind kind : {Kind::copy_in, Kind::kernel, Kind::copy_out}) {
    profile.stream.enqueue[index_of(kind)] = {{1, 100}};
  }
  profile.calls_us = {{"cudaGraphLaunch", 7}, {"cudaGraphExecMemcpyNodeSetParams1D", 3}};
  plain::start(profile);
  Iteration a = one_chunk();
  BOOST_TEST(us(predict(a), SimulatedWay::same_calls) == 320.0, near);
  BOOST_TEST(us(predict(a), SimulatedWay::graph) == 67.0, near);
  BOOST_TEST(why_not(predict(a), SimulatedWay::graph_set) ==
             "nothing varies from iteration to iteration");
  a.recording.calls[0].pointers = Variation::alternates;
  BOOST_TEST(us(predict(a), SimulatedWay::graph_set) == 70.0, near);
  BOOST_TEST(why_not(predict(a), SimulatedWay::graph) ==
             "arguments or pointers vary from iteration to iteration");
}

BOOST_AUTO_TEST_CASE(engines_work_at_once_on_data_of_their_own) {
  plain::start();
  const SimulatedTimes all = predict(two_chunks(R::size));
  BOOST_TEST(us(all, SimulatedWay::same_calls) == 120.0, near);
  BOOST_TEST(us(all, SimulatedWay::graph) == 120.0, near);
  BOOST_TEST(us(all, SimulatedWay::engines) == 90.0, near);  // 10, two kernels, 20
  BOOST_TEST(*time_of(all, SimulatedWay::engines).ratio == 0.75, near);
  BOOST_TEST(us(predict(two_chunks(0)), SimulatedWay::engines) == 120.0, near);  // shared data
}

BOOST_AUTO_TEST_CASE(the_host_waits_for_every_engine) {
  plain::start();
  Iteration a;
  a.copy(R::free_one, R::device, R::pinned);
  a.memset(R::free_one, R::other_device);
  a.synchronize(R::free_one);
  const SimulatedTimes all = predict(a, 5);
  BOOST_TEST(us(all, SimulatedWay::engines) == 5 + plain::out_us, near);
}

BOOST_AUTO_TEST_CASE(without_a_wait_iterations_follow_each_other_at_the_pace_of_the_slower_side) {
  plain::start();
  Iteration a;
  a.chunk(30, R::free_one, 0);
  BOOST_TEST(us(predict(a, 1), SimulatedWay::same_calls) == 60.0, near);
  BOOST_TEST(us(predict(a, 40), SimulatedWay::same_calls) == 120.0, near);
  BOOST_TEST(us(predict(a, 1), SimulatedWay::graph) == 60.0, near);
}

BOOST_AUTO_TEST_CASE(pageable_memory_is_copied_at_its_own_rate) {
  Profile profile = plain::profile();
  profile.engine.pageable_out_gbps = 0.1;
  plain::start(profile);
  Iteration a;
  a.copy(R::free_one, R::device, R::pageable);
  a.synchronize(R::free_one);
  const SimulatedTimes all = predict(a);
  BOOST_TEST(us(all, SimulatedWay::same_calls) == 40.96, near);
  BOOST_TEST(us(all, SimulatedWay::pinned) == plain::out_us, near);
  BOOST_TEST(why_not(predict(one_chunk()), SimulatedWay::pinned) == "no copy uses pageable memory");
  BOOST_TEST(why_not(all, SimulatedWay::engines) == "all operations run on one engine");
}

BOOST_AUTO_TEST_CASE(allocations_cost_what_the_profile_says_and_a_pool_less) {
  Profile profile = plain::profile();
  profile.memory.malloc = {{1, 50}};
  profile.memory.free = {{1, 25}};
  plain::start(profile);
  Iteration a;
  a.recording.streams = {{.kind = StreamKind::non_blocking}};
  a.recording.memory[R::device].within = true;
  add_allocation(a, CallKind::allocate);
  a.chunk(30, 0, 0);
  a.synchronize(0);
  add_allocation(a, CallKind::free);
  const SimulatedTimes all = predict(a);
  BOOST_TEST(us(all, SimulatedWay::same_calls) == 135.0, near);
  BOOST_TEST(us(all, SimulatedWay::pool) == 60.0, near);
  BOOST_TEST(us(all, SimulatedWay::graph) == 60.0, near);
  BOOST_TEST(us(all, SimulatedWay::engines) == 60.0, near);
  a.recording.calls.back().uses[0].memory = R::other_device;
  BOOST_TEST(refusal(a.close()) ==
             "cuMemFree: it frees memory that an earlier iteration allocated");
}

BOOST_AUTO_TEST_CASE(streams_events_and_synchronous_copies_order_as_in_the_application) {
  plain::start();
  Iteration a;  // 10 and 30 on one stream, 20 on another after them
  a.copy(R::free_one, R::pinned, R::device);
  a.kernel_of(30, R::free_one, {{R::device, 0, R::size, Use::may_use}});
  a.record(3, R::free_one);
  a.wait(3, R::free_two);
  a.copy(R::free_two, R::device, R::pinned, 8192);
  a.synchronize();
  BOOST_TEST(us(predict(a), SimulatedWay::same_calls) == 60.0, near);
  a.recording.calls.erase(a.recording.calls.begin() + 3);
  BOOST_TEST(us(predict(a), SimulatedWay::same_calls) == 40.0, near);
  Iteration legacy;
  legacy.copy(R::legacy, R::pinned, R::device).synchronous = true;
  legacy.kernel_of(30, R::legacy, {});
  legacy.copy(R::legacy, R::device, R::pinned).synchronous = true;
  BOOST_TEST(us(predict(legacy), SimulatedWay::same_calls) == 60.0, near);
}

BOOST_AUTO_TEST_CASE(the_models_error_is_that_of_the_profile_or_of_the_same_calls) {
  Profile profile = plain::profile();
  plain::start(profile);
  Iteration a = two_chunks(R::size);
  BOOST_TEST(!predict(a).error_factor.has_value());
  BOOST_TEST(!time_of(predict(a), SimulatedWay::engines).told_apart);
  profile.error = ModelError{.same_operations = ErrorFactor{10, 1.1}};
  plain::start(profile);
  BOOST_TEST(*predict(a).error_factor == 1.1);
  BOOST_TEST(time_of(predict(a), SimulatedWay::engines).told_apart);
  BOOST_TEST(!time_of(predict(a), SimulatedWay::graph).told_apart);
  a.recording.iteration_us = {80, 80};
  BOOST_TEST(*predict(a).measured_us == 80.0);
  BOOST_TEST(*predict(a).error_factor == 1.5, near);
  BOOST_TEST(!time_of(predict(a), SimulatedWay::engines).told_apart);
  a.recording.watched_us = {110, 120, 130};
  BOOST_TEST(*predict(a).measured_us == 120.0);
  a.recording.machine.gpu = "Another GPU";
  a.recording.watched_us = {1};
  BOOST_TEST(!predict(a).same_gpu);
  BOOST_TEST(*predict(a).error_factor == 1.1);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_predicted_is_named) {
  plain::start();
  const auto with = [](auto change) {
    Iteration a = one_chunk();
    change(a.recording);
    return refusal(a.close());
  };
  using Recording = ApplicationRecording;
  BOOST_TEST(with([](Recording& r) { r.calls[1].device_us.reset(); }) ==
             "cuLaunchKernel: the recording has no device time of its kernel");
  BOOST_TEST(with([](Recording& r) { r.calls[0].refusal = "it is captured"; }) ==
             "cuMemcpyAsync: it is captured");
  BOOST_TEST(with([](Recording& r) { r.calls[0].uses.clear(); }) ==
             "cuMemcpyAsync: it is not known which memory it reads");
  BOOST_TEST(with([](Recording& r) { r.memory[R::pinned].kind = MemoryKind::unknown; }) ==
             "cuMemcpyAsync: it is not known which memory it reads");
  const auto batch_of_unknown = [](Recording& r) {
    r.memory.emplace_back().kind = MemoryKind::unknown;
    r.calls[0].uses.resize(4, {static_cast<std::uint32_t>(r.memory.size() - 1), 0, 4, Use::writes});
  };
  BOOST_TEST(with(batch_of_unknown) ==
             "cuMemcpyAsync: it is not known which memory its copies use");
  BOOST_TEST(with([](Recording& r) { r.found = Found::none; }) == "no iteration was found");
  BOOST_TEST(with([](Recording& r) { r.threads = 2; }) ==
             "2 threads call the driver, and the simulated device has one host");
  const auto widen = [](Recording& r) {
    r.calls.resize(1000, r.calls[0]);
    r.streams.resize(1001);
  };
  BOOST_TEST(
      with(widen) ==
      "the iteration has 1000 calls and 1001 streams, and their product may be at most 1000000");
  const auto added = [&](CallKind kind, const char* name) {
    Iteration a = one_chunk();
    a.add(kind, name, R::free_one);
    return refusal(a.close());
  };
  BOOST_TEST(added(CallKind::host_function, "cuLaunchHostFunc") ==
             "cuLaunchHostFunc: it is not known how long its host function takes");
  BOOST_TEST(added(CallKind::graph_launch, "cuGraphLaunch") ==
             "cuGraphLaunch: the recording has no device time of its graph");
  BOOST_TEST(added(CallKind::other, "cuStreamWaitValue32") ==
             "cuStreamWaitValue32: the simulated device does not know what it does");
  Iteration waits;
  waits.synchronize(R::free_one);
  BOOST_TEST(refusal(waits.close()) == "the iteration has no kernel, copy or memset");
  waits.add(CallKind::graph_launch, "cuGraphLaunch", R::free_one);
  BOOST_TEST(refusal(waits.close()) ==
             "cuGraphLaunch: the recording has no device time of its graph");
}

/// A batch takes the time of one copy if both are small, in a graph that of its two nodes.
BOOST_AUTO_TEST_CASE(batches_and_graphs_of_the_application_are_predicted) {
  plain::start();
  Iteration a;
  a.copy(R::free_one, R::pinned, R::device);
  RecordedCall& batch = a.recording.calls.back();
  batch.uses.insert(batch.uses.end(), batch.uses.begin(), batch.uses.begin() + 2);
  for (UsedRange& used : batch.uses) used.bytes = 4;
  batch.bytes = 8;
  RecordedCall& launch = a.add(CallKind::graph_launch, "cuGraphLaunch", R::free_one);
  launch.device_us = 30;
  launch.graph = 0;
  a.recording.graphs.emplace_back().nodes.emplace_back().kind = CallKind::kernel;
  a.synchronize(R::free_one);
  BOOST_TEST(us(predict(a), SimulatedWay::same_calls) == 40.0, near);
  BOOST_TEST(us(predict(a), SimulatedWay::graph) == 50.0, near);
  a.recording.calls[1].call_us = 70;
  BOOST_TEST(us(predict(a), SimulatedWay::same_calls) == 70.0, near);
  a.recording.calls[0].pointers = Variation::alternates;
  BOOST_TEST(why_not(predict(a), SimulatedWay::graph_set) ==
             "addresses of a batch vary from iteration to iteration");
}

BOOST_AUTO_TEST_CASE(the_profile_s_calls_have_the_runtime_s_code) {
  plain::start();
  Iteration a = one_chunk();
  a.close();
  for (RecordedCall& call : a.recording.calls) {
    call.own_us = 0;
    call.runtime_us = 7;
  }
  BOOST_TEST(us(simulated_times(a.recording), SimulatedWay::same_calls) == 60.0, near);
}

BOOST_AUTO_TEST_CASE(what_is_left_out_or_assumed_is_said) {
  plain::start();
  BOOST_TEST(predict(one_chunk()).notes.size() == 1u);
  BOOST_TEST(predict(one_chunk(), 5).notes.size() == 2u);  // the application's own code
  Iteration rows = one_chunk();
  rows.recording.calls[0].bytes = 1024;  // of 4096 from the first to the last
  BOOST_TEST(predict(rows).notes.size() == 2u);
  Iteration streams = one_chunk();
  streams.recording.streams.resize(9);
  BOOST_TEST(predict(streams).notes.size() == 2u);
  Iteration priority = one_chunk();
  priority.recording.streams[1].priority = -1;
  BOOST_TEST(predict(priority).notes.size() == 2u);
  Iteration elsewhere = one_chunk();
  elsewhere.recording.machine.gpu = "Another GPU";
  BOOST_TEST(predict(elsewhere).notes.size() == 2u);
}

BOOST_AUTO_TEST_CASE(what_the_device_refuses_harms_no_later_prediction) {
  plain::start();
  Iteration a = one_chunk();
  a.recording.calls[1].block = {4096, 1, 1};
  BOOST_TEST(refusal(a.close()).starts_with(
      "the simulated device refuses it: cudaErrorInvalidConfiguration"));
  BOOST_TEST(us(predict(one_chunk()), SimulatedWay::same_calls) == 60.0, near);
}

BOOST_AUTO_TEST_CASE(memory_that_the_device_does_not_have_is_said) {
  plain::start();
  Iteration a;
  a.copy(R::free_one, R::pinned, R::device, std::uint64_t{1} << 35);
  a.memset(R::free_one, R::other_device);
  a.synchronize();
  BOOST_TEST(refusal(a.close()) ==
             "the device of the profile, or this host, has too little memory for it");
}

BOOST_AUTO_TEST_SUITE_END()
