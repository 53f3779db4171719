// The main function of every test program that needs no GPU.
#define BOOST_TEST_MODULE trilane
#include <boost/test/unit_test.hpp>
