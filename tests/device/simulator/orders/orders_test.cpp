// Every variant under every legal order of its operations, or under many if there are too many.
#include <deque>

#include "tests/base/long_form.hpp"
#include "tests/device/simulator/orders/all_orders.hpp"
#include "tests/variants/can_run.hpp"
#include "tests/variants/shapes.hpp"

namespace trilane::simulator {

namespace {

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
