// The functions of the runtime that the simulated device has, read off its sources.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  BOOST_TEST_REQUIRE(file.good(), path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What the expression's first group matches, wherever it does.
std::vector<std::string> names_in(const std::string& text, const std::string& expression) {
  const std::regex regex(expression, std::regex::multiline);
  std::vector<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    names.push_back((*match)[1]);
  }
  return names;
}

const std::filesystem::path simulator =
    std::filesystem::path(SOURCE_DIR) / "common/device/simulator";

std::vector<std::string> listed() {
  return names_in(content(simulator / "errors/not_modelled.cpp"), "NOT_MODELLED\\((cuda\\w+)\\)");
}

std::set<std::string> modelled() {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(simulator)) {
    if (entry.path().extension() != ".cpp") continue;
    const auto more = names_in(content(entry.path()), "^[a-z][^\\n;=]*\\b(cuda[A-Z]\\w*)\\(");
    names.insert(more.begin(), more.end());
  }
  return names;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(not_modelled)

BOOST_AUTO_TEST_CASE(every_function_of_the_runtime_is_modelled_or_listed_as_not) {
  const auto declared =
      names_in(content(std::filesystem::path(CUDA_INCLUDE_DIR) / "cuda_runtime_api.h"),
               "\\bCUDARTAPI\\s+(cuda\\w+)\\s*\\(");
  BOOST_TEST(declared.size() > 300);
  std::set<std::string> known = modelled();
  for (const std::string& name : listed()) {
    BOOST_TEST(!known.contains(name), name << " is modelled, and listed as not modelled");
    known.insert(name);
  }
  for (const std::string& name : declared) {
    BOOST_TEST(known.contains(name), name << " is neither modelled nor in not_modelled.cpp");
  }
}

BOOST_AUTO_TEST_CASE(the_list_is_sorted) {
  const auto names = listed();
  BOOST_TEST(std::ranges::is_sorted(names));
}

BOOST_AUTO_TEST_SUITE_END()
