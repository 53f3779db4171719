// Variants that are measured apart read what this process draws. The other process is a bench here.
#include <unistd.h>

#include "common/device/flavour/flavour.hpp"
#include "common/measure/harness/compare_variants.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/harness/measure_alone.hpp"
#include "common/measure/sweep/conclude.hpp"
#include "common/measure/sweep/visit.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(measured_apart)

namespace {

const ComparisonSettings settings{
    .variants = {"streams", "graph"}, .reference = "streams", .seconds = 1e-3};

/// Simulates the variants' own processes, except that the first variant may not set up.
class Elsewhere final : public CudaBench {
 public:
  Elsewhere(const Workload& workload, const SharedHost& host, std::function<void()> draw_input,
            const bool& ended)
      : Elsewhere(workload,
                  std::make_shared<HostBuffers>(host, sizes_for(workload), workload.host_memory),
                  std::move(draw_input), ended) {}

  void new_input() override { draw_input_(); }
  std::string check(std::size_t variant, std::uint32_t batch) override {
    buffers_->take_input();
    return CudaBench::check(variant, batch);
  }
  double set_up(std::size_t variant) override {
    if (ended_ && variant == 0) throw std::runtime_error("ended by signal 9");
    return CudaBench::set_up(variant);
  }

 private:
  Elsewhere(const Workload& workload, std::shared_ptr<HostBuffers> buffers,
            std::function<void()> draw_input, const bool& ended)
      : CudaBench(workload, contenders(settings), 1, buffers),
        buffers_(std::move(buffers)),
        draw_input_(std::move(draw_input)),
        ended_(ended) {}

  const std::shared_ptr<HostBuffers> buffers_;
  const std::function<void()> draw_input_;
  const bool& ended_;
};

struct Fixture {
  Device device = (start_simulation({}), open_device(0, Wait::spin));
  const BufferSizes sizes{1 << 20, 1 << 20};
  SharedHost host{sizes}, theirs{dup(host.memory.file()), sizes};
  bool ended = false;  // the first variant's process
  Apart apart{host, [this](const Workload& found, std::function<void()> draw_input) {
                return std::make_unique<Elsewhere>(found, theirs, std::move(draw_input), ended);
              }};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(every_kind_of_host_memory_has_the_input, Fixture) {
  for (const HostMemory kind : {HostMemory::pinned, HostMemory::pageable}) {
    Workload workload = presets().front();
    workload.host_memory = kind;
    Comparison comparison = ready_comparison(workload, settings, device, {});
    SharedInput input(workload, settings.seed, host);
    const auto bench = apart.open(workload, [&] { input.draw(); });
    for (const std::size_t v : order_of(comparison)) {
      measure_alone(*bench, comparison, v, 1e-3, {});
    }
    for (const Measurement& m : comparison.measurements) {
      BOOST_TEST_CONTEXT(name_of(kind) << ": " << m.variant << m.message) {
        BOOST_TEST((m.status == Status::ok));
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_cell_has_the_times_of_each_visit_and_no_failed_variant, Fixture) {
  SweepRequest request;
  request.columns = {.knob = "lanes", .values = {2}};
  request.base = presets().front();
  for (const HostMemory kind : {HostMemory::pinned, HostMemory::pageable}) {
    request.base.host_memory = kind;
    RegimeMap map = empty_map(request, settings.variants, {2, Tier::same_operations});
    map.processes = 3;
    plan_cells(map, request, settings, device);
    Visitor visitor(settings, device, map);
    Cell& cell = map.cells.front();
    ended = false;
    for (std::uint32_t visits = 1; visits <= 2; ++visits) {
      cell = visitor.visit(cell, 1e-3, {}, &apart);
      BOOST_TEST_CONTEXT(failure_in(cell)) BOOST_TEST(!visitor.failed());
      BOOST_TEST(cell.visits == visits);
      BOOST_TEST_REQUIRE(cell.variants.size() == 2u);
      for (const CellVariant& entry : cell.variants) BOOST_TEST(entry.processes.size() == visits);
    }
    ended = true;
    cell = visitor.visit(cell, 1e-3, {}, &apart);
    BOOST_TEST(visitor.failed());
    BOOST_TEST(cell.winner == "graph");
    BOOST_TEST(failure_in(cell) == "streams failed: ended by signal 9");
    cell = visitor.visit(cell, 1e-3, {}, &apart);
    BOOST_TEST(!visitor.failed());  // it is not tried again
    BOOST_TEST(failure_in(cell) == "streams failed: ended by signal 9");
    BOOST_TEST(cell.variants.at(0).processes.size() == 4u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
