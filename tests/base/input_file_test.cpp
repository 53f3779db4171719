// The one way in: what is read, and what is refused at once.
#include "common/base/json/input_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <stdexcept>

#include "common/base/text/gzip.hpp"
#include "tests/base/folder.hpp"
#include "tests/base/refusal.hpp"

using namespace trilane;
namespace fs = std::filesystem;

namespace {

std::string refused(const std::string& path) {
  return refusal<std::invalid_argument>([&] { content_of_input(path); });
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(input_file, Folder)

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

BOOST_AUTO_TEST_SUITE_END()
