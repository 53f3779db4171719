// Tests of the programs from outside.
#define BOOST_TEST_MODULE trilane_cli
#include <boost/test/unit_test.hpp>
