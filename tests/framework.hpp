// The test framework and the library headers that most tests use, precompiled. Tests speak of
// Trilane's names without its namespace.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <numeric>
#include <random>
#include <regex>
#include <sstream>
#include <thread>

#include "common/std.hpp"

namespace trilane {}
using namespace trilane;
