// Exit code and message for what is thrown.
#include "common/commands/ending.hpp"

#include <new>

#include "common/base/console/interrupt.hpp"
#include "common/measure/gpu/runtime/check.hpp"
#include "common/measure/processes/run_processes.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(endings)

template <typename Error>
Ending ending(const Error& error) {
  return ending_of(std::make_exception_ptr(error));
}

BOOST_AUTO_TEST_CASE(each_type_has_its_code) {
  BOOST_TEST(ending(Interrupted()).code == exit_interrupted);
  BOOST_TEST(ending(UsageError("why")).code == exit_usage);
  BOOST_TEST(ending(NoGpu("why")).code == exit_no_gpu);
  BOOST_TEST(ending(NotPossible("why")).code == exit_not_possible);
  BOOST_TEST(ending(OutOfMemory("why")).code == exit_not_possible);
  BOOST_TEST(ending(OutputError("why")).code == exit_output);
  BOOST_TEST(ending(ProcessFailed("why", exit_no_gpu)).code == exit_no_gpu);
  BOOST_TEST(ending(WrongResult("why")).code == exit_wrong);
  BOOST_TEST(ending(CudaError(cudaErrorUnknown, {})).code == exit_wrong);
  BOOST_TEST(ending(UsageError("why")).message == "why");
  BOOST_TEST(ending(Interrupted()).message.empty());
}

BOOST_AUTO_TEST_CASE(memory_that_runs_out_anywhere_is_said_in_plain_words) {
  for (const Ending& found : {ending(std::bad_alloc()), ending(std::bad_array_new_length())}) {
    BOOST_TEST(found.code == exit_not_possible);
    BOOST_TEST(contains(found.message, "the host ran out of memory"));
  }
}

// Code 1 is the answer of --fail-on-slower.
BOOST_AUTO_TEST_CASE(what_nobody_foresaw_is_no_answer) {
  for (const Ending& found :
       {ending(std::runtime_error("two\nlines")), ending(std::logic_error("two\nlines")),
        ending(std::filesystem::filesystem_error("two\nlines", {}))}) {
    BOOST_TEST(found.code == exit_unexpected);
    BOOST_TEST(found.message.starts_with("unexpected error: "));
    BOOST_TEST(contains(found.message, "two\\x0alines"));
    BOOST_TEST(contains(found.message, "please report it"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
