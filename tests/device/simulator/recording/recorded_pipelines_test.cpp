// Trilane's own variants, recorded and made into pipeline files: the same chunks as their workload.
#include "common/application/iteration/recording_file.hpp"
#include "common/application/pipelines/making/recorded_pipeline.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/model/workload/file/pipeline_file.hpp"
#include "tests/device/simulator/recording/call_listener.hpp"

BOOST_AUTO_TEST_SUITE(recorded_pipelines_of_variants)

namespace {

ApplicationRecording recorded(const std::string& name, const Workload& workload, bool with_data) {
  const RecordedPasses passes =
      recorded_passes(name, workload, {.range = "pass", .with_data = with_data});
  return recording_from_json(recording_to_json(passes.recording));
}

void test_same_chunks(const PipelineFile& file, const Workload& workload) {
  const Workload again = workload_of(file.name, file.pipeline);
  BOOST_TEST(again.chunks() == workload.chunks());
  BOOST_TEST(again.bytes == workload.bytes);
  BOOST_TEST(again.chunk_bytes == workload.chunk_bytes);
  BOOST_TEST(again.result_bytes == workload.result_bytes);
  BOOST_TEST(again.result_total() == workload.result_total());
  BOOST_TEST(again.stages().total() == workload.stages().total());
  BOOST_TEST(again.stages().kernels == workload.depth);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_recorded_preset_is_its_pipeline_again) {
  for (Workload workload : presets()) {
    for (const char* name : {"serial", "streams", "engines", "pool", "malloc"}) {
      for (const Order order : {Order::depth_first, Order::breadth_first}) {
        BOOST_TEST_CONTEXT(workload.name << " " << name << " " << name_of(order)) {
          workload.order = order;
          const RecordedPipeline made = recorded_pipeline(recorded(name, workload, true));
          const PipelineFile file = pipeline_in(pipeline_text(made, "preset.cu"), "app.json");
          test_same_chunks(file, workload);
          if (name == std::string("streams") || name == std::string("engines")) {
            BOOST_TEST(*file.lanes == workload.used_lanes());
            BOOST_TEST((*file.order == order || workload.used_lanes() == 1));
          }
          for (const std::vector<bool>& kernel : made.unknown) {
            BOOST_TEST(std::ranges::count(kernel, true) == 0);
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_shorter_last_chunk_stays_shorter) {
  Workload workload = presets().front();
  workload.bytes -= workload.chunk_bytes - 64;
  const RecordedPipeline made = recorded_pipeline(recorded("streams", workload, true));
  const PipelineFile file = pipeline_in(pipeline_text(made, "preset.cu"), "app.json");
  test_same_chunks(file, workload);
  BOOST_TEST(file.pipeline.last_items == 16u);
}

BOOST_AUTO_TEST_CASE(without_data_no_value_is_recorded) {
  const ApplicationRecording recording = recorded("streams", presets().front(), false);
  BOOST_TEST(!recording.data);
  BOOST_TEST(recording_to_json(recording).find("\"values\"") == std::string::npos);
  for (const std::vector<bool>& kernel : recorded_pipeline(recording).unknown) {
    BOOST_TEST(std::ranges::count(kernel, true) == 3);
  }
}

BOOST_AUTO_TEST_CASE(a_launched_graph_is_refused_by_its_call) {
  try {
    recorded_pipeline(recorded("graph", presets().front(), false));
    BOOST_ERROR("was made a pipeline");
  } catch (const UsageError& error) {
    BOOST_TEST(error.what() ==
               std::string("graph launch at call 0: a pipeline file has no stage for graphs"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
