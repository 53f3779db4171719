// Layout of pages: columns, wrapping, Markdown.
#include "common/base/text/page.hpp"

#include "tests/explain/report/check_page.hpp"

BOOST_AUTO_TEST_SUITE(page)

BOOST_AUTO_TEST_CASE(text_wraps_between_words_and_counts_characters) {
  const std::string forty = "\u00e4123456789012345678901234567890123456789";
  BOOST_TEST(paragraph(forty + " " + forty.substr(0, 40)) ==
             forty + " " + forty.substr(0, 40) + "\n");
  BOOST_TEST(paragraph(forty + " " + forty) == forty + "\n" + forty + "\n");
  BOOST_TEST(as_markdown({Bullet{"a  b\n"}}) == "- a b\n");
  BOOST_TEST(paragraph("") == "\n");
  std::string umlauts;
  for (int i = 0; i < 81; ++i) umlauts += "\u00e4";
  BOOST_TEST(paragraph(umlauts) == umlauts.substr(0, 160) + "\n\u00e4\n");
}

BOOST_AUTO_TEST_CASE(one_page_has_two_layouts) {
  const Page all{Heading{"launch", "64 chunks"},
                 Paragraph{"One sentence."},
                 Table{{"variant", ">us"}, {{"a", "1"}, {"bb", "23"}}},
                 Bullet{"first"},
                 Bullet{"second"},
                 LabelledText{"Graph?", "Yes."},
                 LabelledText{"", "And more."}};
  BOOST_TEST(as_text(all) == R"(launch: 64 chunks

One sentence.

variant  us
a         1
bb       23

- first
- second

Graph?  Yes.
        And more.
)");
  BOOST_TEST(as_markdown(all) == R"(### launch: 64 chunks

One sentence.

| variant |  us |
| :------ | --: |
| a       |   1 |
| bb      |  23 |

- first
- second

- **Graph?** Yes.
- And more.
)");
  BOOST_TEST(as_text({}) == "");
}

BOOST_AUTO_TEST_CASE(a_table_loses_columns_only_on_a_terminal_that_is_too_narrow) {
  Table table{{"name", ">b", "c"}, {{std::string(94, 'x'), "1", "2"}}, {"no such", ">b"}};
  BOOST_TEST(width_of(lines_in(as_text({table})).front()) == 100u);
  table.rows[0][1] = "123";
  BOOST_TEST(lines_in(as_text({table})).back() == std::string(94, 'x') + "  2");
  BOOST_TEST(contains(as_markdown({table}), "| 123 |"));
}

BOOST_AUTO_TEST_CASE(labels_share_a_column_and_their_texts_wrap_beside_it) {
  std::string words;
  for (int i = 0; i < 40; ++i) words += "word ";
  const auto lines = lines_in(as_text({LabelledText{"a", words}, LabelledText{"label", "b"}}));
  BOOST_TEST_REQUIRE(lines.size() == 4u);
  BOOST_TEST(lines[0].starts_with("a      word"));
  BOOST_TEST(lines[1].starts_with("       word"));
  BOOST_TEST(lines[3] == "label  b");
}

BOOST_AUTO_TEST_CASE(what_is_clipped_ends_between_words_and_says_so) {
  BOOST_TEST(clipped("one two three", 13) == "one two three");
  BOOST_TEST(clipped("one two three", 12) == "one two ...");
  BOOST_TEST(clipped("one two three", 9) == "one ...");
}

BOOST_AUTO_TEST_SUITE_END()
