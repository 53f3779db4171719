// The modules that the application has loaded, by the names in their machine code: kernels,
// variables, and the driver functions that kernels may call.
#pragma once

#include "common/application/iteration/observed_call.hpp"
#include "common/application/iteration/surroundings.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

enum class VariableKind {
  device,    ///< __device__
  constant,  ///< __constant__: only the host changes it
  managed,   ///< __managed__: the host reaches it without a call
};

struct CubinVariable {
  std::string name;  ///< mangled
  VariableKind kind = VariableKind::device;
};

/// A kernel, or a function that kernels call.
struct CubinFunction {
  std::string name;  ///< mangled
  /// The driver's functions that it may call, itself or through others: "vprintf", "malloc".
  std::vector<std::string> driver_calls;
  bool in_kernel = false;                ///< a kernel, or the compiler's copy of what it calls
  bool waits = false, triggers = false;  ///< see RecordedKernel
};

struct CubinContents {
  std::vector<CubinFunction> functions;
  /// Without the compiler's own: texts and tables, which nothing changes.
  std::vector<CubinVariable> variables;
};

/// Reads the symbols and the call graph of a module's code, an ELF file. Returns nothing if it is
/// damaged or has no symbols: no byte of it is trusted. A function that calls by address, or whose
/// calls are not known, may call whatever the module calls.
std::optional<CubinContents> contents_of_cubin(std::span<const std::byte> cubin);

/// Thread-safe.
class KnownModules {
 public:
  /// Takes a module; `number` is the listener's.
  void loaded(std::uint32_t number, std::span<const std::byte> cubin);
  void unloaded(std::uint32_t number);

  /// Returns how many have been unloaded. Handles of kernels may be stale after an unload.
  std::uint64_t unloads() const { return unloads_; }
  /// Returns true if a function of any module so far may allocate or free memory on the device: it
  /// lies in no snapshot, and kernels of all modules may use it.
  bool allocate() const { return allocate_; }
  /// Returns the modules that have a kernel of that mangled name: only the driver knows which one a
  /// handle means. Empty if its code was not seen, or could not be read.
  std::vector<std::shared_ptr<const CubinContents>> with_kernel(const std::string& name) const;
  /// Notes whether a kernel of that name waits or triggers, or a function that it may call.
  void describe(const std::string& name, KernelFacts& facts) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::shared_ptr<const CubinContents>> modules_;
  std::atomic<std::uint64_t> unloads_ = 0;
  std::atomic<bool> allocate_ = false;
};

/// No replay can repeat the kernel. The message does not name it.
struct KernelRefused : NotPossible {
  KernelRefused(std::string name, const std::string& reason)
      : NotPossible(reason), kernel(std::move(name)) {}
  std::string kernel;  ///< demangled
};

/// Returns the __device__ and __constant__ variables of every module with a kernel of the
/// iteration, as located by the driver. `iteration` is one of `recording`. Modules must not have
/// been unloaded since the iteration. Throws NotPossible if a kernel of the program may allocate on
/// the device. Throws KernelRefused if a module is unknown or has memory that cannot be tracked, or
/// if a kernel may have effects on the device that must not be repeated.
std::vector<MemoryFacts> module_variables(const KnownModules& modules,
                                          const ApplicationRecording& recording,
                                          const ObservedIteration& iteration);

}  // namespace trilane
