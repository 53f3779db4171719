// Users' pipelines under every variant: Trilane's presets and examples as files, and pipelines that
// are awkward in one way each. On the simulated device, which computes none of their results, only
// the order and the evidence are checked.
#include "common/base/text/exit_code.hpp"
#include "common/measure/harness/cuda_bench.hpp"
#include "common/measure/harness/trial.hpp"
#include "common/model/workload/file/pipeline_file.hpp"
#include "common/model/workload/knobs.hpp"
#include "common/model/workload/steps.hpp"
#include "kernels/mix.hpp"
#include "tests/variants/call_counter.hpp"
#include "tests/variants/can_run.hpp"
#include "tests/variants/example_answers.hpp"
#include "tests/variants/shapes.hpp"

BOOST_AUTO_TEST_SUITE(pipelines)

using Bytes = std::vector<std::byte>;

/// Returns the top of the source tree, or of an installed copy of its kernels and pipelines.
std::filesystem::path top() {
  const char* const folder = std::getenv("TRILANE_TOP");
  BOOST_TEST_REQUIRE(folder != nullptr);
  return folder;
}

Workload workload_in(const std::string& path, const Knobs& knobs = {}) {
  PipelineFile file = read_pipeline(top() / path);
  for (KernelSpec& kernel : file.pipeline.kernels) kernel.time_us = 5;
  if (file.pipeline.fused) file.pipeline.fused->time_us = 5;
  const std::string name = file.name;
  Workload workload = workload_of(name, std::move(file.pipeline));
  workload.lanes = file.lanes.value_or(4);
  workload.order = file.order.value_or(Order::depth_first);
  return turned(workload, knobs);
}

/// Returns the required outputs of one chunk, one after the other, from its inputs.
using Answer = std::function<Bytes(std::uint32_t chunk, const std::vector<Bytes>& inputs)>;

Bytes part(const std::byte* memory, std::uint64_t start, std::uint64_t bytes) {
  return {memory + start, memory + start + bytes};
}

/// Compares the output of the latest pass with the answer, within the tolerance of floats.
void check_answer(const Job& job, const Answer& answer) {
  for (std::uint32_t chunk = 0; chunk < job.layout.chunks; ++chunk) {
    std::vector<Bytes> inputs;
    Bytes outputs;
    for (const StageSpec& stage : job.workload.pipeline->stages) {
      const BufferPlace& place = job.layout.buffers[stage.buffer];
      const std::uint64_t bytes = job.layout.bytes(stage.buffer, chunk);
      const std::uint64_t offset = chunk * place.stride;
      if (stage.stage == Stage::copy_in) {
        inputs.push_back(part(job.host_in, *place.in_start + offset, bytes));
      }
      if (stage.stage != Stage::copy_out) continue;
      const Bytes out = part(job.host_out, *place.out_start + offset, bytes);
      outputs.insert(outputs.end(), out.begin(), out.end());
    }
    const Bytes right = answer(chunk, inputs);
    BOOST_TEST_REQUIRE(right.size() == outputs.size());
    if (job.workload.name != "products") {
      BOOST_TEST((right == outputs), "chunk " << chunk);
      continue;
    }
    for (std::size_t i = 0; i < right.size(); i += sizeof(float)) {
      float wanted = 0, got = 0;
      std::memcpy(&wanted, &right[i], sizeof wanted);
      std::memcpy(&got, &outputs[i], sizeof got);
      BOOST_TEST(std::abs(wanted - got) <= 1e-4f);
    }
  }
}

void check_every_variant(const Workload& workload, const Answer& answer) {
  for (const VariantEntry& entry : registry()) {
    if (!can_run(entry, workload)) continue;
    BOOST_TEST_CONTEXT(workload.name << ", " << entry.name) {
      CudaBench bench(workload, {entry}, 1);
      bench.set_up(0);
      for (int pass = 0; pass < 2; ++pass) {
        bench.new_input();
        BOOST_TEST(bench.check(0, 1) == "");
      }
      BOOST_TEST(bench.check(0, 3) == "");  // several passes in flight
      const auto missed = mismatches(entry.plan(workload).facts, bench.evidence(0));
      BOOST_TEST(missed.empty(), (missed.empty() ? "" : missed.front()));
      if (profile_in_use() == nullptr && entry.name == "streams") check_answer(bench.job(), answer);
      bench.tear_down(0);
    }
  }
}

/// Applies a preset's kernels to one chunk.
Bytes mixed(const Workload& preset, const Bytes& input) {
  const auto words = elements_of<std::uint32_t>(input);
  const bool reduces = preset.result_bytes < preset.chunk_bytes;
  std::vector<std::uint32_t> sums(reduces ? preset.result_bytes / 4 : words.size());
  for (std::uint32_t kernel = 0; kernel < preset.depth; ++kernel) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      sums[i % sums.size()] += mix(words[i] ^ salt(kernel), preset.rounds);
    }
  }
  return bytes_of(sums);
}

BOOST_AUTO_TEST_CASE(presets_as_files_give_what_the_presets_give) {
  for (const Workload& preset : presets()) {
    const std::string path = "tests/variants/presets/" + preset.name + ".json";
    const Workload whole = workload_in(path);
    BOOST_TEST(whole.bytes == preset.bytes);
    BOOST_TEST(whole.chunk_bytes == preset.chunk_bytes);
    BOOST_TEST(whole.result_bytes == preset.result_bytes);
    BOOST_TEST(whole.lanes == preset.lanes);
    BOOST_TEST(whole.depth == preset.depth);
    BOOST_TEST((early_places(whole) == early_places(preset)));
    // Small, because the CPU takes long for many rounds.
    const std::uint64_t chunk =
        preset.result_bytes < preset.chunk_bytes ? 4 * preset.result_bytes : 4096;
    Knobs knobs;
    knobs.size = 2 * chunk + 40;
    knobs.chunk_size = chunk;
    check_every_variant(workload_in(path, knobs),
                        [&](std::uint32_t, const std::vector<Bytes>& inputs) {
                          return mixed(preset, inputs.front());
                        });
  }
}

BOOST_AUTO_TEST_CASE(examples_give_what_a_cpu_computes) {
  for (const char* name : {"blur", "histogram", "halves", "products", "nonces"}) {
    // The simulated device computes none of it: a few chunks have every order and wait, too.
    Knobs knobs;
    if (profile_in_use() != nullptr) knobs.chunks = 6;
    const Workload workload = workload_in(std::string("kernels/examples/") + name + ".json", knobs);
    check_every_variant(workload, [&](std::uint32_t chunk, const std::vector<Bytes>& inputs) {
      return answer_of(name, chunk, inputs);
    });
  }
}

BOOST_AUTO_TEST_CASE(two_inputs_and_an_output_copied_early) {
  check_every_variant(workload_in("tests/variants/pipelines/two_inputs.json"),
                      [](std::uint32_t, const std::vector<Bytes>& inputs) {
                        auto one = elements_of<std::uint32_t>(inputs[0]);
                        auto sum = elements_of<std::uint32_t>(inputs[1]);
                        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
                        for (std::uint32_t& word : one) word *= 2;
                        Bytes right = bytes_of(sum), doubled = bytes_of(one);
                        right.insert(right.end(), doubled.begin(), doubled.end());
                        return right;
                      });
}

BOOST_AUTO_TEST_CASE(no_input_but_numbers_and_constants) {
  const Workload workload = workload_in("tests/variants/pipelines/no_input.json");
  check_every_variant(workload, [&](std::uint32_t chunk, const std::vector<Bytes>&) {
    const bool last = chunk + 1 == workload.chunks();
    std::vector<std::uint16_t> right(last ? 12 : 333);
    for (std::size_t i = 0; i < right.size(); ++i) {
      right[i] = static_cast<std::uint16_t>((chunk * 333 + i) * std::uint64_t(-3) + chunk);
    }
    return bytes_of(right);
  });
}

BOOST_AUTO_TEST_CASE(chunks_of_odd_bytes_and_a_memset_of_a_value) {
  check_every_variant(workload_in("tests/variants/pipelines/odd_bytes.json"),
                      [](std::uint32_t, const std::vector<Bytes>& inputs) {
                        Bytes right;
                        for (const std::byte byte : inputs[0]) right.push_back(~byte);
                        right.insert(right.end(), 2, std::byte{7});
                        return right;
                      });
}

BOOST_AUTO_TEST_CASE(a_kernel_in_place_on_the_only_buffer) {
  check_every_variant(workload_in("tests/variants/pipelines/only_inputs.json"),
                      [](std::uint32_t, const std::vector<Bytes>& inputs) {
                        auto words = elements_of<std::uint32_t>(inputs[0]);
                        for (std::uint32_t& word : words) word *= 2;
                        return bytes_of(words);
                      });
}

BOOST_AUTO_TEST_CASE(inputs_have_an_allocation_of_their_own_only_beside_other_buffers) {
  for (const auto& [file, each] :
       {std::pair{"no_input", 1u}, {"only_inputs", 1u}, {"two_inputs", 2u}}) {
    BOOST_TEST_CONTEXT(file) {
      Workload workload = workload_in(fmt::format("tests/variants/pipelines/{}.json", file));
      workload.pool.allocations = 2;
      const VariantEntry& entry = find_variant("pool");
      const Plan plan = entry.plan(workload);
      const std::uint64_t wanted = std::uint64_t{workload.chunks()} * each;
      BOOST_TEST(calls_of(plan, "cudaMallocFromPoolAsync") == wanted);
      BOOST_TEST(calls_of(plan, "cudaFreeAsync") == wanted);
      if (!can_run(entry, workload) || !can_count_calls()) continue;
      CudaBench bench(workload, {entry}, 1);
      bench.set_up(0);
      bench.new_input();
      auto calls = count_calls([&] { BOOST_TEST(bench.check(0, 1) == ""); });
      BOOST_TEST(calls["cudaMallocFromPoolAsync"] == wanted);
      BOOST_TEST(calls["cudaFreeAsync"] == wanted);
      bench.tear_down(0);
    }
  }
}

BOOST_AUTO_TEST_CASE(kernels_that_wait_by_themselves) {
  const Workload workload = workload_in("tests/variants/pipelines/early.json");
  check_every_variant(workload, [](std::uint32_t, const std::vector<Bytes>& inputs) {
    auto words = elements_of<std::uint32_t>(inputs[0]);
    std::ranges::reverse(words);  // three times
    for (std::uint32_t& word : words) word = 27 * word + 13;
    return bytes_of(words);
  });
  const std::vector<Expectation> facts = find_variant("graph_early").plan(workload).facts;
  const Expectation edges{"programmatic edges", 5 * 2, false};
  BOOST_TEST(std::ranges::count(facts, edges) == 1);
}

BOOST_AUTO_TEST_CASE(kernels_start_early_where_the_file_says_so_and_the_device_can) {
  const VariantEntry& entry = find_variant("graph_early");
  Workload workload = workload_in("tests/variants/pipelines/early.json");
  const auto reason = [&](int compute_major, const Workload& of) {
    Device device;
    device.name = "device";
    device.compute_major = compute_major, device.compute_minor = 6;
    return why_not_early(entry.plan(of).model, of, device);
  };
  BOOST_TEST(reason(9, workload) == "");
  BOOST_TEST(reason(8, workload) ==
             "device has compute capability 8.6, and kernels start early only from 9.0 on");
  for (KernelSpec& kernel : workload.pipeline->kernels) kernel.early = false;
  workload.pipeline->kernels[0].early = true;  // after a copy
  BOOST_TEST(reason(9, workload) ==
             "no kernel directly after another one says \"early\": true in the pipeline file");
  const Plan plain = find_variant("graph").plan(workload);
  BOOST_TEST(why_not_early(plain.model, workload, {}) == "");
  BOOST_TEST(reason(9, shape("one kernel", 4096, 512, 512, 2)) == "");
}

BOOST_AUTO_TEST_CASE(a_kernel_that_does_a_whole_chunk) {
  const Workload workload = workload_in("tests/variants/pipelines/fused.json");
  BOOST_TEST(can_run(find_variant("graph_fused"), workload));
  check_every_variant(workload, [](std::uint32_t, const std::vector<Bytes>& inputs) {
    auto words = elements_of<std::uint32_t>(inputs[0]);
    for (std::uint32_t& word : words) word = 2 * word + 1;
    return bytes_of(words);
  });
}

BOOST_AUTO_TEST_CASE(each_kernel_is_measured_and_so_is_one_that_does_a_whole_chunk) {
  Workload workload = workload_in("tests/variants/pipelines/fused.json");
  const auto is_time = [](double us) { return us > 0 && std::isfinite(us); };
  const KernelTimes times = kernel_times(workload, 1);
  BOOST_TEST(times.stages.size() == 2u);
  BOOST_TEST(std::ranges::all_of(times.stages, is_time));
  BOOST_TEST_REQUIRE(times.fused.has_value());
  BOOST_TEST(is_time(*times.fused));
  workload.host_memory = HostMemory::pageable;
  BOOST_CHECK_THROW(kernel_times(workload, 1), UsageError);
  workload.pipeline->fused.reset();
  const KernelTimes without = kernel_times(workload, 1);
  BOOST_TEST(without.stages.size() == 2u);
  BOOST_TEST(!without.fused.has_value());
}

/// 5 chunks on 2 lanes: copy one, copy other, add, copy sum, double one, copy one. Within a chunk:
/// 2 into add, 1 into copy sum, 1 (add) into double, 1 into the last copy: 5. Across: copy one
/// after the last copy of one (which follows double); copy other after add; add after copy sum: 3.
BOOST_AUTO_TEST_CASE(a_built_graph_has_the_edges_that_its_data_needs) {
  const Workload workload = workload_in("tests/variants/pipelines/two_inputs.json");
  const Plan plan = find_variant("graph_built").plan(workload);
  std::map<std::string, std::uint64_t> nodes;
  for (const Count& count : plan.nodes) nodes[count.name] = count.value;
  BOOST_TEST(nodes["edges"] == 5 * 5u + 3 * 3u);
  BOOST_TEST(nodes["roots"] == 2 * 2u);
  BOOST_TEST(nodes["memcpy nodes"] == 20u);
  BOOST_TEST(nodes["kernel nodes"] == 10u);
}

BOOST_AUTO_TEST_SUITE_END()
