// Keeps the listener's errors away from the application.
#pragma once

#include <exception>

#include "common/application/recorder/listening/listener.hpp"
#include "common/application/recorder/listening/thread_state.hpp"

namespace trilane {

template <typename Action>
void Listener::guarded(Action action) {
  const OwnCalls own;
  try {
    action();
  } catch (const std::exception& error) {
    silent_ = true;
    note_problem(page_, RecorderProblem::failed, error.what());
  } catch (...) {
    silent_ = true;
    note_problem(page_, RecorderProblem::failed, "an unknown error");
  }
}

}  // namespace trilane
