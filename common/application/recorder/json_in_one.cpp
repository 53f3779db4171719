// Boost.JSON as source: its library for programs cannot be linked into a shared one everywhere.
#include <boost/json/src.hpp>
