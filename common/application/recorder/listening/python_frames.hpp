// The call stack of a Python program, from the interpreter in this process.
#pragma once

#include <vector>

#include "common/application/iteration/call_stacks.hpp"

namespace trilane {

/// Asks the interpreter, of version 3.9 or newer, by functions that it exports. A thread that holds
/// its lock asks for the frames themselves. Another one must not: most packages release the lock
/// around their calls. It gets the text that the interpreter writes for crashes, without a lock and
/// without memory of its own, if it exports that function: versions 3.11 and 3.12 do.
class PythonFrames {
 public:
  static constexpr std::size_t most = 100;  ///< innermost frames that are taken

  /// Looks for an interpreter. May wait for the loader, so must not be called under a lock.
  PythonFrames();

  /// Returns the frames of the calling thread, outermost first; none without an interpreter, or if
  /// the thread runs no Python. Must not be called under a lock: the interpreter may wait.
  std::vector<RecordedFrame> of_this_thread() const;

  /// Returns an address within the interpreter's code; null if there is none.
  const void* code() const { return reinterpret_cast<const void*>(eval_get_frame_); }

 private:
  struct Object;
  struct Thread;
  class Undisturbed;
  class Reference;

  std::vector<RecordedFrame> asked_for() const;
  std::vector<RecordedFrame> written(Thread* thread) const;
  RecordedFrame described(Object* frame) const;
  const char* text(Object* object, const char* attribute, Reference& owner) const;

  int (*is_initialized_)() = nullptr;
  Thread* (*thread_)() = nullptr;   ///< that of the calling thread
  Thread* (*running_)() = nullptr;  ///< the one with the lock, or the calling one if it has it
  Object* (*eval_get_frame_)() = nullptr;
  Object* (*back_)(Object*) = nullptr;
  Object* (*code_)(Object*) = nullptr;
  int (*line_)(Object*) = nullptr;
  Object* (*attribute_)(Object*, const char*) = nullptr;
  const char* (*utf8_)(Object*) = nullptr;
  void (*hold_)(Object*) = nullptr;
  void (*release_)(Object*) = nullptr;
  void (*fetch_error_)(Object**, Object**, Object**) = nullptr;
  void (*restore_error_)(Object*, Object*, Object*) = nullptr;
  int (*stop_collecting_)() = nullptr;  ///< may be absent, as the following ones
  int (*collect_)() = nullptr;
  void (*write_)(int, Thread*) = nullptr;
  bool complete_ = false;
};

}  // namespace trilane
