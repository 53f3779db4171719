// Every variant under every legal order of its operations, or under many if there are too many.
#include <deque>
#include <numeric>
#include <unordered_set>

#include "common/device/simulator/machine/machine.hpp"
#include "common/measure/gpu/runtime/handles.hpp"
#include "common/measure/harness/comparison_settings.hpp"
#include "common/model/variant/variant.hpp"
#include "common/model/workload/data/contents.hpp"
#include "common/model/workload/reference.hpp"
#include "common/model/workload/steps.hpp"
#include "tests/base/long_form.hpp"
#include "tests/device/simulator/timing/choices.hpp"
#include "tests/variants/can_run.hpp"
#include "tests/variants/shapes.hpp"

namespace trilane::simulator {

namespace {

Settings fresh(std::uint32_t gpus) {
  Settings settings;
  settings.profile = built_in_profile();
  settings.copy_rates.assign(gpus, 1);
  return settings;
}

/// Restarts the machine before the first buffer is taken from it.
const Workload& on_a_fresh_machine(const Workload& workload) {
  restart(fresh(workload.gpu_count()));
  return workload;
}

/// One checked pass.
struct Pass {
  std::uint64_t order = 0;  ///< fingerprint of the sequence in which its operations ran
  std::string wrong;  ///< data, a report of the hazard check, or an illegal order; empty: nothing
};

/// One variant on its own machine and buffers, set up once. The machine is the process's: only one
/// instance at a time.
class Passes {
 public:
  Passes(const VariantEntry& entry, const Workload& workload)
      : reference_(on_a_fresh_machine(workload), 1),
        in_(make_pinned_buffer(layout_of(workload).in_bytes)),
        out_(make_pinned_buffer(layout_of(workload).out_bytes)),
        expected_(layout_of(workload).out_bytes),
        job_(workload, in_.get(), out_.get()),
        origin_(make_stream()),
        variant_(entry.make(job_)) {
    machine().on_execute = [this](const Operation& operation) { executed(operation); };
  }
  ~Passes() { machine().on_execute = nullptr; }
  Passes(const Passes&) = delete;
  Passes& operator=(const Passes&) = delete;

  /// Runs a pass on new input; all its choices come from `draw`.
  Pass run(std::unique_ptr<Draw> draw) {
    Machine& m = machine();
    m.draw = std::move(draw);
    issued_before_ = m.issued;
    executed_ = order_ = 0;
    last_of_.clear();
    reference_.draw(in_.get(), expected_.data());
    poison(out_.get(), expected_.size(), expected_.data());
    variant_->submit(origin_.get());
    check(cudaStreamSynchronize(origin_.get()));
    return {order_, what_is_wrong()};
  }

  const Workload& workload() const { return job_.workload; }

 private:
  /// Checks an operation against the rules here, without asking the schedule: it must follow what
  /// it waits for, and what its stream got before it. Nodes of a graph have an order of their own,
  /// copies of a batch have none among themselves.
  void executed(const Operation& operation) {
    ++executed_;
    order_ = (order_ ^ (operation.number - issued_before_)) * 0x9e3779b97f4a7c15;
    order_ ^= order_ >> 32;
    const bool waited = std::ranges::all_of(
        operation.after, [](const OperationPtr& before) { return before->done; });
    std::uint64_t& last = last_of_[operation.stream];
    const bool is_batched = operation.task->batched.has_value();
    const bool in_order = operation.launch != 0 || is_batched || last < operation.number;
    last = is_batched ? std::max(last, operation.number) : operation.number;
    if (!waited || !in_order) illegal_ = describe(operation) + " ran too early";
  }
  std::string what_is_wrong() {
    Machine& m = machine();
    if (!illegal_.empty()) return std::exchange(illegal_, {});
    if (executed_ != m.issued - issued_before_) {
      return fmt::format("{} of {} operations ran", executed_, m.issued - issued_before_);
    }
    if (!m.hazards.reports().empty()) {
      const Report report = m.hazards.reports().front();
      m.hazards.clear();
      return name_of(report.hazard) + ": " + report.text;
    }
    if (take_gaps(job_.workload, out_.get(), expected_.data()) > 0) return "wrote between chunks";
    const auto mismatch = compare(out_.get(), expected_.data(), expected_.size());
    return mismatch ? fmt::format("wrong data at byte {}", mismatch->offset) : "";
  }

  Reference reference_;
  PinnedBuffer in_, out_;
  std::vector<std::byte> expected_;
  Job job_;
  Stream origin_;
  std::unique_ptr<Variant> variant_;

  // The state of the current pass.
  std::uint64_t issued_before_ = 0, executed_ = 0, order_ = 0;
  std::map<std::uint64_t, std::uint64_t> last_of_;  // by stream, the last operation that ran
  std::string illegal_;
};

/// The observed orders of one variant on one workload.
struct Orders {
  std::unordered_set<std::uint64_t> distinct;  ///< fingerprints
  std::size_t passes = 0;
  bool all = false;   ///< every sequence of choices was made
  std::string wrong;  ///< of the first pass with something wrong, which is the last one made
};

/// Runs passes with every sequence of choices, in turn. Stops early at `limit` distinct orders, or
/// at ten times as many passes: an order repeats if choices concern things that only may happen.
Orders enumerate(Passes& passes, std::size_t limit) {
  Orders orders;
  const auto choices = std::make_shared<Choices>();
  do {
    const Pass pass = passes.run(std::make_unique<ChosenDraw>(choices));
    ++orders.passes;
    orders.distinct.insert(pass.order);
    orders.wrong = pass.wrong;
    orders.all = !choices->next();
  } while (!orders.all && orders.wrong.empty() && orders.distinct.size() < limit &&
           orders.passes < 10 * limit);
  return orders;
}

/// Adds passes with random choices, from the seeds 1 to `count`, to `orders`.
void sample(Passes& passes, std::size_t count, Orders& orders) {
  for (std::uint64_t seed = 1; seed <= count && orders.wrong.empty(); ++seed) {
    const Pass pass = passes.run(std::make_unique<RandomDraw>(seed));
    ++orders.passes;
    orders.distinct.insert(pass.order);
    if (!pass.wrong.empty()) orders.wrong = fmt::format("seed {}: {}", seed, pass.wrong);
  }
}

/// Returns the number of orders of independent chains of operations, given their lengths: the
/// multinomial coefficient, at most `most`.
std::uint64_t orders_of_chains(const std::vector<std::uint64_t>& lengths, std::uint64_t most) {
  std::uint64_t orders = 1, operations = 0;
  for (const std::uint64_t length : lengths) {
    for (std::uint64_t i = 1; i <= length; ++i) {
      orders = orders * ++operations / i;
      if (orders >= most) return most;
    }
  }
  return orders;
}

/// Shapes with fewer legal orders are tried in all of them.
constexpr std::uint64_t few = 1000;
/// Returns the number of random orders or of passes in a test: in the short form a fifth.
std::size_t some_of(std::size_t all) { return in_long_form() ? all : all / 5; }
/// Orders tried one by one of a shape, before random ones, if it is not known how many it has.
const std::size_t enumerated = some_of(few);
/// Distinct orders tried for every variant, over all shapes, if it has that many.
const std::size_t enough = some_of(10'000);

Workload small(std::uint64_t chunks, std::uint32_t lanes, std::uint32_t depth, Order order) {
  constexpr std::uint64_t words = 16;
  const char* const issued = order == Order::depth_first ? "depth first" : "breadth first";
  return shape(fmt::format("{} on {}, depth {}, {}", chunks, lanes, depth, issued), chunks * words,
               words, words, lanes, depth, order);
}

/// A shape, and the number of random orders to try if it has too many to try all.
struct Tried {
  Workload workload;
  std::size_t samples;
};

std::deque<Tried> shapes() {
  std::deque<Tried> shapes;
  for (const auto order : {Order::depth_first, Order::breadth_first}) {
    for (const std::uint32_t depth : {1u, 2u}) {
      for (const auto& [chunks, lanes] :
           {std::pair{1, 2u}, {2, 1u}, {2, 2u}, {3, 2u}, {3, 3u}, {4, 2u}, {6, 3u}}) {
        shapes.push_back(
            {small(static_cast<std::uint64_t>(chunks), lanes, depth, order), some_of(1600)});
      }
    }
  }
  for (const Workload& workload : awkward_shapes()) {
    if (workload.bytes <= 1 << 17) shapes.push_back({workload, some_of(50)});
  }
  return shapes;
}

/// Returns the number of legal orders of a pass, derived from the variant's header; `few` for that
/// or more, nothing if it has to be found out.
std::optional<std::uint64_t> known_orders(const std::string& variant, const Workload& workload) {
  const std::uint64_t stages = 3 + workload.depth;
  if (variant == "serial") return 1;
  if (variant == "malloc") {
    if (workload.used_lanes() == 1 || workload.order == Order::depth_first) return 1;
    // With two lanes the second's last stage is issued when the first's have been waited for.
    if (workload.chunks() == 2) return orders_of_chains({stages, stages - 1}, few);
    return {};
  }
  if (variant == "fused") return 1;
  // Variants with a chain of operations for each lane, and how many a chunk adds to it.
  const std::map<std::string, std::uint64_t> chained{
      {"streams", stages},        {"threads", stages},         {"graph", stages},
      {"graph_update", stages},   {"pool", stages + 2},        {"pool_trim", stages + 2},
      {"graph_pool", stages + 2}, {"streams_kernels", stages}, {"graph_kernels", stages},
      {"graph_early", stages},    {"graph_fused", 1}};
  const auto per_chunk = chained.find(variant);
  if (per_chunk == chained.end()) return {};
  std::vector<std::uint64_t> chains(workload.used_lanes());
  for (std::uint32_t i = 0; i < workload.chunks(); ++i) {
    chains[workload.chunk(i).lane] += per_chunk->second;
  }
  return orders_of_chains(chains, few);
}

/// The orders tried for a variant, over all shapes.
struct Total {
  std::size_t shapes_in_all_orders = 0, shapes_sampled = 0, distinct = 0, passes = 0;

  void add(const Orders& orders) {
    ++(orders.all ? shapes_in_all_orders : shapes_sampled);
    distinct += orders.distinct.size();
    passes += orders.passes;
  }
};

/// Tries all orders of a shape if it has few, otherwise random ones.
Orders try_orders(const VariantEntry& entry, const Tried& tried) {
  const auto known = known_orders(entry.name, tried.workload);
  Passes passes(entry, tried.workload);
  Orders orders;
  if (!known || *known < few) orders = enumerate(passes, known ? few : enumerated);
  if (known && *known < few) {
    BOOST_TEST(orders.all);
    BOOST_TEST(orders.distinct.size() == *known);
  }
  if (!orders.all && orders.wrong.empty()) sample(passes, tried.samples, orders);
  return orders;
}

Total try_all(const VariantEntry& entry) {
  Total total;
  std::deque<Tried> all = shapes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Tried& tried = all[i];
    if (!can_run(entry, tried.workload)) continue;
    Orders orders;
    BOOST_TEST_CONTEXT(entry.name << ", " << tried.workload.name) {
      orders = try_orders(entry, tried);
      BOOST_TEST(orders.wrong == "");
      // The variant and its buffers are gone by now.
      BOOST_TEST(machine().leaks().empty());
      BOOST_TEST(machine().hazards.reports().empty());
    }
    total.add(orders);
    if (&tried == &all.back() && total.shapes_sampled > 0 && total.distinct < enough) {
      all.push_back({small(16, 4, 1, Order::depth_first), some_of(12'000)});
    }
    BOOST_TEST_MESSAGE(fmt::format("  {:<10} {:<40} {:>6} {} orders in {} passes", entry.name,
                                   tried.workload.name, orders.distinct.size(),
                                   orders.all ? "(all)" : "", orders.passes));
  }
  return total;
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(orders)

BOOST_AUTO_TEST_CASE(orders_of_chains_are_counted) {
  BOOST_TEST(orders_of_chains({}, few) == 1u);
  BOOST_TEST(orders_of_chains({800}, few) == 1u);
  BOOST_TEST(orders_of_chains({4, 4}, few) == 70u);
  BOOST_TEST(orders_of_chains({6, 6}, few) == 924u);
  BOOST_TEST(orders_of_chains({4, 4, 4}, 100'000) == 34'650u);
  BOOST_TEST(orders_of_chains({4, 4, 4}, few) == few);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

/// The suites below have one part each.
constexpr std::size_t parts = 4;

void check_part(std::size_t part) {
  BOOST_TEST_REQUIRE(registry().size() >= 19u);
  for (std::size_t i = part; i < registry().size(); i += parts) {
    const VariantEntry& entry = registry()[i];
    const double start = seconds();
    const Total total = try_all(entry);
    BOOST_TEST_MESSAGE(
        fmt::format("{}: {} shapes in all orders, {} in random ones: {} distinct orders in {} "
                    "passes, {:.1f} s",
                    entry.name, total.shapes_in_all_orders, total.shapes_sampled, total.distinct,
                    total.passes, seconds() - start));
    // A variant that waits inside its pass, or has one kernel for everything, may have too few
    // orders for that; then all were tried.
    const bool had_all = total.shapes_sampled == 0;
    BOOST_TEST((total.distinct >= enough || had_all), entry.name << ": " << total.distinct);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(orders_split)

BOOST_AUTO_TEST_CASE(split_passes_are_right_in_every_legal_order) {
  std::vector<VariantEntry> entries = registry();
  std::erase_if(entries, [](const VariantEntry& entry) {
    return !can_be_split(entry.plan(presets().front()).model);
  });
  entries.push_back(for_each_gpu(find_variant("graph"), "graph:each"));
  for (const VariantEntry& entry : entries) {
    for (const std::uint32_t gpus : {2u, 3u}) {
      for (Tried tried : shapes()) {
        if (tried.workload.bytes > 1 << 14) continue;
        tried.workload.gpus.emplace(gpus);
        std::iota(tried.workload.gpus->begin(), tried.workload.gpus->end(), 0u);
        BOOST_TEST_CONTEXT(entry.name << ", " << tried.workload.label()) {
          BOOST_TEST(try_orders(entry, {tried.workload, some_of(200)}).wrong == "");
          BOOST_TEST(machine().leaks().empty());
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

// A suite for each part of the variants, so that ctest runs them in parallel.
#define TRILANE_ORDERS(suite, part)                                                   \
  BOOST_AUTO_TEST_SUITE(suite)                                                        \
  BOOST_AUTO_TEST_CASE(variants_are_right_in_every_legal_order) { check_part(part); } \
  BOOST_AUTO_TEST_SUITE_END()
TRILANE_ORDERS(orders_1, 0)
TRILANE_ORDERS(orders_2, 1)
TRILANE_ORDERS(orders_3, 2)
TRILANE_ORDERS(orders_4, 3)

}  // namespace trilane::simulator
