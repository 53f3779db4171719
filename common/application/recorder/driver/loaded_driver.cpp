#include "common/application/replay/iteration/replay_driver.hpp"

#include <fmt/format.h>

#include "common/base/system/library.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

template <typename Function>
void require(const char* name, Function function) {
  if (function == nullptr) throw NotPossible(fmt::format("the driver has no {}", name));
}

// One level more than `#`, so that the macros of cuda.h are replaced first.
#define TRILANE_TEXT(name) #name
#define TRILANE_TEXT_OF(name) TRILANE_TEXT(name)

ReplayDriver found() {
  const Library library = Library::in_process("libcuda.so.1");
  if (!library) throw NotPossible("the application has not loaded the CUDA driver");
  ReplayDriver all;
#define TRILANE_FIND(name) all.name = library.function(TRILANE_TEXT_OF(name));
  TRILANE_REPLAY_FUNCTIONS(TRILANE_FIND)
  TRILANE_NEWER_REPLAY_FUNCTIONS(TRILANE_FIND)
#undef TRILANE_FIND
#define TRILANE_REQUIRE(name) require(TRILANE_TEXT_OF(name), all.name);
  TRILANE_REPLAY_FUNCTIONS(TRILANE_REQUIRE)
#undef TRILANE_REQUIRE
  return all;
}

}  // namespace

const ReplayDriver& driver() {
  static const ReplayDriver all = found();
  return all;
}

}  // namespace trilane
