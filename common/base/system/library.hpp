// Shared libraries that are found at run time and not linked.
#pragma once

#include <dlfcn.h>

#include "common/std.hpp"

namespace trilane {

/// The address of a function, null if the library lacks it. Converts to any pointer type.
struct FoundFunction {
  void* address;

  template <typename Function>
  operator Function*() const {
    return reinterpret_cast<Function*>(address);
  }
};

/// A shared library, or none if it could not be opened. Its names stay its own.
class Library {
 public:
  enum class Unload { never, in_destructor };

  /// Loads the first of `names` that loads: names for the loader's own search, or paths.
  explicit Library(const std::vector<std::string>& names, Unload unload = Unload::never)
      : handle_(nullptr, unload == Unload::never ? keep : dlclose) {
    for (const std::string& name : names) {
      handle_.reset(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL));
      if (handle_) return;
      if (reason_.empty()) reason_ = dlerror();
    }
  }

  /// Returns the library `name` if this process has loaded it. Loads nothing, and never unloads it.
  static Library in_process(const char* name) {
    return Library(dlopen(name, RTLD_NOW | RTLD_NOLOAD));
  }

  /// Returns true if it is open.
  explicit operator bool() const { return handle_ != nullptr; }

  /// Returns the loader's reason why the first name did not load.
  const std::string& reason() const { return reason_; }

  FoundFunction function(const char* name) const {
    return {handle_ ? dlsym(handle_.get(), name) : nullptr};
  }

 private:
  explicit Library(void* handle) : handle_(handle, keep) {}
  static int keep(void*) { return 0; }

  std::unique_ptr<void, int (*)(void*)> handle_;
  std::string reason_;
};

}  // namespace trilane
