// Takes the call stacks of the application's calls, also those of a Python program.
#pragma once

#include "common/application/iteration/call_stacks.hpp"
#include "common/application/iteration/observed_call.hpp"
#include "common/base/system/library.hpp"

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

  static FoundFunction exported(const char* name, const char* older = nullptr);

  int (*is_initialized_)() = exported("Py_IsInitialized");
  /// That of the calling thread, and the one with the lock, or the calling one if it has it.
  Thread* (*thread_)() = exported("PyGILState_GetThisThreadState");
  Thread* (*running_)() = exported("PyThreadState_GetUnchecked", "_PyThreadState_UncheckedGet");
  Object* (*eval_get_frame_)() = exported("PyEval_GetFrame");
  Object* (*back_)(Object*) = exported("PyFrame_GetBack");
  Object* (*code_)(Object*) = exported("PyFrame_GetCode");
  int (*line_)(Object*) = exported("PyFrame_GetLineNumber");
  Object* (*attribute_)(Object*, const char*) = exported("PyObject_GetAttrString");
  const char* (*utf8_)(Object*) = exported("PyUnicode_AsUTF8");
  void (*hold_)(Object*) = exported("Py_IncRef");
  void (*release_)(Object*) = exported("Py_DecRef");
  void (*fetch_error_)(Object**, Object**, Object**) = exported("PyErr_Fetch");
  void (*restore_error_)(Object*, Object*, Object*) = exported("PyErr_Restore");
  int (*stop_collecting_)() = exported("PyGC_Disable");  ///< may be absent, as the following ones
  int (*collect_)() = exported("PyGC_Enable");
  void (*write_)(int, Thread*) = exported("_Py_DumpTraceback");
  const bool complete_;
};

/// A stack as it was taken.
struct TakenStack {
  std::vector<RecordedFrame> python;      ///< outermost first
  std::vector<std::uintptr_t> addresses;  ///< within calls, innermost first
};

/// Takes stacks, and keeps each frame and each stack once. take() works without a lock, because
/// unwinding and the interpreter may wait for other threads. keep() needs one.
class StackTaker {
 public:
  /// Returns the calling thread's stack; empty after `longest_us` in all, or `most_stacks`.
  TakenStack take();
  /// Returns the stack, permanently: Python's frames, then machine code that they call. Frames of
  /// this library, the driver, the shared runtime and CUPTI are left out. Null for an empty stack.
  const ObservedStack* keep(const TakenStack& taken);

 private:
  static constexpr double longest_us = 2e6;
  static constexpr std::size_t most_stacks = 100'000, most_addresses = 200;

  const RecordedFrame* frame_at(std::uintptr_t address);

  const PythonFrames python_;
  std::atomic<double> taken_us_ = 0;
  std::atomic<bool> full_ = false;
  std::set<RecordedFrame> frames_;
  std::map<std::uintptr_t, const RecordedFrame*> by_address_;  ///< null: left out
  std::set<ObservedStack> stacks_;
};

}  // namespace trilane
