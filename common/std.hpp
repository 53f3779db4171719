// The headers of the standard library, Boost and {fmt} that many files need, precompiled, and three
// helpers.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/core/noncopyable.hpp>
#include <boost/describe/class.hpp>
#include <boost/describe/operators.hpp>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace trilane {
/// Records that describe their members are equal if all of these are.
using boost::describe::operators::operator==;

/// Returns true if `value` is an element of the range, or equals the projection of one.
template <typename Projection = std::identity>
bool includes(const auto& range, const auto& value, Projection projection = {}) {
  return std::ranges::find(range, value, projection) != std::ranges::end(range);
}

/// Returns what `function`, or the member that it points to, gives for each element, in order.
template <typename Function>
auto transformed(auto&& range, Function function) {
  std::vector<std::decay_t<std::invoke_result_t<Function&, decltype(*range.begin())>>> all;
  for (auto&& element : range) all.push_back(std::invoke(function, element));
  return all;
}

}  // namespace trilane
