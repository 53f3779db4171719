// Recordings as pipelines: those recognised, and those refused by the call that does not fit.
#include "common/application/pipelines/making/recorded_pipeline.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/model/workload/file/pipeline_file.hpp"
#include "tests/application/pipelines/recorded_chunks.hpp"
#include "tests/base/refusal.hpp"

namespace {

using R = RecordedChunks;

std::string refusal_of(const ApplicationRecording& recording) {
  return refusal<UsageError>([&] { recorded_pipeline(recording); });
}

/// Returns the file of the recording, read like any other, and also through the recording's own
/// file.
PipelineFile written_and_read(const ApplicationRecording& recording) {
  const ApplicationRecording again = recording_from_json(recording_to_json(recording));
  return pipeline_in(pipeline_text(recorded_pipeline(again), "app.cu"), "app.json");
}

std::vector<std::string> stages_of(const Pipeline& pipeline) {
  std::vector<std::string> names;
  for (const StageSpec& stage : pipeline.stages) names.push_back(stage.name);
  return names;
}

void test_equal(const std::vector<std::string>& got, const std::vector<std::string>& wanted) {
  BOOST_TEST(got == wanted, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(recorded_pipelines)

BOOST_AUTO_TEST_CASE(chunks_on_lanes_become_a_pipeline_file) {
  for (const std::uint32_t lanes : {1u, 2u, 3u, 4u}) {
    for (const bool own_memory : {false, true}) {
      R a;
      a.lanes = lanes;
      a.own_memory = own_memory;
      a.depth_first().add_values();
      const PipelineFile file = written_and_read(a.recording);
      const Pipeline& pipeline = file.pipeline;
      BOOST_TEST(file.name == "app");
      BOOST_TEST(*file.lanes == lanes);
      BOOST_TEST((*file.order == Order::depth_first));
      BOOST_TEST(pipeline.chunks == 8u);
      BOOST_TEST(pipeline.items == 4096u);
      BOOST_TEST(pipeline.last_items == 4096u);
      test_equal(stages_of(pipeline),
                 {"copy in in", "memset out", "ns::mix<float>", "copy out out"});
      BOOST_TEST_REQUIRE(pipeline.buffers.size() == 2u);
      BOOST_TEST((pipeline.buffers[0].element == Element::float32));
      BOOST_TEST(pipeline.buffers[0].count == "n");
      const KernelSpec& kernel = pipeline.kernels.front();
      BOOST_TEST(kernel.file == "app.cu");
      test_equal(kernel.grid, {"ceil(n / 256)"});
      test_equal(kernel.block, {"256"});
      BOOST_TEST(kernel.time_us == 2.5);
      BOOST_TEST_REQUIRE(kernel.arguments.size() == 4u);
      BOOST_TEST((kernel.arguments[0].kind == ArgumentKind::in));
      BOOST_TEST((kernel.arguments[1].kind == ArgumentKind::inout));
      BOOST_TEST((kernel.arguments[2].kind == ArgumentKind::size));
      BOOST_TEST(kernel.arguments[2].expression == "n");
      BOOST_TEST(static_cast<float>(kernel.arguments[3].value) == 0.1f);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_last_chunk_may_be_shorter) {
  R a;
  a.last_items = 1000;
  a.depth_first().add_values();
  const Pipeline pipeline = written_and_read(a.recording).pipeline;
  BOOST_TEST(pipeline.last_items == 1000u);
  const Extents last = extents_of(pipeline, 1000);
  BOOST_TEST(last.bytes[0] == 4000u);
  BOOST_TEST(last.kernels[0].grid[0] == 4u);
  BOOST_TEST(last.kernels[0].sizes[2] == 1000u);
}

BOOST_AUTO_TEST_CASE(a_result_that_nothing_sets_is_written) {
  R a;
  a.clears = false;
  a.depth = 2;
  a.depth_first().add_values();
  const Pipeline pipeline = written_and_read(a.recording).pipeline;
  test_equal(stages_of(pipeline),
             {"copy in in", "ns::mix<float>", "ns::mix<float> 2", "copy out out"});
  BOOST_TEST((pipeline.kernels[0].arguments[1].kind == ArgumentKind::out));
  BOOST_TEST((pipeline.kernels[1].arguments[1].kind == ArgumentKind::inout));
}

BOOST_AUTO_TEST_CASE(an_order_stage_by_stage_is_seen) {
  R a;
  a.lanes = 4;
  for (std::uint32_t first = 0; first < a.chunks; first += a.lanes) {
    for (std::uint32_t i = 0; i < a.lanes; ++i) a.copy_in(first + i);
    for (std::uint32_t i = 0; i < a.lanes; ++i) a.clear(first + i);
    for (std::uint32_t i = 0; i < a.lanes; ++i) a.mix(first + i);
    for (std::uint32_t i = 0; i < a.lanes; ++i) a.copy_out(first + i);
  }
  a.add_values();
  const PipelineFile file = written_and_read(a.recording);
  BOOST_TEST((*file.order == Order::breadth_first));
  BOOST_TEST(file.pipeline.chunks == 8u);
  BOOST_TEST(*file.lanes == 4u);
}

BOOST_AUTO_TEST_CASE(a_stream_for_each_engine_has_lanes_by_memory) {
  R a;
  a.lanes = 2;
  a.depth_first().add_values();
  for (RecordedCall& call : a.recording.calls) {
    if (call.kind == CallKind::copy) call.stream = call.uses[0].memory == R::pinned ? 1 : 2;
    if (call.kind == CallKind::kernel || call.kind == CallKind::memset) call.stream = 4;
  }
  const PipelineFile file = written_and_read(a.recording);
  BOOST_TEST(file.pipeline.chunks == 8u);
  BOOST_TEST(*file.lanes == 2u);
}

BOOST_AUTO_TEST_CASE(pageable_memory_is_said) {
  R a;
  a.depth_first();
  BOOST_TEST(!recorded_pipeline(a.recording).pageable);
  a.recording.memory[R::pinned].kind = MemoryKind::pageable;
  BOOST_TEST(recorded_pipeline(a.recording).pageable);
}

BOOST_AUTO_TEST_CASE(memory_between_two_kernels_is_scratch) {
  R a;
  a.clears = false;
  a.recording.kernels.push_back({.name = "void add(float const*, float*)",
                                 .parameters = {{8, true}, {8, true}},
                                 .registers = 0,
                                 .static_shared_bytes = 0});
  for (std::uint32_t i = 0; i < a.chunks; ++i) {
    a.copy_in(i);
    a.mix(i).uses[1] = {R::device, a.place_of(i), (1 << 20) - a.place_of(i), Use::may_use};
    auto& second = a.mix(i);
    second.kernel = 1;
    second.arguments.resize(2);
    second.uses[0] = {R::device, a.place_of(i), (1 << 20) - a.place_of(i), Use::may_use};
    a.copy_out(i);
  }
  const RecordedPipeline made = recorded_pipeline(a.recording);
  BOOST_TEST_REQUIRE(made.pipeline.buffers.size() == 3u);
  BOOST_TEST(made.pipeline.buffers[1].name == "scratch");
  BOOST_TEST((made.pipeline.kernels[0].arguments[1].kind == ArgumentKind::out));
  BOOST_TEST((made.pipeline.kernels[1].arguments[0].kind == ArgumentKind::in));
  BOOST_TEST((made.pipeline.kernels[1].arguments[1].kind == ArgumentKind::out));
}

BOOST_AUTO_TEST_CASE(values_that_are_not_known_are_to_be_filled_in) {
  R a;
  a.depth_first();
  const RecordedPipeline made = recorded_pipeline(a.recording);
  BOOST_TEST((made.unknown == std::vector<std::vector<bool>>{{false, false, true, true}}));
  const auto refused = [&](const std::string& text) {
    return refusal<UsageError>([&] { pipeline_in(text, "app.json"); });
  };
  BOOST_TEST(refused(pipeline_text(made, "")) ==
             "app.json:14: stage 3: \"file\" must end in .cu, .ptx, .cubin or .fatbin, not "
             "\"fill in\"");
  BOOST_TEST(refused(pipeline_text(made, "app.cu")) ==
             "app.json:18: stage 3, argument 3: a value of type uint64 must be a whole number from "
             "0 to 18446744073709551615, not \"fill in\"");
}

BOOST_AUTO_TEST_CASE(numbers_that_follow_from_the_chunk_are_said_so) {
  R a;
  a.depth_first().add_values();
  std::uint64_t chunk = 0;
  for (RecordedValue& value : a.recording.data->values) {
    if (value.parameter == 2) value.bits = 4096 * chunk++;
  }
  const Pipeline offsets = written_and_read(a.recording).pipeline;
  BOOST_TEST((offsets.kernels[0].arguments[2].kind == ArgumentKind::chunk_offset));
  for (RecordedValue& value : a.recording.data->values) {
    if (value.parameter == 2) value.bits /= 4096;
  }
  const Pipeline numbers = written_and_read(a.recording).pipeline;
  BOOST_TEST((numbers.kernels[0].arguments[2].kind == ArgumentKind::chunk_number));
  a.recording.data->values[2].bits = 77;
  BOOST_TEST(recorded_pipeline(a.recording).unknown[0][2]);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(refused_pipelines)

BOOST_AUTO_TEST_CASE(calls_that_no_pipeline_states_are_named) {
  const auto with = [](auto change) {
    R a;
    a.depth_first();  // calls 0 to 2 are events; a chunk has 4 calls from 3 on
    change(a);
    return refusal_of(a.recording);
  };
  BOOST_TEST(with([](R& a) { a.recording.found = Found::none; }) ==
             "the recording holds no iteration; name its NVTX range with --iteration");
  BOOST_TEST(with([](R& a) { a.recording.calls.resize(3); }) ==
             "the iteration holds no copies, memsets or kernels");
  BOOST_TEST(with([](R& a) { a.add(CallKind::graph_launch, "cuGraphLaunch"); }) ==
             "graph launch at call 36: a pipeline file has no stage for graphs");
  BOOST_TEST(with([](R& a) { a.add(CallKind::host_function, "cuLaunchHostFunc"); }) ==
             "host function at call 36: a pipeline file has no stage for host functions");
  BOOST_TEST(
      with([](R& a) { a.copy(1, R::device, R::other_device); }) ==
      "copy device to device at call 36: copies from device to device memory; a pipeline file has "
      "copies between host and device");
  BOOST_TEST(
      with([](R& a) { a.recording.calls[4].value = 300; }) ==
      "memset at call 4: sets numbers of several bytes to 0x12c; a pipeline file sets bytes");
  BOOST_TEST(
      with([](R& a) { a.recording.calls[3].uses[1].bytes *= 2; }) ==
      "copy host to device at call 3: moves rows with gaps; a pipeline file has no such stage");
  BOOST_TEST(
      with([](R& a) { a.recording.calls[3].uses.resize(4); }) ==
      "copy host to device at call 3: makes several copies at once; a pipeline file has no such "
      "stage");
  BOOST_TEST(
      with([](R& a) { a.recording.kernels[0].parameters[2].bytes = 24; }) ==
      "kernel ns::mix<float> at call 5: argument 3 has 24 bytes; a pipeline file has pointers and "
      "numbers of 1, 2, 4 or 8");
}

BOOST_AUTO_TEST_CASE(memory_that_no_chunk_has_is_named) {
  const auto with = [](auto change) {
    R a;
    a.depth_first();
    for (std::size_t i = 0; i < a.recording.calls.size(); ++i) {
      if (a.recording.calls[i].kind == CallKind::kernel) change(a.recording.calls[i]);
    }
    return refusal_of(a.recording);
  };
  const UsedRange weights{R::other_device, 0, 1 << 20, Use::may_use};
  BOOST_TEST(
      with([&](RecordedCall& kernel) { kernel.uses[0] = weights; }) ==
      "kernel ns::mix<float> at call 9: argument 1 points to memory that no chunk copies and that "
      "several chunks use; each chunk of a pipeline file has its own");
  BOOST_TEST(with([&](RecordedCall& kernel) {
               kernel.uses = {weights, weights};
             }) ==
             "kernel ns::mix<float> at call 5: no argument points to memory that a chunk copies");
  BOOST_TEST(
      with([&](RecordedCall& kernel) { kernel.uses[0].offset += 16; }) ==
      "kernel ns::mix<float> at call 5: argument 1 points into the middle of what copy host to "
      "device at call 3 copies; a pipeline file passes whole buffers");
  BOOST_TEST(
      with([&](RecordedCall& kernel) { kernel.uses.resize(1); }) ==
      "kernel ns::mix<float> at call 5: an argument points into memory in other launches of the "
      "kernel, and not in this one");
}

/// Lets every kernel use memory that no chunk copies.
void kernels_use_more(R& a) {
  for (RecordedCall& call : a.recording.calls) {
    if (call.kind == CallKind::kernel)
      call.uses.push_back({R::other_device, 0, 1 << 20, Use::may_use});
  }
}

BOOST_AUTO_TEST_CASE(what_kernels_of_several_chunks_use_is_not_scratch) {
  R a;
  a.depth = 2;
  a.recording.kernels[0].name = "mix";
  a.recording.kernels[0].parameters[2].pointer = true;
  a.depth_first();
  kernels_use_more(a);
  BOOST_TEST(
      refusal_of(a.recording) ==
      "kernel mix at call 10: argument 3 points to memory that no chunk copies and that several "
      "chunks use; each chunk of a pipeline file has its own");
}

BOOST_AUTO_TEST_CASE(what_one_kernel_of_a_lane_reads_is_not_scratch) {
  R a;
  a.lanes = 1;
  a.recording.kernels[0].parameters[2].pointer = true;
  a.depth_first();
  kernels_use_more(a);
  BOOST_TEST(refusal_of(a.recording) ==
             "kernel ns::mix<float> at call 4: argument 3 points to memory that no chunk copies; a "
             "pipeline file has no memory that holds data from before");
}

BOOST_AUTO_TEST_CASE(chunks_that_differ_are_refused_by_their_call) {
  const auto with = [](auto change) {
    R a;
    a.last_items = 1000;
    a.depth_first();
    change(a);
    return refusal_of(a.recording);
  };
  BOOST_TEST(with([](R& a) {
               a.recording.calls[9].block = {128, 1, 1};
             }) ==
             "kernel ns::mix<float> at call 9: has other blocks than kernel ns::mix<float> at call "
             "5, in the "
             "first chunk");
  BOOST_TEST(with([](R& a) {
               a.recording.calls[9].grid = {4, 1, 1};
             }) ==
             "kernel ns::mix<float> at call 9: has another grid than kernel ns::mix<float> at call "
             "5, in the "
             "first chunk");
  BOOST_TEST(with([](R& a) { a.recording.calls[8].value = 255; }) ==
             "memset at call 8: sets other bytes than memset at call 4, in the first chunk");
  BOOST_TEST(
      with([](R& a) { a.recording.calls[8].bytes = a.recording.calls[8].uses[0].bytes = 4000; }) ==
      "memset at call 8: moves 4000 bytes, other than memset at call 4, in the first chunk");
  BOOST_TEST(
      with([](R& a) { a.recording.calls.erase(a.recording.calls.begin() + 8); }) ==
      "kernel ns::mix<float> at call 8: does something else at this place of its chunk than memset "
      "at call 4, in the first chunk");
  BOOST_TEST(with([](R& a) { a.recording.calls.erase(a.recording.calls.begin() + 34); }) ==
             "copy device to host at call 6: the chunk that begins with copy host to device at "
             "call 31 has no "
             "such call");
  BOOST_TEST(
      with([](R& a) { std::swap(a.recording.calls[9].uses[0], a.recording.calls[9].uses[1]); }) ==
      "kernel ns::mix<float> at call 9: uses another buffer of its chunk than kernel "
      "ns::mix<float> "
      "at call 5, in the first chunk");
  BOOST_TEST(
      with([](R& a) {
        a.recording.calls[33].grid = {500, 1, 1};
      }) ==
      "kernel ns::mix<float> at call 33: no expression of n gives a grid of 16 for n = 4096 and of "
      "500 for n = 1000, in the last chunk");
}

BOOST_AUTO_TEST_CASE(chunks_that_depend_on_each_other_are_refused) {
  R twice;
  twice.depth_first();
  twice.copy_out(7);
  BOOST_TEST(
      refusal_of(twice.recording) ==
      "copy device to host at call 36: copies out memory for a second time; a pipeline file copies "
      "a buffer once");
  R before;
  before.copy_out(0);
  before.depth_first();
  BOOST_TEST(
      refusal_of(before.recording) ==
      "copy device to host at call 0: copies out what nothing before it in the iteration has "
      "written");
  R by_host;
  by_host.depth_first();
  by_host.recording.calls[11].uses[0].offset = by_host.recording.calls[10].uses[1].offset + 100;
  BOOST_TEST(refusal_of(by_host.recording) ==
             "copy host to device at call 11: copies in what copy device to host at call 10 copied "
             "out; the "
             "chunks of a pipeline file are independent");
  R unused;
  unused.depth_first();
  for (std::uint32_t i = 0; i < 2; ++i) unused.copy(1 + i, R::pinned, R::device, 4096 * i);
  BOOST_TEST(refusal_of(unused.recording).starts_with("copy host to device at call 3"));
}

BOOST_AUTO_TEST_SUITE_END()
