// The one way in and out: what is read and written, and what is refused at once.
#include "common/base/json/document.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "common/base/console/output_file.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/gzip.hpp"
#include "tests/base/file_limit.hpp"
#include "tests/base/folder.hpp"
#include "tests/base/refusal.hpp"

namespace fs = std::filesystem;

namespace {

std::string refused(const std::string& path) {
  return refusal<std::invalid_argument>([&] { content_of_input(path); });
}

std::string refused(const std::string& path, bool force) {
  return refusal<UsageError>([&] { OutputFile("--json", path, force); });
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(files, Folder)

BOOST_AUTO_TEST_CASE(a_regular_file_is_read_to_its_end) {
  const std::string content = std::string(3'000'000, 'x') + '\0' + "end";
  put("file", content);
  BOOST_TEST((content_of_input(*this / "file") == content));
  fs::create_symlink("file", path / "link");
  BOOST_TEST((content_of_input(*this / "link") == content));
}

BOOST_AUTO_TEST_CASE(a_file_that_reports_no_size_is_read) {
  BOOST_TEST(contains(content_of_input("/proc/self/status"), "Name:"));
}

// The test would not end if the pipe or a device were read.
BOOST_AUTO_TEST_CASE(what_is_no_regular_file_is_refused_at_once) {
  BOOST_REQUIRE(mkfifo((*this / "fifo").c_str(), 0600) == 0);
  BOOST_TEST(refused(*this / "fifo") == "cannot be read (it is a pipe: save its output in a file)");
  for (const char* device : {"/dev/zero", "/dev/full", "/dev/null"}) {
    BOOST_TEST(refused(device) == "cannot be read (it is a device or socket, not a regular file)");
  }
  BOOST_TEST(refused(path) == "cannot be read (Is a directory)");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_opened_says_why) {
  fs::create_symlink("two", path / "one");
  fs::create_symlink("one", path / "two");
  BOOST_TEST(refused(*this / "one") == "cannot be read (Too many levels of symbolic links)");
  BOOST_TEST(refused(*this / std::string(300, 'n')) == "cannot be read (File name too long)");
  BOOST_TEST(refused(*this / "missing") == "cannot be read (No such file or directory)");
  BOOST_TEST(refused("") == "cannot be read (No such file or directory)");
}

BOOST_AUTO_TEST_CASE(an_empty_and_a_huge_file_are_refused) {
  put("empty", "");
  BOOST_TEST(refused(*this / "empty") == "cannot be read (it is empty)");
  put("huge", "");
  fs::resize_file(path / "huge", std::uintmax_t{1} << 40);  // takes no room on the disk
  BOOST_TEST(refused(*this / "huge") == "cannot be read (it is larger than 256 MiB)");
}

BOOST_AUTO_TEST_CASE(gzip_data_is_decompressed_whatever_the_name) {
  const std::string content = std::string(3'000'000, 'x') + '\0' + "end";
  put("file", gzipped(content));
  BOOST_TEST((content_of_input(*this / "file") == content));
  put("two", gzipped("one ") + gzipped("two"));  // as cat joins them
  BOOST_TEST(content_of_input(*this / "two") == "one two");
}

BOOST_AUTO_TEST_CASE(damaged_gzip_data_is_refused) {
  const std::string data = gzipped("a text that is long enough to be cut somewhere in its middle");
  const std::string why = "cannot be read (its gzip data is damaged or cut short)";
  for (std::size_t size = 2; size < data.size(); ++size) {
    put("cut", data.substr(0, size));
    BOOST_TEST(refused(*this / "cut") == why, size);
  }
  for (const std::size_t place : {2u, 12u, 20u, 60u}) {
    std::string damaged = data;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x55);
    put("damaged", damaged);
    BOOST_TEST(refused(*this / "damaged") == why, place);
  }
  put("more", data + "more");
  BOOST_TEST(refused(*this / "more") == why);
}

BOOST_AUTO_TEST_CASE(the_limits_hold_for_what_comes_out_of_gzip_data) {
  put("empty", gzipped(""));
  BOOST_TEST(refused(*this / "empty") == "cannot be read (it is empty)");
  constexpr std::size_t most = 1 << 20;
  for (const std::size_t size : {most, most + 1, 64 * most}) {
    put("large", gzipped(std::string(size, 'x')));
    const std::string said =
        refusal<std::invalid_argument>([&] { content_of_input(*this / "large", most); });
    BOOST_TEST(said == (size > most ? "cannot be read (it is larger than 1 MiB)" : "(not refused)"),
               size);
  }
}

BOOST_AUTO_TEST_CASE(the_check_leaves_nothing_behind) {
  const OutputFile file("--json", *this / "new", false);
  BOOST_TEST(names().empty());
  put("old", "old");
  const OutputFile other("--json", *this / "old", true);
  BOOST_TEST(names().size() == 1u);
  BOOST_TEST(content_of_file(*this / "old") == "old");
}

BOOST_AUTO_TEST_CASE(each_write_replaces_the_whole) {
  OutputFile file("--json", *this / "new", false);
  file.write("a longer first content");
  BOOST_TEST(content_of_file(*this / "new") == "a longer first content");
  file.write("short");
  BOOST_TEST(content_of_file(*this / "new") == "short");
  file.write("");
  BOOST_TEST(content_of_file(*this / "new").empty());
  BOOST_TEST(names().size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_name_that_ends_in_gz_makes_it_gzip_data) {
  OutputFile file("--json", *this / "r.json.gz", false);
  file.write("a text");
  const std::string written = content_of_file(*this / "r.json.gz");
  BOOST_TEST(is_gzip(written));
  BOOST_TEST(gunzipped(written, 100) == "a text");
  file.write("a text");
  BOOST_TEST((content_of_file(*this / "r.json.gz") == written));
  OutputFile("--json", *this / "r.gz.json", false).write("a text");
  BOOST_TEST(content_of_file(*this / "r.gz.json") == "a text");
}

BOOST_AUTO_TEST_CASE(a_reader_keeps_the_content_that_it_opened) {
  OutputFile file("--json", *this / "new", false);
  file.write("first");
  std::ifstream reader(*this / "new");
  file.write("second");
  std::string seen;
  reader >> seen;
  BOOST_TEST(seen == "first");
}

BOOST_AUTO_TEST_CASE(a_name_of_full_length_works) {
  OutputFile file("--json", *this / std::string(255, 'n'), false);
  file.write("x");
  BOOST_TEST(names().begin()->size() == 255u);
}

BOOST_AUTO_TEST_CASE(a_dash_is_standard_output) {
  BOOST_TEST(OutputFile("--json", "-", false).to_stdout());
}

BOOST_AUTO_TEST_CASE(a_link_stays_and_its_target_is_written) {
  put("target", "old");
  fs::create_symlink("target", *this / "link");
  OutputFile file("--json", *this / "link", true);
  file.write("new");
  BOOST_TEST(fs::is_symlink(*this / "link"));
  BOOST_TEST(content_of_file(*this / "target") == "new");
}

BOOST_AUTO_TEST_CASE(permissions_stay) {
  put("old", "old");
  fs::permissions(*this / "old", fs::perms{0640});
  OutputFile("--json", *this / "old", true).write("new");
  BOOST_TEST((fs::status(*this / "old").permissions() == fs::perms{0640}));
}

BOOST_AUTO_TEST_CASE(targets_that_are_refused) {
  put("old", "old");
  fs::create_directory(*this / "folder");
  fs::create_symlink("nowhere", *this / "dangling");
  fs::create_symlink("loop", *this / "loop");
  BOOST_REQUIRE(mkfifo((*this / "fifo").c_str(), 0600) == 0);
  const std::size_t before = names().size();
  const std::pair<std::string, std::string> cases[] = {
      {*this / "folder", "is a folder"},
      {*this / "folder/", "names a folder"},
      {*this / "fifo", "not a regular file"},
      {"/dev/null", "not a regular file"},
      {*this / "dangling", "broken link"},
      {*this / "loop", "broken link"},
      {*this / "missing/file", "No such file or directory"},
      {*this / "old/file", "Not a directory"},
      {*this / std::string(256, 'n'), "File name too long"},
      {"/proc/trilane.json", "cannot create a file in its folder"}};
  for (const auto& [target, fragment] : cases) {
    const std::string message = refused(target, true);
    BOOST_TEST_CONTEXT(message) {
      BOOST_TEST(message.starts_with("--json '" + target + "': "));
      BOOST_TEST(contains(message, fragment));
      BOOST_TEST((contains(message, "; give") || contains(message, "; add")));
    }
  }
  BOOST_TEST(contains(refused(*this / "old", false), "add --force"));
  BOOST_TEST(names().size() == before);
  BOOST_TEST(content_of_file(*this / "old") == "old");
}

BOOST_AUTO_TEST_CASE(a_file_that_appears_during_the_run_stays) {
  OutputFile file("--json", *this / "new", false);
  put("new", "somebody's");
  BOOST_TEST(contains(refusal<OutputError>([&] { file.write("ours"); }), "File exists"));
  BOOST_TEST(content_of_file(*this / "new") == "somebody's");
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_the_old_content) {
  OutputFile file("--json", *this / "new", false);
  file.write("old");
  std::string message;
  {
    const FileLimit limit(1000);
    message = refusal<OutputError>([&] { file.write(std::string(5000, 'x')); });
  }
  BOOST_TEST(contains(message, "--json '" + (*this / "new") + "': cannot be written (File too"));
  BOOST_TEST(content_of_file(*this / "new") == "old");
  BOOST_TEST(names().size() == 1u);
  file.write("newer");
  BOOST_TEST(content_of_file(*this / "new") == "newer");
}

BOOST_AUTO_TEST_CASE(a_folder_that_vanished_is_an_error) {
  fs::create_directory(*this / "folder");
  OutputFile file("--csv", *this / "folder/new", false);
  fs::remove(*this / "folder");
  BOOST_TEST(contains(refusal<OutputError>([&] { file.write("x"); }), "No such file"));
}

BOOST_AUTO_TEST_SUITE_END()
