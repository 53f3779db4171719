// Foreign texts, as messages and screens show them.
#include "common/base/text/quoting.hpp"

#include <boost/test/unit_test.hpp>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(quoting)

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
