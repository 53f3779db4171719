// Numbers and lists in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trilane {

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& names);

/// With an upper-case first letter; `text` is not empty.
std::string capitalised(std::string text);

/// "1 round", "21 rounds", "2 batches".
std::string counted(std::uint64_t count, const std::string& noun);

/// 0.05: "5%"; 0.0025: "0.25%".
std::string percent(double share);

/// The same with that many decimals: "5.0%".
std::string percent(double share, int decimals);

/// A unit of time.
struct Unit {
  const char* name;
  double us;
};

/// The unit in which times up to `longest_us` have at most six digits, to keep tables narrow.
Unit unit_up_to(double longest_us);

/// A time in at most six characters, unlike format_us(), which writes more below clock resolution.
std::string short_time(double value);

/// "1.765", "69.2": how many times as fast, in at most five characters.
std::string short_speed(double times);

/// The same as one says it: "0.82", "1.05", "2.4", "69".
std::string said_speed(double times);

/// A ratio of times in words: "the same" within 1%, "+8%", "-30%", "3.4x as long".
std::string longer(double ratio);

/// About the first `most` names, and how many more there are, if at least two: "a, b and 3 more".
std::string shortened(const std::vector<std::string>& names, std::size_t most = 6);

}  // namespace trilane
