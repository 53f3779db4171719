// Reads command lines whose words are separated by single spaces, as the program does.
#pragma once

#include "common/commands/options/command_line.hpp"
#include "common/commands/options/run_options.hpp"
#include "tests/framework.hpp"

namespace trilane {

inline Caller made_up_caller(std::vector<std::string> variants, bool simulated = false) {
  return {.name = "trilane", .variants = std::move(variants), .simulated = simulated, .line = ""};
}

inline CommandLine read_line(const std::string& line, const Caller& caller) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  return read_command_line(arguments, caller);
}

/// Returns the options of a line of run, plan, aa or sweep.
inline RunOptions read_options(const std::string& line, const Caller& caller) {
  const auto [command, given] = read_line(line, caller);
  const std::string name = command->name;
  std::uint32_t repeat = 0;
  if (name == "aa") return read_aa(given, caller, repeat);
  if (name == "sweep") return read_sweep_run(given, caller);
  if (name == "plan") return read_plan(given, caller);
  return read_run(given, caller);
}

inline void check_words(const std::vector<std::string>& words,
                        const std::vector<std::string>& expected) {
  BOOST_TEST(words == expected, boost::test_tools::per_element());
}

}  // namespace trilane
