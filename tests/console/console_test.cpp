// What goes to standard output, what to standard error, and when files are written.
#include "common/console/console.hpp"

#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/text/exit_code.hpp"

using namespace trilane;

namespace {

namespace fs = std::filesystem;

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A folder, and in it what a stream of this process was given meanwhile.
struct Folder {
  std::string path = fs::temp_directory_path() / "trilane-console-XXXXXX";

  Folder() { BOOST_REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~Folder() { fs::remove_all(path); }
  std::string in(const std::string& name) const { return path + "/" + name; }

  template <typename Action>
  std::string heard_on(std::FILE* stream, const Action& action) const {
    const std::string name = in("heard");
    std::fflush(stream);
    const int before = dup(fileno(stream));
    std::FILE* const file = std::fopen(name.c_str(), "w");
    dup2(fileno(file), fileno(stream));
    action();
    std::fflush(stream);
    dup2(before, fileno(stream));
    close(before);
    std::fclose(file);
    return content(name);
  }
};

Output output(const std::string& path, const std::string& text) {
  return {"--json", path, [&text] { return text; }};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(console, Folder)

BOOST_AUTO_TEST_CASE(text_goes_to_standard_output_unless_an_output_goes_there) {
  const std::string text = "file";
  BOOST_TEST(heard_on(stdout, [] { Console().say("words\n"); }) == "words\n");
  BOOST_TEST(heard_on(stdout, [&] { Console({output(in("new"), text)}).say("words\n"); }) ==
             "words\n");
  BOOST_TEST(heard_on(stdout, [&] { Console({output("-", text)}).say("words\n"); }) == "");
  BOOST_TEST(heard_on(stderr, [&] { Console({output("-", text)}).say("words\n"); }) == "words\n");
  BOOST_TEST(heard_on(stderr, [] { Console().complain("wrong"); }) == "wrong\n");
}

BOOST_AUTO_TEST_CASE(files_are_kept_after_every_step_and_standard_output_is_written_at_the_end) {
  std::string text = "first";
  Console both({output(in("new"), text), output("-", text)});
  BOOST_TEST(heard_on(stdout, [&] { both.keep(); }) == "");
  BOOST_TEST(content(in("new")) == "first");
  text = "second";
  BOOST_TEST(heard_on(stdout, [&] { both.finish(); }) == "second");
  BOOST_TEST(content(in("new")) == "second");
}

BOOST_AUTO_TEST_CASE(an_output_without_content_or_path_is_not_written) {
  const std::string nothing, text = "text";
  Console console({output(in("new"), nothing), output("", text)});
  console.finish();
  BOOST_TEST(!fs::exists(in("new")));
  BOOST_TEST(console.has_files());
  BOOST_TEST(!Console({output("", text)}).has_files());
  BOOST_TEST(!Console({output("-", text)}).has_files());
}

BOOST_AUTO_TEST_CASE(an_output_that_is_in_the_way_is_refused_unless_forced) {
  std::ofstream(in("old")) << "old";
  const std::string text = "new";
  BOOST_CHECK_THROW(Console({output(in("old"), text)}), UsageError);
  Console({output(in("old"), text)}, true).finish();
  BOOST_TEST(content(in("old")) == "new");
}

BOOST_AUTO_TEST_SUITE_END()
