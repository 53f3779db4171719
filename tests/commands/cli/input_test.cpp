// The real program on invalid files, by every command that reads one: refused at once, in one line.
#include "tests/commands/cli/program.hpp"

namespace fs = std::filesystem;

BOOST_FIXTURE_TEST_SUITE(inputs, Workplace)

/// Returns the commands that read `file`.
std::vector<Words> readers_of(const std::string& file) {
  std::vector<Words> all{{"show", file}, {"compare", file, "old"}, {"report", file, "new.html"}};
  if (is_simulated()) {
    all.push_back({"--profile", file});
    all.push_back({"validate", "old", "new", "--profile", file});
    all.push_back({"calibrate", "new", "--profile", file});
    all.push_back({"validate", file, "new"});
  }
  return all;
}

/// Returns true if a terminal would only show the text.
bool is_plain(const std::string& text) {
  return std::ranges::none_of(text,
                              [](char c) { return (c >= 0 && c < ' ' && c != '\n') || c == 127; });
}

void check_refused(const std::string& file, const std::string& why) {
  for (const auto& words : readers_of(file)) {
    const Outcome outcome = run_without_gpu(words);
    BOOST_TEST_INFO_SCOPE(outcome.command_line.substr(0, 300) << "\n" << outcome.err);
    check_refused(outcome, why, "; give ");
    BOOST_TEST(outcome.err.size() < 1000u);
    BOOST_TEST(is_plain(outcome.err));
  }
}

/// Returns results into which any string can be put.
std::string results_with(const std::string& schema, const std::string& key) {
  return "{\"schema\": \"" + schema + "\", \"schema_version\": 5, \"" + key + "\": 1}";
}

BOOST_AUTO_TEST_CASE(what_is_no_regular_file) {
  check_refused("fifo", "cannot be read (it is a pipe: save its output in a file)");
  check_refused("folder", "cannot be read (Is a directory)");
  check_refused("/dev/zero", "cannot be read (it is a device");
  check_refused("/dev/full", "cannot be read (it is a device");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_opened) {
  fs::create_symlink("loop", "loop");
  check_refused("loop", "cannot be read (Too many levels of symbolic links)");
  check_refused(std::string(300, 'n'), "cannot be read (File name too long)");
  check_refused("no\nsuch\x1b[31mfile", "'no\\x0asuch\\x1b[31mfile': cannot be read (No such file");
}

BOOST_AUTO_TEST_CASE(what_is_too_large) {
  std::ofstream("huge").flush();
  fs::resize_file("huge", std::uintmax_t{1} << 40);
  check_refused("huge", "cannot be read (it is larger than 256 MiB)");
  std::ofstream("many") << "[0" << [] {
    std::string zeros;
    for (int i = 0; i < 11'000'000; ++i) zeros += ",0";
    return zeros;
  }() << "]";
  check_refused("many", "the top level has more than 10000000 values");
  std::ofstream("deep") << std::string(1'000'000, '[');
  check_refused("deep", "byte 32 is not JSON: too deep");
}

BOOST_AUTO_TEST_CASE(what_a_terminal_would_obey) {
  std::ofstream("key") << results_with("trilane-results", R"(\u001b[31mred\nline)");
  std::ofstream("schema") << results_with(R"(\u001b[31mred\nline)", "key");
  std::ofstream("long") << results_with(std::string(100'000, 'x'), "key");
  std::ofstream("bytes") << results_with("\xff\xfe", "key");
  check_refused("key", ".");
  check_refused("schema", ".schema has a control character in byte 0: \\x1b[31mred\\x0aline;");
  check_refused("long", ".schema has 100000 bytes and may have at most 200");
  check_refused("bytes", "is not JSON");
}

BOOST_AUTO_TEST_CASE(a_sweep_on_what_is_no_sweep) {
  for (const std::string file : {"loop", "long", "cut"}) {
    const std::string name = file == "long" ? std::string(300, 'n') : file;
    if (file == "loop") fs::create_symlink("loop", "loop");
    if (file == "cut") std::ofstream("cut") << "{\"schema\": \"trilane-sweep\",";
    const Outcome outcome = run_without_gpu({"sweep", "chunks=2,4", "--json", name});
    BOOST_TEST_INFO_SCOPE(outcome.err);
    BOOST_TEST(outcome.code == 2);
    BOOST_TEST(std::ranges::count(outcome.err, '\n') == 1);
    BOOST_TEST(outcome.says("give "));
    if (file == "cut") BOOST_TEST(outcome.says("is damaged or not a sweep: byte 27 is not JSON"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
