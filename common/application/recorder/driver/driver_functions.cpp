// Finds the functions of the loaded driver: the recorder's and the replay's.
#include "common/application/recorder/driver/driver_surroundings.hpp"

#include "common/application/replay/replay_driver.hpp"
#include "common/base/system/library.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

// One level more than `#`, so that the macros of cuda.h are replaced first.
#define TRILANE_TEXT(name) #name
#define TRILANE_TEXT_OF(name) TRILANE_TEXT(name)

Library loaded_driver() { return Library::in_process("libcuda.so.1"); }

DriverFunctions for_the_recorder() {
  const Library library = loaded_driver();
  DriverFunctions all;
#define TRILANE_FIND(name) all.name.address = library.function(TRILANE_TEXT_OF(name));
  TRILANE_DRIVER_FUNCTIONS(TRILANE_FIND)
#undef TRILANE_FIND
  return all;
}

ReplayDriver for_the_replay() {
  const Library library = loaded_driver();
  if (!library) throw NotPossible("the application has not loaded the CUDA driver");
  ReplayDriver all;
#define TRILANE_FIND(name) all.name = library.function(TRILANE_TEXT_OF(name));
  TRILANE_REPLAY_FUNCTIONS(TRILANE_FIND)
  TRILANE_NEWER_REPLAY_FUNCTIONS(TRILANE_FIND)
#undef TRILANE_FIND
#define TRILANE_REQUIRE(name) \
  if (!all.name) throw NotPossible("the driver has no " TRILANE_TEXT_OF(name));
  TRILANE_REPLAY_FUNCTIONS(TRILANE_REQUIRE)
#undef TRILANE_REQUIRE
  return all;
}

}  // namespace

bool DriverFunctions::know_graphs() const {
#define TRILANE_AND(name) &&name
  return true TRILANE_GRAPH_FUNCTIONS(TRILANE_AND);
#undef TRILANE_AND
}

const DriverFunctions& driver_functions() {
  static const DriverFunctions all = for_the_recorder();
  return all;
}

const ReplayDriver& driver() {
  static const ReplayDriver all = for_the_replay();
  return all;
}

}  // namespace trilane
