// The last message of a failing program, for people and for a parent process.
#include "common/base/console/last_message.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "tests/base/folder.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(last_message)

BOOST_AUTO_TEST_CASE(a_parent_gets_the_message_alone) {
  const Folder folder;
  const std::string name = folder.path / "message";
  setenv(message_file_variable, name.c_str(), 1);
  give_last_message("trilane", "trilane: two\nlines");
  unsetenv(message_file_variable);
  give_last_message("trilane", "nobody asked for this");
  BOOST_TEST(content_of_file(name) == "trilane: two\nlines");
}

BOOST_AUTO_TEST_SUITE_END()
