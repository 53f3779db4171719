#include "common/base/system/library.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

using namespace trilane;

BOOST_AUTO_TEST_SUITE(library)

BOOST_AUTO_TEST_CASE(the_first_library_that_loads_is_opened_and_its_functions_are_found) {
  const Library math({"/nowhere/libm.so", "libm.so.6"}, Library::Unload::in_destructor);
  BOOST_REQUIRE(static_cast<bool>(math));
  double (*const root)(double) = math.function("sqrt");
  BOOST_REQUIRE(root != nullptr);
  BOOST_TEST(root(9) == 3);
  BOOST_TEST(math.function("no_such_function").address == nullptr);
  BOOST_TEST(math.reason().find("/nowhere/libm.so") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_library_that_does_not_load_has_a_reason_and_no_functions) {
  const Library none({"/nowhere/first.so", "/nowhere/second.so"});
  BOOST_TEST(!none);
  BOOST_TEST(none.reason().find("/nowhere/first.so") != std::string::npos);
  BOOST_TEST(none.function("malloc").address == nullptr);  // not that of the process
}

BOOST_AUTO_TEST_CASE(a_library_of_the_process_is_found_without_loading_any) {
  BOOST_TEST(static_cast<bool>(Library::in_process("libc.so.6")));
  BOOST_TEST(!Library::in_process("/nowhere/first.so"));
}

BOOST_AUTO_TEST_SUITE_END()
