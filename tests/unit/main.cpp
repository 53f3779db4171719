// Tests that need no GPU. Each file beside this one tests one part of common/ or kernels/.
#define BOOST_TEST_MODULE trilane_unit
#include <boost/test/unit_test.hpp>
