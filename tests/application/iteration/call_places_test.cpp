// Calls are named by the user's functions that make them.
#include "common/application/iteration/call_traits.hpp"

#include "tests/framework.hpp"

#include "common/application/source/debug_information.hpp"

BOOST_AUTO_TEST_SUITE(call_places)

RecordedFrame line(const char* function, const char* file, std::uint32_t line) {
  return {.function = function, .file = file, .line = line, .module = "app", .own = true};
}

RecordedFrame others(const char* function) {
  return {.function = function, .file = "array.h", .line = 3, .module = "app"};
}

/// Returns a recording of a call for each stack.
ApplicationRecording made(const std::vector<RecordedFrame>& frames,
                          const std::vector<RecordedStack>& stacks, std::uint32_t shared) {
  ApplicationRecording recording;
  recording.source = RecordedSource{frames, stacks, shared};
  for (std::uint32_t i = 0; i < stacks.size(); ++i) {
    recording.calls.emplace_back().stack = i;
  }
  return recording;
}

BOOST_AUTO_TEST_CASE(the_outermost_own_function_that_not_all_share_comes_first) {
  const auto recording =
      made({line("main", "/home/me/train.py", 50), line("ns::step<int>", "a/b.cu", 31),
            others("std::call"), line("Model::forward", "m.cpp", 20)},
           {{{0, 1, 2, 3, 2}}, {{0, 1}}, {{0, 2, 3}}, {{0, 1, 2}}}, 1);
  BOOST_TEST(place_of(recording, 0) == "b.cu:31 step > m.cpp:20 forward");
  BOOST_TEST(place_of(recording, 1) == "b.cu:31 step");
  BOOST_TEST(place_of(recording, 2) == "m.cpp:20 forward");
  BOOST_TEST(place_of(recording, 3) == "b.cu:31 step");
}

BOOST_AUTO_TEST_CASE(what_all_share_is_named_if_nothing_else_is_known) {
  const auto recording =
      made({line("main", "a.cu", 50), others("std::call")}, {{{0}}, {{0, 1}}}, 1);
  BOOST_TEST(place_of(recording, 0) == "a.cu:50 main");
  BOOST_TEST(place_of(recording, 1) == "a.cu:50 main");
  RecordedFrame forward{.function = "Model.forward", .file = "model.py", .line = 20};
  auto in_library = recording;  // of Python: the installed header tells less
  in_library.source->frames.push_back(forward);
  in_library.source->stacks[1].frames = {0, 2, 1};
  BOOST_TEST(place_of(in_library, 1) == "model.py:20 forward");
}

BOOST_AUTO_TEST_CASE(without_lines_functions_are_named_and_without_them_offsets) {
  RecordedFrame named = line("ns::run", "", 0), bare = line("", "", 0);
  named.offset = 0x12;
  bare.offset = 0xabc;
  bare.module = "/opt/libapp.so";
  const auto recording =
      made({named, bare, line("f", "f.cu", 4)}, {{{1, 0}}, {{1}}, {{1, 2, 0}}}, 0);
  BOOST_TEST(place_of(recording, 0) == "run (app+0x12)");
  BOOST_TEST(place_of(recording, 1) == "libapp.so+0xabc");
  BOOST_TEST(place_of(recording, 2) == "f.cu:4 f");
}

BOOST_AUTO_TEST_CASE(installed_files_are_told_by_whole_folders) {
  const auto own = [](const std::string& path, bool python) {
    RecordedFrame frame{.function = "f", .line = 0};
    (python ? frame.file : frame.module) = path;
    auto recording = made({frame}, {{{0}}}, 0);
    resolve_source(recording, true);
    return recording.source->frames[0].own;
  };
  for (const char* path : {"/home/me/python3_app.py", "/usr/local/cuda-samples/a.py",
                           "/usr/libexec/a.py", "/home/me/usr/lib/a.py", "lib/python3_mine/a.py"}) {
    BOOST_TEST(own(path, true), path);
  }
  for (const char* path :
       {"/usr/lib64/a.py", "/usr/local/cuda-13.0/a.py", "/usr/local/cuda/a.py",
        "/opt/x/lib/python3.12/os.py", "<frozen importlib>", "/home/me/site-packages/torch/a.py"}) {
    BOOST_TEST(!own(path, true), path);
  }
  BOOST_TEST(own("/home/me/python3_tool", false));
  for (const char* path :
       {"/home/me/bin/python3.12", "/x/libpython3.12.so.1.0", "linux-vdso.so.1"}) {
    BOOST_TEST(!own(path, false), path);
  }
}

BOOST_AUTO_TEST_CASE(names_are_short) {
  const auto place = [](const char* function, bool python) {
    RecordedFrame frame = line(function, "f", 4);
    if (python) frame.module.clear();
    return place_of(made({frame}, {{{0}}}, 0), 0);
  };
  BOOST_TEST(place("(anonymous namespace)::run<a::b>", false) == "f:4 run");
  BOOST_TEST(place("main::{lambda()#1}::operator()", false) == "f:4 {lambda()#1}::operator()");
  BOOST_TEST(place("", false) == "f:4");
  BOOST_TEST(place("Model.step.<locals>.<lambda>", true) == "f:4 <lambda>");
  BOOST_TEST(place("<module>", true) == "f:4 <module>");
}

BOOST_AUTO_TEST_CASE(without_a_place_the_call_s_number_is_given) {
  auto recording = made({others("std::call")}, {{{0}}, {{}}}, 0);
  BOOST_TEST(place_of(recording, 0) == "call 0");
  BOOST_TEST(place_of(recording, 1) == "call 1");
  recording.calls[1].stack.reset();
  BOOST_TEST(place_of(recording, 1) == "call 1");
  recording.source.reset();
  BOOST_TEST(place_of(recording, 0) == "call 0");
}

BOOST_AUTO_TEST_SUITE_END()
