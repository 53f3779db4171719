// Limits of a file: numbers and texts in ranges, and no more than can be read quickly.
#include "common/base/json/ranges.hpp"

#include <boost/describe/class.hpp>

#include "common/base/json/document.hpp"
#include "common/base/json/json_values.hpp"
#include "tests/base/refusal.hpp"

namespace ranges_test {

struct Inner {
  double us = 0;
};
BOOST_DESCRIBE_STRUCT(Inner, (), (us))

/// A member for each way to get a range.
struct Record {
  double wall_us = 0;                          // by its unit
  std::vector<std::vector<double>> passes_us;  // in lists
  std::map<std::string, double> calls_us;      // in a map
  std::optional<double> rate_gbps;             // if it is there
  std::uint64_t bytes = 0;                     // a whole number
  double share = 0;                            // stated
  std::string name, message;                   // by its type, and stated
  std::vector<std::pair<std::string, std::string>> notes;
  Inner inner;               // in a record
  double low = 0, high = 0;  // against each other
};
BOOST_DESCRIBE_STRUCT(Record, (),
                      (wall_us, passes_us, calls_us, rate_gbps, bytes, share, name, message, notes,
                       inner, low, high))
constexpr auto ranges(const Record*) {
  return std::tuple{trilane::Within<&Record::share>{{0, 1}},
                    trilane::Within<&Record::message>{trilane::text_range},
                    trilane::Within<&Record::low, &Record::high>{{-10, 10}}};
}
void cross_check(const Record& record) {
  if (record.low > record.high) trilane::misfit("is upside down");
}

}  // namespace ranges_test

using ranges_test::Record;

BOOST_AUTO_TEST_SUITE(ranges_of_files)

constexpr Schema schema{"test", 1, 1};

BOOST_AUTO_TEST_CASE(short_objects_with_texts_are_a_line_if_asked) {
  const boost::json::value value{{"type", "array"}, {"items", {{"type", "string"}}}};
  const std::string line = "{\"type\": \"array\", \"items\": {\"type\": \"string\"}}\n";
  BOOST_TEST(pretty(value, OneLine::texts) == line);
  BOOST_TEST(std::ranges::count(pretty(value), '\n') == 6);
  const boost::json::value is_long{{"enum", boost::json::array(400, "name")},
                                   {"items", {{"type", "string"}}}};
  BOOST_TEST(std::ranges::count(pretty(is_long, OneLine::texts), '\n') == 4);
}

BOOST_AUTO_TEST_CASE(a_list_ends_with_its_first_bad_entry) {
  const boost::json::value bad = boost::json::array(1000, "x");
  std::vector<Record> records;
  try {
    read(bad, records);
    BOOST_ERROR("was read");
  } catch (const Misfit& misfit) {
    BOOST_TEST(in_words(misfit) == "[0] is not an object: \"x\"");
  }
  BOOST_TEST(records.size() == 1u);
  std::vector<std::pair<std::string, Record>> named;
  BOOST_CHECK_THROW(read(boost::json::object{{"a", 1}, {"b", 2}}, named), Misfit);
  BOOST_TEST(named.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_member_that_no_list_names_is_noticed) {
  struct Pair {
    std::string name;
    std::optional<std::vector<double>> last;
  };
  BOOST_TEST((has_members<Pair, 2>));
  BOOST_TEST(!(has_members<Pair, 1>));
  BOOST_TEST(!(has_members<Pair, 3>));
}

Record sound() {
  Record record;
  record.wall_us = 1;
  record.passes_us = {{1}};
  record.calls_us = {{"call", 1}};
  record.rate_gbps = 1;
  record.bytes = 4;
  record.share = 0.5;
  record.name = "n";
  record.message = "m";
  record.notes = {{"a", "b"}};
  record.inner.us = 1;
  record.low = 1;
  record.high = 2;
  return record;
}

Record read_from(const std::string& text) { return record_in<Record>(parsed(text), schema); }

std::string text_of(const Record& record = sound()) {
  return boost::json::serialize(document_of(schema, record));
}

/// Returns the refusal of a record's text in which `part` is replaced.
std::string refused(const std::string& part, const std::string& replacement) {
  std::string text = text_of();
  const std::size_t place = text.find(part);
  BOOST_REQUIRE_MESSAGE(place != text.npos, part << " is not in " << text);
  try {
    read_from(text.replace(place, part.size(), replacement));
  } catch (const Misfit& misfit) {
    return in_words(misfit);
  }
  return "(not refused)";
}

std::string not_parsed(const std::string& text) {
  try {
    parsed(text);
  } catch (const Misfit& misfit) {
    return in_words(misfit);
  }
  return "(not refused)";
}

BOOST_AUTO_TEST_CASE(a_record_comes_back) {
  BOOST_TEST(text_of(read_from(text_of())) == text_of());
}

BOOST_AUTO_TEST_CASE(a_number_outside_its_range_is_refused_with_place_value_and_range) {
  const std::string time = " and must be from 0 to 86400000000";
  BOOST_TEST(refused("\"wall_us\":1E0", "\"wall_us\":-5") == ".wall_us is -5" + time);
  BOOST_TEST(refused("\"wall_us\":1E0", "\"wall_us\":8.7e10") == ".wall_us is 87000000000" + time);
  BOOST_TEST(refused("[[1E0]]", "[[1,-2]]") == ".passes_us[0][1] is -2" + time);
  BOOST_TEST(refused("\"call\":1E0", "\"call\":1e308") == ".calls_us.call is 1e+308" + time);
  BOOST_TEST(contains(refused("\"rate_gbps\":1E0", "\"rate_gbps\":-1"), ".rate_gbps is -1 and"));
  BOOST_TEST(contains(refused("\"bytes\":4", "\"bytes\":2305843009213693952"), ".bytes is 2.3"));
  BOOST_TEST(refused("\"share\":5E-1", "\"share\":1.5") == ".share is 1.5 and must be from 0 to 1");
  BOOST_TEST(refused("\"us\":1E0", "\"us\":-1") == ".inner.us is -1" + time);
  BOOST_TEST(refused("\"low\":1E0", "\"low\":1e400") == ".low is too large for a number: inf");
}

BOOST_AUTO_TEST_CASE(members_that_contradict_each_other_are_refused) {
  BOOST_TEST(refused("\"low\":1E0", "\"low\":3") == "the top level is upside down");
}

BOOST_AUTO_TEST_CASE(texts_and_keys_that_a_screen_would_obey_are_refused) {
  BOOST_TEST(refused("\"n\"", R"("a\u001b[31m")") ==
             ".name has a control character in byte 1: a\\x1b[31m");
  BOOST_TEST(contains(refused("\"m\"", R"("two\nlines")"), ".message has a control character"));
  BOOST_TEST(contains(refused("\"n\"", R"("\u0000")"), ".name has a control character"));
  BOOST_TEST(contains(refused("\"n\"", R"("\u009b1m")"), ".name has a control character"));
  BOOST_TEST(refused("\"a\":", R"("a\n":)") ==
             ".notes.a\\x0a has a control character in byte 1: a\\x0a");
  BOOST_TEST(contains(refused("\"call\":", R"("\u0007":)"), ".calls_us.\\x07 has a control"));
  BOOST_TEST(refused("\"name\"", R"("more\n":1,"name")") == ".more\\x0a is not known");
}

BOOST_AUTO_TEST_CASE(names_and_texts_have_lengths) {
  const std::string long_name(201, 'x'), long_text(10'001, 'x');
  BOOST_TEST(refused("\"n\"", '"' + long_name + '"') ==
             ".name has 201 bytes and may have at most 200");
  BOOST_TEST(refused("\"m\"", '"' + long_name + '"') == "(not refused)");
  BOOST_TEST(refused("\"m\"", '"' + long_text + '"') ==
             ".message has 10001 bytes and may have at most 10000");
  const std::string key = refused("\"a\":", '"' + long_text + "\":");
  BOOST_TEST(contains(key, "has 10001 bytes and may have at most 200"));
  BOOST_TEST(key.size() < 300u);
  BOOST_TEST(refused("\"schema\":\"test\"", "\"schema\":\"" + long_text + '"') ==
             ".schema has 10001 bytes and may have at most 200");
}

BOOST_AUTO_TEST_CASE(what_is_written_can_be_read_again_whatever_it_holds) {
  Record record = sound();
  record.name = std::string(300, '\n');
  record.message = "\x1b" + std::string(20'000, 'x');
  record.notes = {{"key\xff\n", "\xff"}};
  const Record read = read_from(text_of(record));
  BOOST_TEST(read.name.size() <= 200u);
  BOOST_TEST(read.name.starts_with("\\x0a\\x0a"));
  BOOST_TEST(read.message.starts_with("\\x1bxxx"));
  BOOST_TEST(read.message.size() == 10'000u);
  BOOST_TEST(read.notes.at(0).first == "key\\xff\\x0a");
  BOOST_TEST(text_of(read) == text_of(record));
}

BOOST_AUTO_TEST_CASE(the_schema_states_members_types_and_ranges) {
  const std::string time = R"({"type":"number","minimum":0E0,"maximum":8.64E10})";
  const std::string name = R"({"type":"string","maxLength":200})";
  const std::string text = R"({"type":"string","maxLength":10000})";
  const auto list_of = [](const std::string& items) {
    return R"({"type":"array","items":)" + items + "}";
  };
  const auto map_of = [&](const std::string& values) {
    return R"({"type":"object","propertyNames":)" + name + R"(,"additionalProperties":)" + values +
           "}";
  };
  const auto number = [](const std::string& least, const std::string& most) {
    return R"({"type":"number","minimum":)" + least + R"(,"maximum":)" + most + "}";
  };
  const std::string wanted =
      R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{)"
      R"("schema":{"const":"test"},)"
      R"("schema_version":{"type":"integer","minimum":1,"maximum":1},)"
      R"("wall_us":)" +
      time + R"(,"passes_us":)" + list_of(list_of(time)) + R"(,"calls_us":)" + map_of(time) +
      R"(,"rate_gbps":)" + number("0E0", "1E6") +
      R"(,"bytes":{"type":"integer","minimum":0,"maximum":1152921504606846976},"share":)" +
      number("0E0", "1E0") + R"(,"name":)" + name + R"(,"message":)" + text + R"(,"notes":)" +
      map_of(name) + R"(,"inner":{"type":"object","properties":{"us":)" + time +
      R"(},"required":["us"],"additionalProperties":false},"low":)" + number("-1E1", "1E1") +
      R"(,"high":)" + number("-1E1", "1E1") +
      R"(},"required":["schema","schema_version","wall_us","passes_us","calls_us","bytes",)"
      R"("share","name","message","notes","inner","low","high"],"additionalProperties":false})";
  BOOST_TEST(boost::json::serialize(json_schema_of<Record>(schema)) == wanted);
}

BOOST_AUTO_TEST_CASE(too_many_values_are_refused_before_they_are_parsed) {
  std::string zeros = "[0";
  for (std::size_t i = 2; i < most_json_values; ++i) zeros += ",0";
  BOOST_TEST(not_parsed(zeros + "]") == "(not refused)");
  BOOST_TEST(not_parsed(zeros + ",0,0") == "the top level has more than 10000000 values");
  // Separators inside a text do not count, even after an escaped quotation mark.
  BOOST_TEST(not_parsed("\"\\\"" + std::string(most_json_values + 9, ',') + "\"") ==
             "(not refused)");
}

BOOST_AUTO_TEST_CASE(a_key_that_its_object_already_has_is_refused_with_its_line) {
  BOOST_TEST(refused("\"name\"", R"("name":"m","name")") ==
             "line 1 repeats the key 'name' of its object");
  BOOST_TEST(not_parsed("{\"a\": 1,\n\"b\": {\"c\": 2,\n\"d\": [{}], \"c\" : 3}}") ==
             "line 3 repeats the key 'c' of its object");
  BOOST_TEST(not_parsed(R"({"a": 1, "\u0061": 2})") == "line 1 repeats the key 'a' of its object");
  BOOST_TEST(not_parsed(R"({"\"\n": 1, "\"\n": 2})") ==
             "line 1 repeats the key '\"\\x0a' of its object");
  const std::string same_keys_elsewhere =
      R"({"a": {"a": "a"}, "b": [{"a": 1}, {"a": "{"}, "a", "a"]})";
  BOOST_TEST(not_parsed(same_keys_elsewhere) == "(not refused)");
}

BOOST_AUTO_TEST_CASE(too_many_levels_are_refused) {
  BOOST_TEST(not_parsed(std::string(32, '[') + std::string(32, ']')) == "(not refused)");
  BOOST_TEST(not_parsed(std::string(33, '[')) == "byte 32 is not JSON: too deep");
  BOOST_TEST(not_parsed(std::string(1'000'000, '[')) == "byte 32 is not JSON: too deep");
}

BOOST_AUTO_TEST_SUITE_END()
