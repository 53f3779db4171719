// Text that goes to standard output, standard error or a parent, and when files are written.
#include "common/base/console/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "tests/base/folder.hpp"

namespace {

namespace fs = std::filesystem;

/// A folder that contains what a stream of this process was given meanwhile.
struct ConsoleFolder : Folder {
  template <typename Action>
  std::string heard_on(std::FILE* stream, const Action& action) const {
    const std::string name = *this / "heard";
    std::fflush(stream);
    const int before = dup(fileno(stream));
    std::FILE* const file = std::fopen(name.c_str(), "w");
    dup2(fileno(file), fileno(stream));
    action();
    std::fflush(stream);
    dup2(before, fileno(stream));
    close(before);
    std::fclose(file);
    return content_of_file(name);
  }
};

Output output(const std::string& path, const std::string& text) {
  return {"--json", path, [&text] { return text; }};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(console, ConsoleFolder)

BOOST_AUTO_TEST_CASE(text_goes_to_standard_output_unless_an_output_goes_there) {
  const std::string text = "file";
  const auto written = [&](const std::string& name) {
    Console({output(name, text)}).finish("words\n");
  };
  BOOST_TEST(heard_on(stdout, [] { Console().finish("words\n"); }) == "words\n");
  BOOST_TEST(heard_on(stdout, [&] { written(*this / "new"); }) == "words\n");
  BOOST_TEST(heard_on(stdout, [&] { written("-"); }) == "file");
  BOOST_TEST(heard_on(stderr, [&] { heard_on(stdout, [&] { written("-"); }); }) == "words\n");
  BOOST_TEST(heard_on(stderr, [] { Console().complain("wrong"); }).ends_with(": wrong\n"));
}

BOOST_AUTO_TEST_CASE(files_are_kept_after_every_step_and_standard_output_is_written_at_the_end) {
  std::string text = "first";
  Console both({output(*this / "new", text), output("-", text)});
  BOOST_TEST(heard_on(stdout, [&] { both.keep(); }) == "");
  BOOST_TEST(content_of_file(*this / "new") == "first");
  text = "second";
  BOOST_TEST(heard_on(stdout, [&] { both.finish(); }) == "second");
  BOOST_TEST(content_of_file(*this / "new") == "second");
}

BOOST_AUTO_TEST_CASE(an_output_without_content_or_path_is_not_written) {
  const std::string nothing, text = "text";
  Console console({output(*this / "new", nothing), output("", text)});
  console.finish();
  BOOST_TEST(!fs::exists(*this / "new"));
  BOOST_TEST(console.has_files());
  BOOST_TEST(!Console({output("", text)}).has_files());
  BOOST_TEST(!Console({output("-", text)}).has_files());
}

BOOST_AUTO_TEST_CASE(an_output_that_is_in_the_way_is_refused_unless_forced) {
  put("old", "old");
  const std::string text = "new";
  BOOST_CHECK_THROW(Console({output(*this / "old", text)}), UsageError);
  Console({output(*this / "old", text)}, true).finish();
  BOOST_TEST(content_of_file(*this / "old") == "new");
}

/// An output that can be written only while its folder exists.
struct Fragile {
  const Folder& folder;
  std::string text = "text";
  Console console{{output(folder / "gone/one", text), output(folder / "two", text)}};

  static const Folder& with_folder(const Folder& folder) {
    fs::create_directory(folder / "gone");
    return folder;
  }
};

BOOST_AUTO_TEST_CASE(an_output_that_fails_is_said_once_and_the_others_are_written) {
  Fragile fragile{Fragile::with_folder(*this)};
  fs::remove(*this / "gone");
  ExitCode code = exit_ok;
  const std::string said = heard_on(stderr, [&] {
    fragile.console.keep();
    fragile.text = "more";
    code = fragile.console.finish();
  });
  BOOST_TEST(code == exit_output);
  BOOST_TEST(std::ranges::count(said, '\n') == 1);
  BOOST_TEST(said.find("one': cannot be written (No such file") != said.npos);
  BOOST_TEST(content_of_file(*this / "two") == "more");
}

BOOST_AUTO_TEST_CASE(an_output_that_is_whole_at_the_end_has_not_failed) {
  Fragile fragile{Fragile::with_folder(*this)};
  fs::remove(*this / "gone");
  heard_on(stderr, [&] { fragile.console.keep(); });
  fs::create_directory(*this / "gone");
  BOOST_TEST(fragile.console.finish() == exit_ok);
  BOOST_TEST(content_of_file(*this / "gone/one") == "text");
}

BOOST_AUTO_TEST_CASE(files_are_written_although_standard_output_fails) {
  const std::string text = "file";
  Console console({output(*this / "new", text)});
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
  dup2(full, STDOUT_FILENO);
  ExitCode code = exit_ok;
  const std::string said = heard_on(stderr, [&] { code = console.finish("words\n"); });
  dup2(before, STDOUT_FILENO);
  std::clearerr(stdout);
  close(before);
  close(full);
  BOOST_TEST(code == exit_output);
  BOOST_TEST(said.find("standard output: cannot be written (No space") != said.npos);
  BOOST_TEST(content_of_file(*this / "new") == "file");
}

BOOST_AUTO_TEST_CASE(content_that_cannot_be_made_is_an_output_that_fails) {
  Console console(
      {{"--json", *this / "new", []() -> std::string { throw std::runtime_error("no"); }}});
  ExitCode code = exit_ok;
  BOOST_TEST(heard_on(stderr, [&] { code = console.finish(); }).ends_with(": no\n"));
  BOOST_TEST(code == exit_output);
}

BOOST_AUTO_TEST_CASE(a_parent_gets_the_last_message_alone) {
  const std::string name = *this / "message";
  setenv(message_file_variable, name.c_str(), 1);
  give_last_message("trilane", "trilane: two\nlines");
  unsetenv(message_file_variable);
  give_last_message("trilane", "nobody asked for this");
  BOOST_TEST(content_of_file(name) == "trilane: two\nlines");
}

BOOST_AUTO_TEST_SUITE_END()
