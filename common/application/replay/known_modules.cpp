#include "common/application/replay/known_modules.hpp"

#include <fmt/format.h>

#include "common/application/iteration/observed_call.hpp"
#include "common/application/replay/driver_handles.hpp"
#include "common/base/text/elf_reader.hpp"
#include "common/base/text/exit_code.hpp"

namespace trilane {

namespace {

/// In a symbol's st_other, beside its visibility.
constexpr unsigned char managed_flag = 4;

/// Returns the kind of a section's objects if every kernel of the module sees them. Banks of
/// constants with other numbers hold parameters and the compiler's data.
std::optional<VariableKind> kind_of(std::string_view section, unsigned char other) {
  if (section == ".nv.constant3") return VariableKind::constant;
  if (section != ".nv.global" && section != ".nv.global.init") return std::nullopt;
  return (other & managed_flag) != 0 ? VariableKind::managed : VariableKind::device;
}

/// Returns true for texts, and the tables of the mathematical functions. A module may have several
/// of one name.
bool is_compilers_own(std::string_view name) {
  return name.starts_with('$') || name.starts_with("__cudart_");
}

void put(const ElfReader& elf, const ElfReader::Symbol& symbol, CubinContents& contents) {
  const bool outside = symbol.section == SHN_UNDEF;
  switch (ELF64_ST_TYPE(symbol.entry.st_info)) {
    case STT_FUNC:
      (outside ? contents.driver_calls : contents.functions).push_back(symbol.name);
      return;
    case STT_OBJECT:
      if (outside || is_compilers_own(symbol.name)) return;
      if (symbol.section >= elf.sections().size()) throw DamagedElf("it has no such section");
      if (const auto kind =
              kind_of(elf.name_of(elf.sections()[symbol.section]), symbol.entry.st_other)) {
        contents.variables.push_back({symbol.name, *kind});
      }
      return;
    default: return;
  }
}

/// Returns why a kernel that calls this driver function cannot be replayed; null if it can.
const char* why_not(std::string_view driver_call) {
  if (driver_call == "vprintf") return "prints from the device";
  if (driver_call == "malloc" || driver_call == "free") {
    return "allocates memory on the device, which cannot be followed";
  }
  if (driver_call.starts_with("__cuda_syscall_cnp")) return "launches kernels from the device";
  return nullptr;
}

[[noreturn]] void refuse(const std::string& kernel, const std::string& reason) {
  throw NotPossible(fmt::format("kernel {}: {}", kernel, reason));
}

void check(const std::string& kernel, const CubinContents& contents) {
  for (const std::string& call : contents.driver_calls) {
    if (const char* const reason = why_not(call)) {
      refuse(kernel, fmt::format("its module {}", reason));
    }
  }
  const auto managed =
      std::ranges::find(contents.variables, VariableKind::managed, &CubinVariable::kind);
  if (managed == contents.variables.end()) return;
  refuse(kernel, fmt::format("its module has the managed variable {}, which moves by itself",
                             managed->name));
}

/// Adds where the variables lie. Returns the first one that is missing in the module, apart from
/// constants; null: none. Kernels do not change constants; a replay repeats the host's copies into
/// them.
const CubinVariable* find(CUmodule module, const CubinContents& contents,
                          std::vector<MemoryFacts>& found) {
  const CubinVariable* missing = nullptr;
  for (const CubinVariable& variable : contents.variables) {
    CUdeviceptr base = 0;
    std::size_t bytes = 0;
    if (driver().cuModuleGetGlobal(&base, &bytes, module, variable.name.c_str()) != CUDA_SUCCESS) {
      if (missing == nullptr && variable.kind == VariableKind::device) missing = &variable;
    } else if (bytes > 0) {
      found.push_back({MemoryKind::module, base, bytes});
    }
  }
  return missing;
}

/// Adds the module that the handle means: if several modules have a kernel of that name, it is the
/// one with all of its variables.
void add_module(CUfunction function, CUmodule module, const std::string& kernel,
                const KnownModules& modules, std::vector<MemoryFacts>& found) {
  const char* mangled = nullptr;
  TRILANE_DRIVER(cuFuncGetName, &mangled, function);
  const auto candidates = modules.with_kernel(mangled);
  if (candidates.empty()) refuse(kernel, "the code of its module could not be read");
  bool fits = false;
  std::string missing;
  for (const auto& contents : candidates) {
    const CubinVariable* const lacks = find(module, *contents, found);
    if (lacks == nullptr) {
      fits = true;
      check(kernel, *contents);
    } else {
      missing = lacks->name;
    }
  }
  if (fits) return;
  refuse(kernel, fmt::format("the driver does not say where its variable {} lies", missing));
}

}  // namespace

std::optional<CubinContents> contents_of_cubin(std::span<const std::byte> cubin) {
  try {
    const ElfReader elf(cubin);
    const auto table = std::ranges::find(elf.sections(), SHT_SYMTAB,
                                         [](const Elf64_Shdr& s) { return int(s.sh_type); });
    if (table == elf.sections().end()) return std::nullopt;
    CubinContents contents;
    for (const ElfReader::Symbol& symbol : elf.symbols(*table)) put(elf, symbol, contents);
    return contents;
  } catch (const DamagedElf&) {
    return std::nullopt;
  }
}

void KnownModules::loaded(std::uint32_t number, std::span<const std::byte> cubin) {
  std::optional<CubinContents> contents = contents_of_cubin(cubin);
  const std::lock_guard lock(mutex_);
  modules_.erase(number);
  if (contents) modules_[number] = std::make_shared<const CubinContents>(std::move(*contents));
}

void KnownModules::unloaded(std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  modules_.erase(number);
  ++unloads_;
}

std::uint64_t KnownModules::unloads() const {
  const std::lock_guard lock(mutex_);
  return unloads_;
}

std::vector<std::shared_ptr<const CubinContents>> KnownModules::with_kernel(
    const std::string& name) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const CubinContents>> found;
  for (const auto& [number, contents] : modules_) {
    if (std::ranges::find(contents->functions, name) != contents->functions.end()) {
      found.push_back(contents);
    }
  }
  return found;
}

std::vector<MemoryFacts> module_variables(const KnownModules& modules,
                                          const ApplicationRecording& recording,
                                          const ObservedIteration& iteration) {
  std::vector<MemoryFacts> found;
  std::set<std::uint64_t> handles;
  std::set<CUmodule> seen;
  const auto add = [&](const ObservedCall& call, std::uint32_t kernel) {
    const std::uint64_t handle = call.launch.function;
    if (call.kind != CallKind::kernel || !handles.insert(handle).second) return;
    const CUfunction function = function_of(handle);
    CUmodule module = nullptr;
    TRILANE_DRIVER(cuFuncGetModule, &module, function);
    if (!seen.insert(module).second) return;
    add_module(function, module, recording.kernels[kernel].name, modules, found);
  };
  for (std::size_t i = 0; i < iteration.calls.size(); ++i) {
    const ObservedCall& call = iteration.calls[i];
    const RecordedCall& recorded = recording.calls[i];
    add(call, recorded.kernel);
    if (!call.graph || !recorded.graph) continue;
    const std::vector<RecordedNode>& nodes = recording.graphs[*recorded.graph].nodes;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      add(call.graph->nodes[node]->call, nodes[node].kernel);
    }
  }
  return found;
}

}  // namespace trilane
