#include "common/base/text/size.hpp"
#include "common/base/text/exit_code.hpp"

#include "common/base/text/words.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(size)

/// A refused value, and a part of the message with the reason or the remedy.
struct Refused {
  const char* text;
  const char* fragment;
};

template <typename Parse>
void check_refused(std::initializer_list<Refused> cases, Parse parse) {
  for (const auto& [text, fragment] : cases) {
    const std::string message = refusal<UsageError>([&] { parse("--knob", text); });
    BOOST_TEST_CONTEXT(message) {
      BOOST_TEST(message.starts_with("--knob " + in_quotes(text) + ": "));
      BOOST_TEST(contains(message, fragment));
    }
  }
}

BOOST_AUTO_TEST_CASE(sizes_as_people_write_them) {
  struct Read {
    const char* text;
    std::uint64_t bytes;
  };
  for (const auto& [text, bytes] : {Read{"4", 4},
                                    {"4096", 4096},
                                    {"4096B", 4096},
                                    {"4K", 4096},
                                    {"4k", 4096},
                                    {"4KiB", 4096},
                                    {"4kB", 4000},
                                    {" 64 KB ", 64'000},
                                    {"8M", 8'388'608},
                                    {"8MiB", 8'388'608},
                                    {"8MB", 8'000'000},
                                    {"1G", 1'073'741'824},
                                    {"1GB", 1'000'000'000},
                                    {"1T", 1'099'511'627'776},
                                    {"1tb", 1'000'000'000'000},
                                    {"1e6", 1'000'000},
                                    {"1E+6", 1'000'000},
                                    {"1.5K", 1536},
                                    {".5M", 524'288},
                                    {"0.5e1KiB", 5120},
                                    {"4000e-3K", 4096},
                                    {"1.004kB", 1004},
                                    {"1152921504606846972", max_size - 4},
                                    {"1152921504606846976", max_size},
                                    {"1048576TiB", max_size}}) {
    BOOST_TEST_CONTEXT(text) BOOST_TEST(parse_size("--size", text) == bytes);
  }
}

BOOST_AUTO_TEST_CASE(sizes_that_are_refused) {
  check_refused({{"", "write it like"},
                 {"K", "write it like"},
                 {".", "write it like"},
                 {"+4K", "write it like"},
                 {"inf", "write it like"},
                 {"0", "the minimum is 4 bytes"},
                 {"3", "the minimum is 4 bytes"},
                 {"-4K", "the minimum is 4 bytes"},
                 {"-1e400", "the minimum is 4 bytes"},
                 {"0x10", "unit 'x10' is unknown"},
                 {"4Q", "use K, M, G, T"},
                 {"4 K i", "use K, M, G, T"},
                 {"1e", "unit 'e' is unknown"},
                 {"1e+-6", "is unknown"},
                 {"1,5K", "is unknown"},
                 {"1.2.3K", "is unknown"},
                 {"4\nK\n", "unit '\\x0aK\\x0a' is unknown"},
                 {"1.0001K", "not a whole number of bytes"},
                 {"1e-400", "not a whole number of bytes"},
                 {"4097", "use 4096 or 4100"},
                 {"1152921504606846980", "the maximum is 2^60"},
                 {"18446744073709551616", "the maximum is 2^60"},
                 {"99999999999999999999999", "the maximum is 2^60"},
                 {"99999999999999999999999.0", "the maximum is 2^60"},
                 {"16777216T", "the maximum is 2^60"},
                 {"1e400", "the maximum is 2^60"},
                 {"1e99999999999999999999", "write it like"}},
                parse_size);
}

BOOST_AUTO_TEST_CASE(counts) {
  BOOST_TEST(parse_count("--n", "1", 1, 100) == 1);
  BOOST_TEST(parse_count("--n", "1e2", 1, 100) == 100);
  BOOST_TEST(parse_count("--n", "2.5e1", 1, 100) == 25);
  BOOST_TEST(parse_count("--n", "0", 0, 100) == 0);
  BOOST_TEST(parse_count("--n", "-0", 0, 100) == 0);
  BOOST_TEST(parse_count("--n", "9223372036854775808", 0, 1ull << 63) == 1ull << 63);
  const char* range = "must be a whole number from 1 to 100";
  check_refused({{"0", range},
                 {"-1", range},
                 {"101", range},
                 {"1.5", range},
                 {"1K", range},
                 {"", range},
                 {"ten", range},
                 {"0x1", range},
                 {"18446744073709551617", range}},
                [](const char* option, const char* text) { parse_count(option, text, 1, 100); });
  check_refused(
      {{"9223372036854775809", "from 0 to 9223372036854775808"},
       {"18446744073709551616", "from 0 to 9223372036854775808"}},
      [](const char* option, const char* text) { parse_count(option, text, 0, 1ull << 63); });
}

BOOST_AUTO_TEST_CASE(times) {
  BOOST_TEST(parse_time_us("--t", "250us", 0, 1e6) == 250);
  BOOST_TEST(parse_time_us("--t", "250 µs", 0, 1e6) == 250);
  BOOST_TEST(parse_time_us("--t", "1.5ms", 0, 1e6) == 1500);
  BOOST_TEST(parse_time_us("--t", "1s", 0, 1e6) == 1e6);
  BOOST_TEST(parse_time_us("--t", "2min", 0, 1e9) == 120e6);
  const char* unit = "write it like 250us";
  const char* range = "must be more than 0 us and at most 1 s";
  check_refused({{"5", unit},
                 {"", unit},
                 {"ms", unit},
                 {"nan", unit},
                 {"infs", unit},
                 {"1e400s", range},
                 {"5 parsecs", unit},
                 {"0s", range},
                 {"-1ms", range},
                 {"1.0001s", range}},
                [](const char* option, const char* text) { parse_time_us(option, text, 0, 1e6); });
}

BOOST_AUTO_TEST_CASE(percentages) {
  BOOST_TEST(parse_percent("--p", "1%", 0.001, 1) == 0.01);
  BOOST_TEST(parse_percent("--p", "0.5 %", 0.001, 1) == 0.005);
  BOOST_TEST(parse_percent("--p", "100%", 0.001, 1) == 1);
  check_refused({{"0.01", "write it like 1%"},
                 {"%", "write it like 1%"},
                 {"0%", "from 0.1% to 100%"},
                 {"-1%", "from 0.1% to 100%"},
                 {"101%", "from 0.1% to 100%"}},
                [](const char* option, const char* text) { parse_percent(option, text, 1e-3, 1); });
}

BOOST_AUTO_TEST_CASE(bytes_are_shown_in_powers_of_1024) {
  BOOST_TEST(format_bytes(0) == "0 B");
  BOOST_TEST(format_bytes(12) == "12 B");
  BOOST_TEST(format_bytes(1023) == "1023 B");
  BOOST_TEST(format_bytes(4096) == "4 KiB");
  BOOST_TEST(format_bytes(1536) == "1.5 KiB");
  BOOST_TEST(format_bytes(1'000'000) == "976.6 KiB");
  BOOST_TEST(format_bytes(8ull << 20) == "8 MiB");
  BOOST_TEST(format_bytes(max_size) == "1 EiB");
  BOOST_TEST(format_bytes(std::numeric_limits<std::uint64_t>::max()) == "16.0 EiB");
}

BOOST_AUTO_TEST_CASE(times_are_shown_with_three_digits) {
  BOOST_TEST(format_us(0) == "0");
  BOOST_TEST(format_us(0.4567) == "0.457");
  BOOST_TEST(format_us(0.9996) == "1.00");
  BOOST_TEST(format_us(1) == "1.00");
  BOOST_TEST(format_us(12.34) == "12.3");
  BOOST_TEST(format_us(9.996) == "10.0");
  BOOST_TEST(format_us(99.96) == "100");
  BOOST_TEST(format_us(1234.5) == "1234");
  BOOST_TEST(format_us(12345678) == "12345678");
  BOOST_TEST(format_us(-12.34) == "-12.3");
  BOOST_TEST(format_us(0.00012345) == "0.000123");
}

BOOST_AUTO_TEST_CASE(times_in_words_have_the_unit_that_keeps_them_short) {
  BOOST_TEST(time_in_words(0.0456) == "0.0456 us");
  BOOST_TEST(time_in_words(41.23) == "41.2 us");
  BOOST_TEST(time_in_words(999.4) == "999 us");
  BOOST_TEST(time_in_words(999.6) == "1.00 ms");
  BOOST_TEST(time_in_words(999'600) == "1.00 s");
  BOOST_TEST(time_in_words(-2000) == "-2.00 ms");
}

BOOST_AUTO_TEST_CASE(words_are_quoted_for_one_line_and_for_a_shell) {
  BOOST_TEST(in_quotes("a b") == "'a b'");
  BOOST_TEST(in_quotes("a\tb\x7f") == "'a\\x09b\\x7f'");
  const char* arguments[] = {"--json", "a b", "it's", "", "plain-1.5_x/y=z,"};
  BOOST_TEST(command_line("trilane", arguments) ==
             R"(trilane --json 'a b' 'it'\''s' '' plain-1.5_x/y=z,)");
}

BOOST_AUTO_TEST_SUITE_END()
