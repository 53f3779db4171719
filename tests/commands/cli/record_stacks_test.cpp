// Calls are named by the line of source that makes them, against the marks in the sources.
#include "common/application/iteration/call_traits.hpp"
#include "common/application/iteration/recording_file.hpp"
#include "tests/commands/cli/program.hpp"

namespace {

const std::string folder = "tests/application/recorder/loader/";

/// Returns "stacks.cpp:41" for the line of such a mark.
std::string at(const std::string& file, const std::string& mark) {
  std::istringstream lines(content_of_file(std::getenv("TRILANE_TOP") + ("/" + folder + file)));
  int number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    if (line.ends_with(" mark: " + mark)) return file + ":" + std::to_string(number);
  }
  BOOST_FAIL(file << " has no mark " << mark);
  return {};
}

ApplicationRecording recorded(const Words& application, const Words& options = {}) {
  const Words all =
      joined({"record", "--no-replay", "--save", "app.recording", "--force"}, options);
  // The folder of the test comes first, where there may be another library.
  const std::string libraries = "." + (std::string(":") + std::getenv("TRILANE_FAKE"));
  run_program(joined(joined(all, {"--"}), application),
              {.gpu = false, .environment = {{"LD_LIBRARY_PATH", libraries}}})
      .ended(0);
  return recording_from_json(content_of_file("app.recording"));
}

ApplicationRecording recorded_program(const std::string& way, const Words& options = {}) {
  const std::filesystem::path loader = std::getenv("TRILANE_LOADER");
  return recorded({loader.parent_path() / ("stacks_" + way)}, options);
}

Words places(const ApplicationRecording& recording) {
  Words all;
  for (std::size_t i = 0; i < recording.calls.size(); ++i) all.push_back(place_of(recording, i));
  return all;
}

bool knows_folders(const ApplicationRecording& recording) {
  return std::ranges::any_of(recording.source.value().frames, [](const RecordedFrame& frame) {
    return frame.file.find('/') != std::string::npos || frame.module.find('/') != std::string::npos;
  });
}

/// Programs that were copied to another machine are stripped, and have no lines to find.
boost::test_tools::assertion_result beside_their_source(boost::unit_test::test_unit_id test) {
  if (const auto gpu = for_a_gpu(test); !gpu) return gpu;
  const char* const top = std::getenv("TRILANE_TOP");
  boost::test_tools::assertion_result result =
      top != nullptr && exists(std::filesystem::path(top) / folder / "stacks.cpp");
  result.message() << "skipped: their sources are not here";
  return result;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(recording_call_stacks, Workplace,
                         *boost::unit_test::precondition(beside_their_source))

BOOST_AUTO_TEST_CASE(functions_are_named_by_their_lines_also_inlined_and_in_a_library) {
  const Words right{at("stacks.cpp", "main step") + " main > " + at("stacks.cpp", "make") + " make",
                    at("stacks.cpp", "main step") + " main > " + at("stacks.cpp", "make") + " make",
                    at("stacks.cpp", "main wait") + " main > " +
                        at("stacks_library.cpp", "library") + " wait_in_library"};
  for (const char* way : {"debug", "optimized"}) {
    const ApplicationRecording recording = recorded_program(way);
    BOOST_TEST_INFO_SCOPE(way);
    BOOST_TEST(places(recording) == right, boost::test_tools::per_element());
    BOOST_TEST(!knows_folders(recording));
    const RecordedSource& source = recording.source.value();
    const auto lines = [&](std::size_t call) {
      Words all;
      for (const std::uint32_t frame :
           source.stacks.at(recording.calls.at(call).stack.value()).frames) {
        const RecordedFrame& one = source.frames.at(frame);
        if (one.own) all.push_back(one.function + " " + one.file + ":" + std::to_string(one.line));
      }
      return all;
    };
    BOOST_TEST(
        lines(0) == (Words{"main " + at("stacks.cpp", "main step"),
                           "stacks::step " + at("stacks.cpp", "step forward"),
                           "stacks::Model::forward<unsigned int> " + at("stacks.cpp", "forward"),
                           "stacks::fill " + at("stacks.cpp", "fill"),
                           "stacks::make<cuMemsetD32Async_params_st> " + at("stacks.cpp", "make")}),
        boost::test_tools::per_element());
    BOOST_TEST(lines(1)[1] == "stacks::step " + at("stacks.cpp", "step fill"));
  }
}

BOOST_AUTO_TEST_CASE(captures_are_named_by_the_lines_where_they_begin_and_break) {
  const ApplicationRecording recording = recorded_program("debug");
  const RecordedCaptures& captures = recording.captures.value();
  const RecordedSource& source = captures.audit.value().source;
  BOOST_REQUIRE(captures.failed.size() == 1u);
  const CapturePlace& place = captures.failed[0].place.value();
  BOOST_TEST(contains(place_of(source, place.stack.value()), "stacks.cpp:"));
  BOOST_TEST(place_of(source, place.begin.value()) ==
             at("stacks.cpp", "begin") + " try_capture > " + at("stacks.cpp", "make") + " make");
  BOOST_TEST(!contains(content_of_file("app.recording"), folder));
}

BOOST_AUTO_TEST_CASE(without_debug_information_or_libdw_functions_and_offsets_are_named) {
  for (const std::string way : {"plain", "debug"}) {
    if (way == "debug") std::ofstream("libdw.so.1");  // not a library
    const Words all = places(recorded_program(way));
    BOOST_REQUIRE(all.size() == 3u);
    for (const std::string& place : all) {
      BOOST_TEST(place.starts_with("main (stacks_" + way + "+0x"), place);
    }
    BOOST_TEST(contains(all[0], " > fill (stacks_" + way + "+0x"));
    BOOST_TEST(contains(all[2], " > wait_in_library (libstacks_library_" + way + ".so+0x"));
  }
}

BOOST_AUTO_TEST_CASE(folders_are_saved_on_request) {
  const ApplicationRecording recording = recorded_program("debug", {"--with-source"});
  BOOST_TEST(knows_folders(recording));
  BOOST_TEST(place_of(recording, 0).starts_with("stacks.cpp:"));
}

BOOST_AUTO_TEST_CASE(functions_of_python_are_named_by_their_lines) {
  const std::string script = std::getenv("TRILANE_TOP") + ("/" + folder + "stacks.py");
  const Words right{
      at("stacks.py", "step forward") + " step > " + at("stacks.py", "make") + " make",
      at("stacks.py", "step wait") + " step > " + at("stacks.py", "make") + " make"};
  BOOST_TEST(places(recorded({"python3", script, "PyDLL"})) == right,
             boost::test_tools::per_element());
  // Other versions do not show their frames without the lock.
  if (std::system("python3 -c 'import sys; exit(sys.version_info[1] not in (11, 12))'") != 0)
    return;
  BOOST_TEST(places(recorded({"python3", script, "CDLL"})) == right,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
