// The probe of the limit, and how the bench handles errors.
#include "common/measure/harness/probe.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/measure/gpu/recording.hpp"
#include "common/measure/gpu/runtime/device.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "tests/variants/shapes.hpp"

BOOST_AUTO_TEST_SUITE(probe)

void test_measured(const Limit& limit) {
  for (double figure : {limit.in_gbps, limit.out_gbps, limit.duplex_in_gbps, limit.duplex_out_gbps,
                        limit.copy_in_us, limit.clear_us, limit.kernels_us, limit.copy_out_us,
                        limit.steady_in_us, limit.steady_work_us, limit.steady_out_us,
                        limit.bound_us, limit.serial_us, limit.one_engine_us.value()}) {
    BOOST_TEST((std::isfinite(figure) && figure > 0), figure);
  }
  BOOST_TEST(limit.copy_engines.value() > 0u);
  for (const CallCost& call : limit.calls_us.value()) {
    BOOST_TEST((std::isfinite(call.us) && call.us > 0), call.name);
  }
}

BOOST_AUTO_TEST_CASE(every_figure_of_the_limit_is_measured) {
  for (const Workload& workload : awkward_shapes()) {
    BOOST_TEST_CONTEXT(workload.name) {
      CudaBench bench(workload, {}, 1);
      test_measured(probe_limit(bench.job()));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_call_of_lanes_and_pools_has_a_cost) {
  const Workload workload = shape("small", 4096, 512, 512, 2);
  const Limit limit = probe_limit(CudaBench(workload, {}, 1).job());
  for (const char* variant : {"streams", "pool"}) {
    const Plan plan = find_variant(variant).plan(workload);
    if (plan.needs_pools && !open_device(0).memory_pools) continue;
    for (const Count& call : plan.calls) {
      BOOST_TEST(std::ranges::count(*limit.calls_us, call.name, &CallCost::name) == 1, call.name);
    }
  }
  for (const char* call : {"cudaMalloc", "cudaFree"}) {
    BOOST_TEST(std::ranges::count(*limit.calls_us, call, &CallCost::name) == 1, call);
  }
}

BOOST_AUTO_TEST_CASE(other_chunks_are_held_against_those_that_were_measured) {
  for (const Workload& workload : awkward_shapes()) {
    BOOST_TEST_CONTEXT(workload.name) {
      CudaBench bench(workload, {}, 1);
      Limit limit = probe_limit(bench.job());
      probe_best_cut(limit, bench.job());
      if (!recut(workload) && !limit.best) continue;
      BOOST_TEST(limit.best.value().chunks > 0u);
      BOOST_TEST(limit.best->bound_us <= limit.bound_us);
      BOOST_TEST(limit.copies_in.value().start_us >= 0);
      BOOST_TEST(limit.copies_out.value().us_per_mib >= 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(more_operations_than_fit_behind_the_gate_do_not_hang) {
  test_measured(probe_limit(CudaBench(shape("deep", 64, 64, 64, 1, 3000), {}, 1).job()));
  test_measured(probe_limit(CudaBench(shape("long", 5000 * 4, 4, 4, 2), {}, 1).job()));
}

BOOST_AUTO_TEST_CASE(rounds_are_found_for_a_kernel_time) {
  const CudaBench bench(shape("wished", 1 << 18, 1 << 16, 1 << 16, 2), {}, 1);
  const std::uint32_t few = rounds_for(bench.job(), 100), many = rounds_for(bench.job(), 1000);
  BOOST_TEST(few > 1u);
  BOOST_TEST(many > few);
}

BOOST_AUTO_TEST_CASE(an_error_that_is_not_sticky_does_not_lose_the_gpu) {
  CudaBench bench(shape("small", 64, 64, 64, 1), {find_variant("streams")}, 1);
  BOOST_CHECK_THROW(make_device_buffer(std::uint64_t{1} << 60), OutOfMemory);
  BOOST_TEST(!bench.lost());
  bench.set_up(0);
  BOOST_TEST(bench.check(0, 1) == "");
  bench.tear_down(0);
}

BOOST_AUTO_TEST_CASE(a_capture_that_fails_ends) {
  const Stream stream = make_stream();
  BOOST_CHECK_THROW(capture([](cudaStream_t) { throw std::runtime_error("planted"); }),
                    std::runtime_error);
  check(cudaStreamSynchronize(stream.get()));
  const DeviceBuffer still_works = make_device_buffer(256);
}

BOOST_AUTO_TEST_SUITE_END()
