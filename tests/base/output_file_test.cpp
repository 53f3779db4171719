#include "common/base/console/output_file.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "common/base/text/exit_code.hpp"
#include "common/base/text/gzip.hpp"
#include "tests/base/file_limit.hpp"
#include "tests/base/folder.hpp"
#include "tests/base/refusal.hpp"

using namespace trilane;
namespace fs = std::filesystem;

namespace {

std::string refused(const std::string& path, bool force) {
  return refusal<UsageError>([&] { OutputFile("--json", path, force); });
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(output_file, Folder)

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
