// Other programs, their inheritance and their ends; and libraries.
#include "common/base/system/process.hpp"

#include <unistd.h>

#include "common/base/system/library.hpp"
#include "tests/framework.hpp"

BOOST_AUTO_TEST_SUITE(process)

ProcessEnd end_of(const char* script, ProcessStart start = {}) {
  start.words = {"sh", "-c", script};
  return Process(start).wait();
}

BOOST_AUTO_TEST_CASE(ends_are_said_as_by_a_shell) {
  BOOST_TEST(end_of("exit 7").exit_code == 7);
  BOOST_TEST(end_of("kill -9 $$").signal == SIGKILL);
  BOOST_TEST(end_of("kill -9 $$").shell_code() == 137);
  const ProcessEnd missing = Process({.words = {"/no/such"}}).wait();
  BOOST_TEST(missing.start_error == ENOENT);
  BOOST_TEST(missing.shell_code() == 127);
  BOOST_TEST(Process({.words = {"/"}}).wait().shell_code() == 126);
  BOOST_TEST(end_of("true", {.folder = "/no/such"}).start_error == ENOENT);
  BOOST_TEST(end_of("true", {.streams = {{{.path = "/no/such"}, {}, {}}}}).start_error == ENOENT);
}

BOOST_AUTO_TEST_CASE(variables_are_set_and_removed) {
  setenv("TRILANE_TEST_ONE", "1", 1);
  setenv("TRILANE_TEST_TWO", "2", 1);
  const char* const script =
      "test \"$TRILANE_TEST_ONE\" = a=b && test -z \"${TRILANE_TEST_TWO+x}\"";
  BOOST_TEST(
      end_of(script, {.variables = {"TRILANE_TEST_ONE=a=b", "TRILANE_TEST_TWO"}}).shell_code() ==
      0);
  unsetenv("TRILANE_TEST_ONE");
  unsetenv("TRILANE_TEST_TWO");
}

BOOST_AUTO_TEST_CASE(streams_and_files_are_inherited_where_given) {
  Pipe pipe, kept;
  const int file = kept.input();
  const std::string script = "echo said; echo more >&" + std::to_string(file);
  Process both({.words = {"sh", "-c", script},
                .streams = {{{.path = "/dev/null"}, {.file = pipe.input()}, {}}},
                .files = {file}});
  pipe.close_input();
  char text[16] = {};
  BOOST_TEST(read(pipe.output(), text, sizeof text) == 5);
  BOOST_TEST(std::string(text) == "said\n");
  BOOST_TEST(both.wait().exit_code == 0);
  BOOST_TEST(read(kept.output(), text, sizeof text) == 5);
  const StandardStream nowhere{.path = "/dev/null"};
  BOOST_TEST(end_of(script.c_str(), {.streams = {{{}, nowhere, nowhere}}}).exit_code != 0);
}

BOOST_AUTO_TEST_CASE(ignored_signals_stay_ignored_unless_asked_otherwise) {
  const auto before = std::signal(SIGTERM, SIG_IGN);
  BOOST_TEST(end_of("kill -TERM $$").shell_code() == 0);
  BOOST_TEST(end_of("kill -TERM $$", {.default_signals = {SIGTERM}}).signal == SIGTERM);
  std::signal(SIGTERM, [](int) {});
  const SignalsBlocked blocked;
  Process unblocked({.words = {"sh", "-c", "kill -TERM $$"}}, blocked);
  BOOST_TEST(unblocked.wait().signal == SIGTERM);
  std::signal(SIGTERM, before);
}

BOOST_AUTO_TEST_CASE(an_end_that_nobody_can_know_is_no_success) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  BOOST_TEST(end_of("exit 7").start_error == ECHILD);
  std::signal(SIGCHLD, before);
}

BOOST_AUTO_TEST_CASE(it_ends_with_its_object) {
  Pipe pipe;
  {
    // Both processes hold the pipe open.
    Process both({.words = {"sh", "-c", "sleep 1000 & sleep 1000"},
                  .streams = {{{}, {.file = pipe.input()}, {}}},
                  .own_group = true});
    BOOST_TEST(!both.ended());
  }
  pipe.close_input();
  char byte = 0;
  BOOST_TEST(read(pipe.output(), &byte, 1) == 0);
}

BOOST_AUTO_TEST_CASE(the_first_library_that_loads_is_opened_and_its_functions_are_found) {
  const Library math({"/nowhere/libm.so", "libm.so.6"}, Library::Unload::in_destructor);
  BOOST_REQUIRE(static_cast<bool>(math));
  double (*const root)(double) = math.function("sqrt");
  BOOST_REQUIRE(root != nullptr);
  BOOST_TEST(root(9) == 3);
  BOOST_TEST(math.function("no_such_function").address == nullptr);
  BOOST_TEST(math.reason().find("/nowhere/libm.so") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_library_that_does_not_load_has_a_reason_and_no_functions) {
  const Library none({"/nowhere/first.so", "/nowhere/second.so"});
  BOOST_TEST(!none);
  BOOST_TEST(none.reason().find("/nowhere/first.so") != std::string::npos);
  BOOST_TEST(none.function("malloc").address == nullptr);  // not that of the process
}

BOOST_AUTO_TEST_CASE(a_library_of_the_process_is_found_without_loading_any) {
  BOOST_TEST(static_cast<bool>(Library::in_process("libc.so.6")));
  BOOST_TEST(!Library::in_process("/nowhere/first.so"));
}

BOOST_AUTO_TEST_SUITE_END()
