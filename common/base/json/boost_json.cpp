// Boost.JSON as source: the library that applications load depends on no other shared library.
#include <boost/json/src.hpp>
