// Other programs: their words, their ends, their limits.
#include "common/measure/gpu/compile/compile.hpp"

#include <boost/test/unit_test.hpp>

#include "common/base/text/exit_code.hpp"
#include "tests/measure/gpu/files.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(tool_run)

BOOST_AUTO_TEST_CASE(arguments_arrive_as_they_are) {
  const test::Files files;
  const ToolResult result =
      run_tool("/usr/bin/printf", {"%s|", "$(touch x)", "a b;`y`", "-z"}, files.folder.path, 60);
  BOOST_TEST(result.code == 0);
  BOOST_TEST(result.printed == "$(touch x)|a b;`y`|-z|");
  BOOST_TEST(std::filesystem::is_empty(files.folder.path));
}

BOOST_AUTO_TEST_CASE(it_works_in_its_folder_and_its_code_and_errors_arrive) {
  const test::Files files;
  const ToolResult result = run_tool("/bin/sh", {"-c", "pwd; echo $TMPDIR; echo error >&2; exit 7"},
                                     files.folder.path, 60);
  const std::string folder = files.folder.path.string() + "\n";
  BOOST_TEST(result.code == 7);
  BOOST_TEST(result.printed == folder + folder + "error\n");
  BOOST_TEST(run_tool("/bin/sh", {"-c", "kill -9 $$"}, files.folder.path, 60).code == 137);
}

BOOST_AUTO_TEST_CASE(what_takes_too_long_ends_with_all_that_it_started) {
  const test::Files files;
  // One that keeps the output open, one that has closed it; each with a child that would write.
  for (const char* script : {"(read x < pipe; touch late) & echo here; wait",
                             "exec >/dev/null 2>&1; (read x < pipe; touch late) & wait"}) {
    run_tool("/bin/sh", {"-c", "rm -f pipe; mkfifo pipe"}, files.folder.path, 60);
    const ToolResult result = run_tool("/bin/sh", {"-c", script}, files.folder.path, 0.3);
    BOOST_TEST(result.late);
    // Opens the pipe in both directions, so that it does not wait, and lets a survivor continue.
    run_tool("/bin/sh", {"-c", "exec 3<>pipe; echo go >&3; sleep 0.1"}, files.folder.path, 60);
    BOOST_TEST(!std::filesystem::exists(files.at("late")));
  }
}

BOOST_AUTO_TEST_CASE(floods_are_cut_and_missing_programs_are_said) {
  const test::Files files;
  const ToolResult flood =
      run_tool("/bin/sh", {"-c", "head -c 3000000 /dev/zero"}, files.folder.path, 60);
  BOOST_TEST(flood.code == 0);
  BOOST_TEST(flood.printed.size() == std::size_t{1} << 20);
  BOOST_CHECK_THROW(run_tool("/no/such", {}, files.folder.path, 60), NotPossible);
}

BOOST_AUTO_TEST_SUITE_END()
