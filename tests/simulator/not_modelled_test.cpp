#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "tests/simulator/rules.hpp"

using namespace trilane;
using namespace trilane::simulator::rules;

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

/// Standard error into a file while this lives.
class Captured {
 public:
  Captured() : file_(std::tmpfile()), kept_(dup(STDERR_FILENO)) {
    std::fflush(stderr);
    dup2(fileno(file_), STDERR_FILENO);
  }
  ~Captured() {
    std::fflush(stderr);
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    std::fclose(file_);
  }
  Captured(const Captured&) = delete;
  Captured& operator=(const Captured&) = delete;

  std::string text() const {
    std::fflush(stderr);
    std::string text(4096, '\0');
    const ssize_t size = pread(fileno(file_), text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
  }

 private:
  std::FILE* file_;
  int kept_;
};

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

BOOST_AUTO_TEST_CASE(a_function_that_is_not_modelled_says_so_once_and_is_not_supported) {
  start();
  std::string text;
  {
    const Captured captured;
    cudaArray_t array = nullptr;
    std::size_t bytes = 0;
    BOOST_TEST(cudaFreeArray(array) == cudaErrorNotSupported);
    BOOST_TEST(cudaDeviceGetLimit(&bytes, cudaLimitStackSize) == cudaErrorNotSupported);
    BOOST_TEST(cudaFreeArray(array) == cudaErrorNotSupported);
    text = captured.text();
  }
  BOOST_TEST(text ==
             "trilane: simulated device: cudaFreeArray is not modelled\n"
             "trilane: simulated device: cudaDeviceGetLimit is not modelled\n");
  BOOST_TEST(cudaGetLastError() == cudaErrorNotSupported);
  BOOST_TEST(trilane::simulator::machine().calls.size() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
