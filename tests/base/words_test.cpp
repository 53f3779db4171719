// Words for people, suggestions for a mistyped name, and foreign texts as messages and screens show
// them.
#include "common/base/text/words.hpp"

#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(words)

const std::vector<std::string> known{"serial", "streams", "graph", "graph_built", "pool", "malloc"};

BOOST_AUTO_TEST_CASE(lists_end_with_and) {
  BOOST_TEST(listed({}) == "");
  BOOST_TEST(listed({"a"}) == "a");
  BOOST_TEST(listed({"a", "b"}) == "a and b");
  BOOST_TEST(listed({"a", "b", "c"}) == "a, b and c");
}

BOOST_AUTO_TEST_CASE(nouns_follow_their_number) {
  BOOST_TEST(counted(1, "timed pass") == "1 timed pass");
  BOOST_TEST(counted(0, "round") == "0 rounds");
  BOOST_TEST(counted(2, "timed pass") == "2 timed passes");
  BOOST_TEST(counted(3, "batch") == "3 batches");
}

BOOST_AUTO_TEST_CASE(shares_become_percentages) {
  BOOST_TEST(percent(0.05) == "5%");
  BOOST_TEST(percent(0.0025) == "0.25%");
  BOOST_TEST(percent(0.0525, 1) == "5.2%");
  BOOST_TEST(percent(1, 0) == "100%");
}

BOOST_AUTO_TEST_CASE(parts_between_separators_may_be_empty) {
  using Parts = std::vector<std::string>;
  BOOST_TEST(split("", ',') == Parts{""}, boost::test_tools::per_element());
  BOOST_TEST(split("a,,b,", ',') == (Parts{"a", "", "b", ""}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_slip_of_the_finger_is_understood) {
  BOOST_TEST(closest("graph", known) == "graph");
  BOOST_TEST(closest("grap", known) == "graph");    // a letter missing
  BOOST_TEST(closest("graaph", known) == "graph");  // one too many
  BOOST_TEST(closest("greph", known) == "graph");   // a wrong one
  BOOST_TEST(closest("garph", known) == "graph");   // two swapped
  BOOST_TEST(closest("sreial", known) == "serial");
  BOOST_TEST(closest("Streams", known) == "streams");
}

BOOST_AUTO_TEST_CASE(the_only_name_that_a_word_begins_is_meant) {
  BOOST_TEST(closest("graph_b", known) == "graph_built");
  BOOST_TEST(closest("m", known) == "malloc");
  BOOST_TEST(closest("s", known) == "");  // serial or streams
}

BOOST_AUTO_TEST_CASE(other_words_suggest_nothing) {
  for (const char* word : {"", "x", "loop", "multi-stream", "everything"})
    BOOST_TEST(closest(word, known) == "", word);
  BOOST_TEST(closest(std::string(1'000'000, 'g'), known) == "");
  BOOST_TEST(closest("graph", {}) == "");
  BOOST_TEST(did_you_mean("grap", known) == "did you mean 'graph'? ");
  BOOST_TEST(did_you_mean("loop", known) == "");
}

BOOST_AUTO_TEST_CASE(what_a_terminal_would_obey_is_shown_as_bytes) {
  const struct {
    std::string_view text;
    const char* shown;
  } cases[] = {
      {"streams", "streams"},
      {"a \xc2\xb5s, 10 \xe2\x82\xac, \xf0\x9f\x98\x80",
       "a \xc2\xb5s, 10 \xe2\x82\xac, \xf0\x9f\x98\x80"},
      {"\x1b[31mred", "\\x1b[31mred"},
      {"two\nlines\r\n", "two\\x0alines\\x0d\\x0a"},
      {std::string_view("a\0b", 3), "a\\x00b"},
      {"\x7f", "\\x7f"},
      {"\xc2\x9b"
       "31m",
       "\\xc2\\x9b31m"},                    // CSI in one character
      {"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},  // line separator
      {"a\xe2\x80\xae"
       "b",
       "a\\xe2\\x80\\xae"
       "b"},  // writes from right to left
      {"\xe2\x81\xa6", "\\xe2\\x81\\xa6"},
      {"\xff\xfe", "\\xff\\xfe"},
      {"cut \xe2\x82", "cut \\xe2\\x82"},
      {"\xc0\x80", "\\xc0\\x80"},           // not the shortest form
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},  // surrogate
  };
  for (const auto& [text, shown] : cases) BOOST_TEST(printable(text) == shown);
}

BOOST_AUTO_TEST_CASE(a_long_text_is_cut_between_characters_and_never_longer_than_asked) {
  BOOST_TEST(printable("1234567890", 10) == "1234567890");
  BOOST_TEST(printable("12345678901", 10) == "1234567...");
  BOOST_TEST(printable("123456\xc2\xb5"
                       "89",
                       10) ==
             "123456\xc2\xb5"
             "89");
  BOOST_TEST(printable("123456\xc2\xb5"
                       "890",
                       10) == "123456...");
  BOOST_TEST(printable("12345\n6789", 10) == "12345...");
  BOOST_TEST(printable(std::string(100'000, 'x')).size() == most_shown);
  BOOST_TEST(in_quotes(std::string(100'000, 'x')).size() == most_shown + 2);
}

BOOST_AUTO_TEST_CASE(what_was_cut_is_not_cut_again) {
  for (const std::string& text : {std::string(500, 'x'), std::string(100, '\n')}) {
    for (std::size_t most = 3; most < 60; ++most) {
      const std::string once = printable(text, most);
      BOOST_TEST(once.size() <= most);
      BOOST_TEST(printable(once, most) == once);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
