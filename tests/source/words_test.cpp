// Comments are in plain technical English, as far as a machine can tell.
#include "tests/framework.hpp"

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(words)

bool is_code(const fs::path& file) {
  const fs::path kind = file.extension();
  return kind == ".cpp" || kind == ".hpp" || kind == ".cu" || kind == ".cuh";
}

/// Returns the comments of a text: blocks of whole lines as one, and those behind declarations.
std::vector<std::string> comments_in(std::istream& text) {
  static const std::regex whole(R"(^\s*//[/!]? ?(.*)$)"), behind(R"(///< (.*)$)");
  std::vector<std::string> comments;
  bool goes_on = false;
  for (std::string line; std::getline(text, line);) {
    std::smatch match;
    const bool is_whole = std::regex_match(line, match, whole);
    if (is_whole && goes_on) {
      comments.back() += " " + match[1].str();
    } else if (is_whole || std::regex_search(line, match, behind)) {
      comments.push_back(match[1]);
    }
    goes_on = is_whole;
  }
  return comments;
}

/// Returns the docstrings of a script, each up to its first empty line.
std::vector<std::string> docstrings_in(std::istream& text) {
  static const std::regex first(R"(^\s*"""(.+?)(""")?$)"), other(R"(^\s*(.*?)(""")?$)");
  std::vector<std::string> found;
  bool goes_on = false;
  for (std::string line; std::getline(text, line);) {
    std::smatch match;
    if (goes_on) {
      std::regex_match(line, match, other);
      found.back() += " " + match[1].str();
    } else if (std::regex_match(line, match, first)) {
      found.push_back(match[1]);
    } else {
      continue;
    }
    goes_on = !match[2].matched && match[1].length() > 0;
  }
  return found;
}

/// Returns what is wrong with a comment; empty if nothing is.
std::string fault_of(const std::string& comment) {
  static const std::regex headless("^(Whether|What|Who|Those|Likewise) [^?]*$");
  static const std::regex phrases("\\b(but for|such a one|so many|goes by|teller)\\b");
  static const std::regex ends(R"([.!?]\s+|[:;]\s+|\s- )");
  constexpr std::ptrdiff_t most_words = 30;
  if (std::regex_search(comment, headless)) return "begins without a verb";
  if (std::smatch match; std::regex_search(comment, match, phrases)) return match[1];
  const std::sregex_token_iterator sentences(comment.begin(), comment.end(), ends, -1), none;
  for (auto sentence = sentences; sentence != none; ++sentence) {
    const std::string words_of = *sentence;
    if (words_of.find(" = ") != std::string::npos) continue;  // a formula
    std::istringstream text(words_of);
    const auto words = std::distance(std::istream_iterator<std::string>(text), {});
    if (words > most_words) return "has a sentence of " + std::to_string(words) + " words";
  }
  return "";
}

BOOST_AUTO_TEST_CASE(faults_are_found) {
  const auto fault = [](const std::string& text) {
    std::istringstream lines(text);
    const std::vector<std::string> comments = comments_in(lines);
    BOOST_TEST_REQUIRE(comments.size() == 1u);
    return fault_of(comments.front());
  };
  BOOST_TEST(fault("/// Whether it holds.\nbool holds();") == "begins without a verb");
  BOOST_TEST(fault("bool held;  ///< What it is") == "begins without a verb");
  BOOST_TEST(fault("// What does it cost?") == "");
  BOOST_TEST(fault("/// Returns true\n/// but for one.") == "but for");
  std::string words = "///";
  for (int i = 0; i < 30; ++i) words += " word";
  BOOST_TEST(fault(words) == "");
  BOOST_TEST(fault(words + "\n/// more: end") == "has a sentence of 31 words");
  std::istringstream script(
      "\"\"\"Page.\n\nMore.\n\"\"\"\n  \"\"\"Whether\n  it is.\"\"\"\nx = 1\n");
  const std::vector<std::string> docstrings = docstrings_in(script);
  BOOST_TEST_REQUIRE(docstrings.size() == 2u);
  BOOST_TEST(fault_of(docstrings.front()) == "");
  BOOST_TEST(fault_of(docstrings.back()) == "begins without a verb");
}

BOOST_AUTO_TEST_CASE(comments_and_docstrings_are_plain) {
  std::size_t seen = 0;
  for (const char* folder : {"common", "kernels", "variants", "plots", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SOURCE_DIR) / folder)) {
      const bool is_script = entry.path().extension() == ".py";
      // This file names what it looks for.
      const bool is_read = is_script || is_code(entry.path());
      if (!is_read || entry.path().filename() == "words_test.cpp") continue;
      std::ifstream file(entry.path());
      for (const std::string& text : is_script ? docstrings_in(file) : comments_in(file)) {
        BOOST_TEST(fault_of(text) == "", entry.path() << ": " << text);
        ++seen;
      }
    }
  }
  BOOST_TEST(seen > 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
