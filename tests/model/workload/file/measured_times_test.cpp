// Times are put into a file, and nothing else changes.
#include "common/model/workload/file/measured_times.hpp"

#include "common/model/workload/file/pipeline_file.hpp"
#include "tests/model/workload/file/bad_files.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(measured_times)

BOOST_AUTO_TEST_CASE(times_stand_behind_the_last_key_and_are_read_back) {
  const KernelTimes times{{12.3456, 1e-3}, 1234.56};
  const std::string timed = with_times(good_file, times);
  std::string expected = good_file_with(R"("float"}
     ]})",
                                        R"("float"}
     ], "time_us": 12.35})");
  const std::string end = R"({"chunk": "offset"}])";
  expected.replace(expected.find(end), end.size(), end + R"(, "time_us": 0.001)");
  const std::string fused = R"({"out": "result"}])";
  expected.replace(expected.find(fused), fused.size(), fused + R"(, "time_us": 1235)");
  BOOST_TEST(timed == expected);
  const Pipeline pipeline = pipeline_in(timed, "blur.json").pipeline;
  BOOST_TEST(pipeline.kernels[0].time_us == 12.35);
  BOOST_TEST(pipeline.kernels[1].time_us == 0.001);
  BOOST_TEST(pipeline.fused->time_us == 1235);
  BOOST_TEST(with_times(timed, times) == timed);
}

BOOST_AUTO_TEST_CASE(a_fused_kernel_may_stand_before_the_stages) {
  const std::size_t begin = good_file.find("  \"fused\""), end = good_file.rfind('}');
  const std::string fused = good_file.substr(begin, end - begin - 1) + ",\n";
  std::string text = good_file;
  text.replace(begin - 2, end - begin + 2, "\n");  // and the comma before it
  text.insert(text.find("  \"stages\""), fused);
  const Pipeline pipeline = pipeline_in(with_times(text, {{3, 4}, 5}), "blur.json").pipeline;
  BOOST_TEST(pipeline.kernels[0].time_us == 3);
  BOOST_TEST(pipeline.kernels[1].time_us == 4);
  BOOST_TEST(pipeline.fused->time_us == 5);
}

BOOST_AUTO_TEST_CASE(a_time_that_is_there_is_replaced_where_it_stands) {
  const std::string before = R"("kernel": "blur", "file")";
  const std::string text =
      good_file_with(before, "\"kernel\": \"blur\",\t\"time_us\" :\r\n  99 , \"file\"");
  BOOST_TEST(with_times(text, {{5, 100000}, 1}).find("\t\"time_us\" :\r\n  5 , \"file\"") !=
             text.npos);
}

BOOST_AUTO_TEST_CASE(there_is_a_time_for_each_kernel) {
  for (const std::vector<double>& us : {std::vector<double>{1}, {1, 2, 3}}) {
    BOOST_CHECK_THROW(with_times(good_file, {us, 1}), std::invalid_argument);
  }
  BOOST_CHECK_THROW(with_times(good_file, {{1, 2}, {}}), std::invalid_argument);
  const std::string without = example_pipeline();
  const std::size_t kernels = pipeline_in(without, "a.json").pipeline.kernels.size();
  const std::vector<double> us(kernels, 1);
  BOOST_TEST(with_times(without, {us, {}}) != without);
  BOOST_CHECK_THROW(with_times(without, {us, 1}), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
