// One sweep at a time on a file.
#include "common/sweep/file/lock.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>

#include "common/text/exit_code.hpp"
#include "tests/text/refusal.hpp"

using namespace trilane;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for each test, with the path of a sweep's file in it.
struct Folder {
  fs::path folder;
  std::string path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "trilane-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder = name;
    path = folder / "map.json";
  }
  ~Folder() { fs::remove_all(folder); }

  /// As an OutputFile writes: a new file that replaces the old one.
  void write() const {
    std::ofstream(folder / "new") << "content";
    fs::rename(folder / "new", path);
  }
};

std::string not_begun(const std::string& path) {
  return refusal<UsageError>([&] { const FileLock lock(path); });
}

std::string not_written(const FileLock& lock) {
  return refusal<OutputError>([&] { lock.check(); });
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(sweep_lock, Folder)

BOOST_AUTO_TEST_CASE(a_write_that_failed_leaves_the_lock_where_it_was) {
  write();
  FileLock lock(path);
  lock.follow();
  BOOST_TEST(contains(not_begun(path), "another sweep is writing it"));
  lock.check();
}

BOOST_AUTO_TEST_CASE(a_second_sweep_is_refused_while_the_first_one_lives) {
  write();
  {
    FileLock first(path);
    BOOST_TEST(contains(not_begun(path), "another sweep is writing it; wait for its end"));
    fs::create_symlink("map.json", folder / "link");
    BOOST_TEST(contains(not_begun(folder / "link"), "another sweep is writing it"));
    first.check();
    write();
    first.follow();
    BOOST_TEST(contains(not_begun(path), "another sweep is writing it"));
    first.check();
  }
  BOOST_TEST(not_begun(path) == "(not refused)");
  fs::remove(folder / "link");
  BOOST_TEST(std::distance(fs::directory_iterator(folder), {}) == 1);
}

BOOST_AUTO_TEST_CASE(of_two_sweeps_without_a_file_the_first_to_write_keeps_it) {
  FileLock first(path), second(path);
  first.check();
  write();
  first.follow();
  BOOST_TEST(contains(not_written(second), "another program has written it meanwhile"));
  first.check();
}

BOOST_AUTO_TEST_CASE(a_file_that_another_program_replaced_stays) {
  write();
  FileLock lock(path);
  write();
  BOOST_TEST(contains(not_written(lock), "leaves it as it is"));
}

BOOST_AUTO_TEST_CASE(a_sweep_that_took_over_in_between_keeps_the_file) {
  FileLock first(path);
  write();
  const FileLock second(path);
  BOOST_TEST(contains(refusal<OutputError>([&] { first.follow(); }), "another sweep goes on"));
}

BOOST_AUTO_TEST_CASE(a_file_that_was_removed_is_written_again) {
  write();
  FileLock lock(path);
  fs::remove(path);
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
