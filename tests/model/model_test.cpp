// The execution model that each variant states, compared with the calls and nodes of its plan, and
// plans compared with evidence. tests/variants/evidence_test.cpp compares these with what the
// runtime counts.
#include "common/model/variant/model.hpp"

#include "common/model/results/results_io.hpp"
#include "common/model/variant/plan.hpp"
#include "common/model/variant/variant.hpp"
#include "tests/variants/shapes.hpp"

BOOST_AUTO_TEST_SUITE(models)

/// Everything in `plan` that contradicts the model that it states.
class Contradictions {
 public:
  Contradictions(const Plan& plan, const Workload& workload)
      : plan_(plan), workload_(workload), operations_(operations_of(plan.model, workload)) {
    check_issuer();
    check_chaining();
    check_scratch();
    check_mover();
    const bool waits =
        waits_each_time(plan.model) || plan.model.scratch == ScratchSource::cuda_malloc;
    wanted("submit blocks", plan.blocks, waits || workload.host_memory == HostMemory::pageable);
  }

  std::vector<std::string> found;

 private:
  void wanted(const std::string& what, std::uint64_t planned, std::uint64_t stated) {
    if (planned == stated) return;
    found.push_back(what + ": planned " + std::to_string(planned) + ", the model says " +
                    std::to_string(stated));
  }

  std::uint64_t calls(const std::string& name) const { return calls_of(plan_, name); }
  std::uint64_t nodes(const std::string& name) const {
    const auto node = std::ranges::find(plan_.nodes, name, &Count::name);
    return node == plan_.nodes.end() ? 0 : node->value;
  }
  std::uint64_t fact(const std::string& name) const {
    const auto found_fact = std::ranges::find(plan_.facts, name, &Expectation::name);
    return found_fact == plan_.facts.end() ? 0 : found_fact->value;
  }
  /// Returns the batches that the host issues, whatever issues the rest.
  std::uint64_t batches() const {
    return plan_.model.mover == Mover::engines_batched ? operations_.copies : 0;
  }
  std::uint64_t total_nodes() const {
    std::uint64_t total = 0;
    for (const Count& node : plan_.nodes) total += node.name.ends_with("nodes") ? node.value : 0;
    return total;
  }

  void check_issuer() {
    const std::uint64_t each = operations_.total();
    const Issuer issuer = plan_.model.issuer;
    wanted("graph launches", calls("cudaGraphLaunch"), launches_graph(plan_.model));
    wanted("nodes", total_nodes(), graph_nodes_of(plan_.model, workload_));
    wanted("host threads", plan_.host_threads,
           issuer == Issuer::host_threads ? workload_.used_lanes() : 0);
    wanted("updates", calls("cudaGraphExecUpdate"), issuer == Issuer::graph_updated);
    wanted("nodes set",
           calls("cudaGraphExecMemcpyNodeSetParams1D") + calls("cudaGraphExecMemsetNodeSetParams") +
               calls("cudaGraphExecKernelNodeSetParams"),
           issuer == Issuer::graph_set ? each : 0);
    wanted("loops", issuer == Issuer::graph_loop, 0);
    if (issuer == Issuer::graph) wanted("calls", total_calls(plan_), 1 + batches());
    wanted("waits for each operation", calls("cudaStreamSynchronize") >= each,
           issuer == Issuer::host_waiting);
  }

  void check_chaining() {
    const std::uint64_t chunks = workload_.chunks(), lanes = workload_.used_lanes();
    std::uint64_t streams = 0, records = 0, early = 0;
    switch (plan_.model.chaining) {
      case Chaining::one_stream:
        if (launches_graph(plan_.model)) wanted("edges", nodes("edges"), total_nodes() - 1);
        break;
      case Chaining::lanes:
        streams = lanes;
        records = lanes + 1;
        break;
      case Chaining::lanes_early:
        streams = lanes;
        records = lanes + 1;
        early = chunks * (workload_.depth - 1);
        break;
      case Chaining::engines:
        streams = 3;
        records = 3 * chunks + 4;
        break;
      case Chaining::data_edges:
        wanted("edges", nodes("edges"), chunks * (workload_.depth + 2) + 2 * (chunks - lanes));
        break;
      case Chaining::recorded:
      case Chaining::recorded_one_wait:
      case Chaining::recorded_memory: wanted("recorded", 0, 1); break;
    }
    wanted("streams", plan_.streams, streams);
    wanted("programmatic edges", nodes("programmatic edges"), early);
    const bool recorded_once =
        plan_.model.issuer == Issuer::graph || plan_.model.issuer == Issuer::graph_set;
    wanted("events recorded", calls("cudaEventRecord"), recorded_once ? 0 : records);
  }

  void check_scratch() {
    const std::uint64_t chunks = workload_.chunks(), pooled = calls("cudaMallocFromPoolAsync");
    const ScratchSource from = plan_.model.scratch;
    const bool pool = from == ScratchSource::pool || from == ScratchSource::trimmed_pool;
    const bool alternates = plan_.model.issuer == Issuer::graph_updated ||
                            plan_.model.issuer == Issuer::graph_set;  // between two sets
    std::uint64_t bytes = workload_.scratch_bytes() * workload_.used_lanes() * (alternates ? 2 : 1);
    if (from == ScratchSource::pass) bytes = workload_.bytes + workload_.result_total();
    if (from == ScratchSource::none) bytes = 0;
    wanted("the application's memory", from == ScratchSource::recording, 0);
    wanted("scratch bytes", plan_.scratch_bytes, bytes);
    wanted("cudaMalloc", calls("cudaMalloc"), from == ScratchSource::cuda_malloc ? chunks : 0);
    wanted("pool allocations", pooled, pool ? chunks * workload_.pool.allocations : 0);
    wanted("allocation nodes", nodes("alloc nodes"),
           from == ScratchSource::graph_nodes ? chunks : 0);
    wanted("needs pools", plan_.needs_pools, pool || from == ScratchSource::graph_nodes);
    if (pool) {
      wanted("keeps nothing", fact("release threshold") == 0, from == ScratchSource::trimmed_pool);
    }
  }

  void check_mover() {
    const bool graph = launches_graph(plan_.model);
    wanted("batches", calls("cudaMemcpyBatchAsync"), batches());
    wanted("copies", graph ? nodes("memcpy nodes") : calls("cudaMemcpyAsync"),
           operations_.copies - batches());
    wanted("memsets", graph ? nodes("memset nodes") : calls("cudaMemsetAsync"),
           operations_.memsets);
    wanted("kernels", graph ? nodes("kernel nodes") : calls("cudaLaunchKernel"),
           operations_.kernels);
    wanted("maps host memory", plan_.maps_host, !uses_copy_engines(plan_.model));
  }

  const Plan& plan_;
  const Workload& workload_;
  const Operations operations_;
};

/// Returns `model` with another value on one of its axes, in all ways.
std::vector<Model> others(const Model& model) {
  std::vector<Model> changed;
  const auto change = [&](auto Model::*axis) {
    for (const auto value : enumerators<std::remove_cvref_t<decltype(model.*axis)>>) {
      Model other = model;
      other.*axis = value;
      if (!(other == model)) changed.push_back(other);
    }
  };
  change(&Model::issuer);
  change(&Model::chaining);
  change(&Model::scratch);
  change(&Model::mover);
  return changed;
}

std::string words(const Model& model) {
  return std::string(name_of(model.issuer)) + "; " + name_of(model.chaining) + "; " +
         name_of(model.scratch) + "; " + name_of(model.mover);
}

/// Returns the variant's model, read from a file of version 3.
Model model_after_upgrade(const std::string& variant, const Plan& plan) {
  Results results;
  Measurement& m = results.comparisons.emplace_back().measurements.emplace_back();
  results.comparisons[0].workload = presets().front();
  m.variant = variant;
  m.plan = plan;
  boost::json::value file = boost::json::parse(to_json(results));
  file.at("schema_version") = 3;
  boost::json::value& written = file.at("comparisons").at(0).at("measurements").at(0);
  written.at("plan").as_object().erase("model");
  return from_json(boost::json::serialize(file)).comparisons[0].measurements[0].plan.model;
}

BOOST_AUTO_TEST_CASE(every_variant_does_what_its_model_says) {
  std::vector<Workload> workloads = presets();
  workloads.push_back(shape("counted", 4 * 512 + 100, 512, 64, 2, 3));
  BOOST_TEST(registry().size() >= 19u);
  for (const VariantEntry& entry : registry()) {
    for (const Workload& workload : workloads) {
      for (const std::string& wrong : Contradictions(entry.plan(workload), workload).found) {
        BOOST_ERROR(entry.name << " on " << workload.name << ": " << wrong);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(chunks_that_move_together_take_one_copy_each_way) {
  Model model = multi_stream;
  model.mover = Mover::engines_per_pass;
  BOOST_TEST(operations_of(model, presets().front()).copies == 2u);
}

BOOST_AUTO_TEST_CASE(each_variant_is_of_one_tier) {
  using Names = std::vector<std::string>;
  BOOST_TEST(names_of_tier(Tier::moved_together) == (Names{"graph_coalesced", "batch"}),
             boost::test_tools::per_element());
  BOOST_TEST(names_of_tier(Tier::rewritten) ==
                 (Names{"streams_kernels", "graph_kernels", "graph_fused", "fused"}),
             boost::test_tools::per_element());
  BOOST_TEST(names_of_tier(Tier::same_operations).size() + 6 == registry().size());
}

BOOST_AUTO_TEST_CASE(a_wrong_statement_on_any_axis_is_found) {
  const Workload workload = shape("counted", 4 * 512 + 100, 512, 64, 2, 3);
  for (const VariantEntry& entry : registry()) {
    Plan plan = entry.plan(workload);
    for (const Model& other : others(plan.model)) {
      plan.model = other;
      BOOST_TEST(!Contradictions(plan, workload).found.empty(),
                 entry.name << " may not say: " << words(other));
    }
  }
}

BOOST_AUTO_TEST_CASE(files_of_before_models_get_them_by_the_variants_name) {
  const Workload workload = presets().front();
  for (const std::string name :
       {"serial", "streams", "engines", "threads", "graph", "graph_built", "graph_update",
        "graph_set", "graph_coalesced", "pool", "pool_trim", "malloc", "graph_pool",
        "streams_kernels", "graph_kernels", "graph_fused", "fused"}) {
    Workload trimming = workload;
    trimming.pool.threshold = 0;
    for (const auto& [suffix, as] : {std::pair{"", workload}, {":threshold=0", trimming}}) {
      const Plan plan = find_variant(name).plan(as);
      BOOST_TEST((model_after_upgrade(name + suffix, plan) == plan.model), name << suffix);
    }
  }
  BOOST_CHECK_THROW(model_after_upgrade("unknown", {}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_pool_that_keeps_nothing_is_another_model) {
  Workload workload = presets().front();
  BOOST_TEST((find_variant("pool").plan(workload).model.scratch == ScratchSource::pool));
  workload.pool.threshold = 0;
  const Plan plan = find_variant("pool").plan(workload);
  BOOST_TEST((plan.model == find_variant("pool_trim").plan(workload).model));
  BOOST_TEST(Contradictions(plan, workload).found.empty());
}

BOOST_AUTO_TEST_CASE(evidence_that_meets_the_plan_is_no_mismatch) {
  const std::vector<Expectation> expected{{"kernel nodes", 64, false}, {"reserved bytes", 1, true}};
  BOOST_TEST(mismatches(expected, {{"kernel nodes", 64}, {"reserved bytes", 1}}).empty());
  BOOST_TEST(
      mismatches(expected, {{"reserved bytes", 99}, {"kernel nodes", 64}, {"more", 1}}).empty());
  BOOST_TEST(mismatches({}, {}).empty());
}

BOOST_AUTO_TEST_CASE(every_miss_is_told_with_both_numbers) {
  const std::vector<Expectation> expected{{"a", 64, false}, {"b", 10, true}, {"c", 0, false}};
  const std::vector<std::string> misses = mismatches(expected, {{"a", 65}, {"b", 9}});
  const std::vector<std::string> right{"a: planned 64, the runtime reports 65",
                                       "b: planned at least 10, the runtime reports 9",
                                       "c: planned 0, the runtime reports nothing"};
  BOOST_TEST(misses == right, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_right_report_does_not_hide_a_wrong_one) {
  BOOST_TEST(mismatches({{"a", 1, false}}, {{"a", 1}, {"a", 2}}).size() == 1);
  BOOST_TEST(mismatches({{"a", 1, false}}, {{"a", 0}}).size() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
