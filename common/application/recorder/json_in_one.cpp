// Boost.JSON as source: its library for programs cannot go into a shared one everywhere.
#include <boost/json/src.hpp>
