// One sweep at a time on a file.
#include "common/measure/sweep/sweep_file.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "common/base/text/exit_code.hpp"
#include "tests/base/folder.hpp"
#include "tests/base/refusal.hpp"

using namespace trilane;
namespace fs = std::filesystem;

namespace {

struct Place : Folder {
  std::string map = *this / "map.json";

  /// Writes as an OutputFile does: a new file that replaces the old one.
  void write() const {
    std::ofstream(*this / "new") << "content";
    fs::rename(*this / "new", map);
  }
};

std::string not_begun(const std::string& path) {
  return refusal<UsageError>([&] { const FileLock lock(path); });
}

std::string not_written(const FileLock& lock) {
  return refusal<OutputError>([&] { lock.check(); });
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(sweep_lock, Place)

BOOST_AUTO_TEST_CASE(a_write_that_failed_leaves_the_lock_where_it_was) {
  write();
  FileLock lock(map);
  lock.follow();
  BOOST_TEST(contains(not_begun(map), "another sweep is writing it"));
  lock.check();
}

BOOST_AUTO_TEST_CASE(a_second_sweep_is_refused_while_the_first_one_lives) {
  write();
  {
    FileLock first(map);
    BOOST_TEST(contains(not_begun(map), "another sweep is writing it; wait until it ends"));
    fs::create_symlink("map.json", *this / "link");
    BOOST_TEST(contains(not_begun(*this / "link"), "another sweep is writing it"));
    first.check();
    write();
    first.follow();
    BOOST_TEST(contains(not_begun(map), "another sweep is writing it"));
    first.check();
  }
  BOOST_TEST(not_begun(map) == "(not refused)");
  fs::remove(*this / "link");
  BOOST_TEST(names().size() == 1u);
}

BOOST_AUTO_TEST_CASE(of_two_sweeps_without_a_file_the_first_to_write_keeps_it) {
  FileLock first(map), second(map);
  first.check();
  write();
  first.follow();
  BOOST_TEST(contains(not_written(second), "another program has since written to it"));
  first.check();
}

BOOST_AUTO_TEST_CASE(a_file_that_another_program_replaced_stays) {
  write();
  FileLock lock(map);
  write();
  BOOST_TEST(contains(not_written(lock), "leaves it unchanged"));
}

BOOST_AUTO_TEST_CASE(a_sweep_that_took_over_in_between_keeps_the_file) {
  FileLock first(map);
  write();
  const FileLock second(map);
  BOOST_TEST(
      contains(refusal<OutputError>([&] { first.follow(); }), "another sweep has continued it"));
}

BOOST_AUTO_TEST_CASE(a_file_that_was_removed_is_written_again) {
  write();
  FileLock lock(map);
  fs::remove(map);
  BOOST_CHECK_NO_THROW(lock.check());
}

BOOST_AUTO_TEST_CASE(without_a_file_there_is_no_lock) {
  for (const char* none : {"", "-"}) {
    FileLock first(none), second(none);
    BOOST_CHECK_NO_THROW(first.check());
    BOOST_CHECK_NO_THROW(second.follow());
  }
}

BOOST_AUTO_TEST_SUITE_END()
