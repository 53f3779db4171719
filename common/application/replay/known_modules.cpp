#include "common/application/replay/known_modules.hpp"

#include "common/application/iteration/observed_call.hpp"
#include "common/application/replay/driver_handles.hpp"
#include "common/base/text/elf_reader.hpp"

namespace trilane {

namespace {

/// In a symbol's st_other, beside its visibility.
constexpr unsigned char managed_flag = 4, kernel_flag = 0x10;

/// Returns the kind of a section's objects if every kernel of the module sees them. Banks of
/// constants with other numbers hold parameters and the compiler's data.
std::optional<VariableKind> kind_of(std::string_view section, unsigned char other) {
  if (section == ".nv.constant3") return VariableKind::constant;
  if (section != ".nv.global" && section != ".nv.global.init") return std::nullopt;
  return (other & managed_flag) != 0 ? VariableKind::managed : VariableKind::device;
}

/// Returns true for texts, and the tables of the mathematical functions. Several may have one name.
bool is_compilers_own(std::string_view name) {
  return name.starts_with('$') || name.starts_with("__cudart_");
}

using Symbols = std::vector<ElfReader::Symbol>;
using Sections = std::set<std::uint64_t>;

bool is_function(const ElfReader::Symbol& symbol) {
  return ELF64_ST_TYPE(symbol.entry.st_info) == STT_FUNC;
}

const Elf64_Shdr& section_of_type(const ElfReader& elf, std::uint32_t type) {
  const auto found = std::ranges::find(elf.sections(), type, &Elf64_Shdr::sh_type);
  if (std::ranges::count(elf.sections(), type, &Elf64_Shdr::sh_type) != 1) {
    throw DamagedElf("it has not one such section");
  }
  return *found;
}

/// Says which sections of code call which. Calls within a section are not recorded: it has one
/// kernel, and the compiler's copies of what that calls.
class CallGraph {
 public:
  /// Reads .nv.callgraph: pairs of symbols in four groups, each after a pair of 0 and the group's
  /// number, negated. Throws DamagedElf if it is missing, or is not as nvcc 13.0 writes it.
  CallGraph(const ElfReader& elf, const Symbols& symbols) : symbols_(symbols) {
    constexpr std::uint32_t groups = 4;
    const auto words = elf.words(section_of_type(elf, SHT_LOPROC + 1));
    std::uint32_t group = 0;
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
      if (words[i] == 0 && words[i + 1] == ~group) {
        ++group;
      } else {
        put(group, words[i], words[i + 1]);
      }
    }
    if (group != groups || words.size() % 2 != 0) throw DamagedElf("its call graph is cut off");
  }

  /// Returns the sections that may call the symbol, also through others; nothing if none does.
  std::optional<Sections> callers_of(std::uint32_t symbol) const {
    if (!callers_.contains(callee(symbol))) return std::nullopt;
    Sections found = by_address_;
    std::vector<Callee> open{callee(symbol)};
    for (const std::uint64_t section : found) open.emplace_back(section, 0);
    while (!open.empty()) {
      const auto calls = callers_.find(open.back());
      open.pop_back();
      if (calls == callers_.end()) continue;
      for (const std::uint64_t section : calls->second) {
        if (found.insert(section).second) open.emplace_back(section, 0);
      }
    }
    return found;
  }

 private:
  /// A section of the module, or SHN_UNDEF and a symbol.
  using Callee = std::pair<std::uint64_t, std::uint32_t>;

  void put(std::uint32_t group, std::uint32_t from, std::uint32_t to) {
    constexpr std::uint32_t direct = 1, by_address = 3;  // the others: whose address is taken
    const Callee caller = callee(from);
    if (group == 0 || caller.first == SHN_UNDEF) throw DamagedElf("its call graph is unknown");
    if (group == direct) callers_[callee(to)].push_back(caller.first);
    if (group == by_address) by_address_.insert(caller.first);
  }

  Callee callee(std::uint32_t symbol) const {
    if (symbol >= symbols_.size() || !is_function(symbols_[symbol])) {
      throw DamagedElf("its call graph has no such function");
    }
    const std::uint64_t section = symbols_[symbol].section;
    return {section, section == SHN_UNDEF ? symbol : 0};
  }

  const Symbols& symbols_;
  std::map<Callee, std::vector<std::uint64_t>> callers_;
  Sections by_address_;
};

struct DriverCall {
  std::string name;
  std::optional<Sections> callers;  ///< nothing: not known
};

std::vector<DriverCall> driver_calls(const ElfReader& elf, const Symbols& symbols) {
  std::optional<CallGraph> graph;
  try {
    graph.emplace(elf, symbols);
  } catch (const DamagedElf&) {
  }
  std::vector<DriverCall> calls;
  for (std::uint32_t i = 0; i < symbols.size(); ++i) {
    if (!is_function(symbols[i]) || symbols[i].section != SHN_UNDEF) continue;
    calls.push_back({symbols[i].name, graph ? graph->callers_of(i) : std::nullopt});
  }
  return calls;
}

const Elf64_Shdr& section_of(const ElfReader& elf, const ElfReader::Symbol& symbol) {
  if (symbol.section >= elf.sections().size()) throw DamagedElf("it has no such section");
  return elf.sections()[symbol.section];
}

/// Waits are ACQBULK, and triggers PREEXIT, in the low 12 bits of 16 bytes (nvcc 13.0, from sm_90).
CubinFunction described(const ElfReader::Symbol& symbol, const std::vector<DriverCall>& calls,
                        std::span<const std::byte> code) {
  const bool kernel = (symbol.entry.st_other & kernel_flag) != 0;
  CubinFunction function{symbol.name, {}, kernel || is_compilers_own(symbol.name)};
  for (std::size_t at = 0; at + 16 <= code.size(); at += 16) {
    const int operation = elf_entry<std::uint16_t>(code, at) & 0xfff;
    function.waits = function.waits || operation == 0x82e;
    function.triggers = function.triggers || operation == 0x82d;
  }
  for (const DriverCall& call : calls) {
    if (call.callers && !call.callers->contains(symbol.section)) continue;
    function.driver_calls.push_back(call.name);
  }
  return function;
}

void put_variable(const ElfReader& elf, const ElfReader::Symbol& symbol, CubinContents& contents) {
  if (ELF64_ST_TYPE(symbol.entry.st_info) != STT_OBJECT) return;
  if (symbol.section == SHN_UNDEF || is_compilers_own(symbol.name)) return;
  if (const auto kind = kind_of(elf.name_of(section_of(elf, symbol)), symbol.entry.st_other)) {
    contents.variables.push_back({symbol.name, *kind});
  }
}

/// Returns why a kernel that calls this driver function cannot be replayed; null if it can.
const char* why_not(std::string_view driver_call) {
  if (driver_call == "vprintf") return "it may print from the device";
  if (driver_call.starts_with("__cuda_syscall_cnp")) return "it may launch kernels from the device";
  return nullptr;
}

/// Returns true if a function of the module may use the device's heap.
bool allocates(const CubinContents& contents) {
  return std::ranges::any_of(contents.functions, [](const CubinFunction& function) {
    return includes(function.driver_calls, "malloc") || includes(function.driver_calls, "free");
  });
}

/// `mangled` is the kernel's name in the module; several functions may have it.
void check(const std::string& kernel, const std::string& mangled, const CubinContents& contents) {
  for (const CubinFunction& function : contents.functions) {
    if (function.name != mangled) continue;
    for (const std::string& call : function.driver_calls) {
      if (const char* const reason = why_not(call)) throw KernelRefused(kernel, reason);
    }
  }
  const auto managed =
      std::ranges::find(contents.variables, VariableKind::managed, &CubinVariable::kind);
  if (managed == contents.variables.end()) return;
  throw KernelRefused(
      kernel,
      fmt::format("its module has the managed variable {}, which moves by itself", managed->name));
}

/// Adds where the variables lie. Returns the first one that is missing in the module, apart from
/// constants; null: none. Kernels do not change constants; a replay repeats copies into them.
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

/// Adds the variables of the kernel's module: of several, the one with all of the variables.
void add_module(CUfunction function, CUmodule module, const std::string& kernel,
                const KnownModules& modules, std::vector<MemoryFacts>& found) {
  const char* mangled = nullptr;
  TRILANE_DRIVER(cuFuncGetName, &mangled, function);
  const auto candidates = modules.with_kernel(mangled);
  if (candidates.empty()) throw KernelRefused(kernel, "the code of its module could not be read");
  bool fits = false;
  std::string missing;
  for (const auto& contents : candidates) {
    const CubinVariable* const lacks = find(module, *contents, found);
    if (lacks == nullptr) {
      fits = true;
      check(kernel, mangled, *contents);
    } else {
      missing = lacks->name;
    }
  }
  if (fits) return;
  throw KernelRefused(kernel,
                      fmt::format("the driver does not say where its variable {} lies", missing));
}

}  // namespace

std::optional<CubinContents> contents_of_cubin(std::span<const std::byte> cubin) {
  try {
    const ElfReader elf(cubin);
    const Symbols symbols = elf.symbols(section_of_type(elf, SHT_SYMTAB));
    const std::vector<DriverCall> calls = driver_calls(elf, symbols);
    CubinContents contents;
    for (const ElfReader::Symbol& symbol : symbols) {
      put_variable(elf, symbol, contents);
      if (symbol.section == SHN_UNDEF || !is_function(symbol)) continue;
      const Elf64_Shdr& section = section_of(elf, symbol);
      const auto code = elf_part(cubin, section.sh_offset, section.sh_size);
      contents.functions.push_back(described(symbol, calls, code));
    }
    return contents;
  } catch (const DamagedElf&) {
    return std::nullopt;
  }
}

void KnownModules::loaded(std::uint32_t number, std::span<const std::byte> cubin) {
  std::optional<CubinContents> contents = contents_of_cubin(cubin);
  const std::lock_guard lock(mutex_);
  modules_.erase(number);
  if (contents) allocate_ = allocate_ || allocates(*contents);
  if (contents) modules_[number] = std::make_shared<const CubinContents>(std::move(*contents));
}

void KnownModules::unloaded(std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  modules_.erase(number);
  ++unloads_;
}

std::vector<std::shared_ptr<const CubinContents>> KnownModules::with_kernel(
    const std::string& name) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<const CubinContents>> found;
  for (const auto& [number, contents] : modules_) {
    if (includes(contents->functions, name, &CubinFunction::name)) found.push_back(contents);
  }
  return found;
}

void KnownModules::describe(const std::string& name, KernelFacts& facts) const {
  for (const auto& contents : with_kernel(name)) {
    for (const CubinFunction& one : contents->functions) {
      if (one.in_kernel && one.name != name) continue;
      facts.waits_for_previous = facts.waits_for_previous.value_or(false) || one.waits;
      facts.triggers_next = facts.triggers_next.value_or(false) || one.triggers;
    }
  }
}

std::vector<MemoryFacts> module_variables(const KnownModules& modules,
                                          const ApplicationRecording& recording,
                                          const ObservedIteration& iteration) {
  if (modules.allocate()) {
    throw NotPossible(
        "a kernel of the program may allocate memory on the device, which others may use and which "
        "cannot be restored");
  }
  std::vector<MemoryFacts> found;
  std::set<std::uint64_t> handles;
  const auto add = [&](const ObservedCall& call, std::uint32_t kernel) {
    const std::uint64_t handle = call.launch.function;
    if (call.kind != CallKind::kernel || !handles.insert(handle).second) return;
    const CUfunction function = function_of(handle);
    CUmodule module = nullptr;
    TRILANE_DRIVER(cuFuncGetModule, &module, function);
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
