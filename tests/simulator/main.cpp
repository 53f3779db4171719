// Tests of the simulated device. Each file beside this one tests one part or one set of rules.
#define BOOST_TEST_MODULE trilane_simulator
#include <boost/test/unit_test.hpp>
