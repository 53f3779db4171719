// Times are put into a file, and nothing else changes. Changed files are read or refused in one
// line.
#include "common/model/workload/file/pipeline_file.hpp"

#include "common/base/text/words.hpp"
#include "tests/model/workload/file/bad_files.hpp"

BOOST_AUTO_TEST_SUITE(changed_pipeline_files)

class Changer {
 public:
  std::string changed(std::string text) {
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }

  /// Returns a word, a number or one other character.
  std::pair<std::size_t, std::size_t> token(const std::string& text) {
    std::size_t begin = below(text.size());
    const auto in_word = [&](std::size_t i) {
      return std::isalnum(static_cast<unsigned char>(text[i])) != 0;
    };
    if (!in_word(begin)) return {begin, 1};
    while (begin > 0 && in_word(begin - 1)) --begin;
    std::size_t end = begin;
    while (end < text.size() && in_word(end)) ++end;
    return {begin, end - begin};
  }

  void change(std::string& text) {
    static const std::array<const char*, 36> parts{
        "0",      "-1",      "1e30",       "18446744073709551615",
        "0.5",    "true",    "null",       "{}",
        "[]",     "\"n\"",   "\"\"",       "\"image\"",
        "result", "rows",    "width",      "in",
        "out",    "inout",   "size",       "value",
        "n",      "copy",    "after",      "name",
        "\n",     "\\u0000", "\x01",       "\xff",
        "ceil(",  ")",       "/",          "int8",
        "uint64", "half",    "{\"a\": 1}", "\"a\": "};
    const auto [begin, length] = token(text);
    switch (below(4)) {
      case 0: text.erase(begin, length); break;
      case 1: text.insert(begin, parts[below(parts.size())]); break;
      case 2: text.replace(begin, length, parts[below(parts.size())]); break;
      default: {
        const auto [other, other_length] = token(text);
        text.replace(begin, length, text.substr(other, other_length));
      }
    }
  }

  std::mt19937 random_{20261123};
};

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

BOOST_AUTO_TEST_CASE(changed_files_are_read_or_refused_in_one_line) {
  Changer changer;
  int read = 0, syntax = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = changer.changed(i % 2 == 0 ? good_file : example_pipeline());
    try {
      const Pipeline pipeline = pipeline_in(text, "a.json").pipeline;
      ++read;
      KernelTimes times{std::vector<double>(pipeline.kernels.size(), 2.5), {}};
      if (pipeline.fused) times.fused = 7.5;
      const Pipeline timed = pipeline_in(with_times(text, times), "a.json").pipeline;
      for (const KernelSpec& kernel : timed.kernels) BOOST_REQUIRE(kernel.time_us == 2.5);
      if (timed.fused) BOOST_REQUIRE(timed.fused->time_us == 7.5);
    } catch (const UsageError& error) {
      const std::string message = error.what();
      BOOST_REQUIRE_MESSAGE(message.starts_with("a.json:") && message.size() < 1000, message);
      BOOST_REQUIRE_MESSAGE(printable(message, 10'000) == message, message);
      if (contains(message, "is not JSON")) ++syntax;
    }
  }
  BOOST_TEST(read > 500);
  BOOST_TEST(syntax < 15'000);  // many get past the parser
}

BOOST_AUTO_TEST_SUITE_END()
