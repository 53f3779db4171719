// The names in a module's code, and what its kernels may call: handmade, compiled, damaged.
#include "common/application/replay/known_modules.hpp"

#include <elf.h>

#include "common/base/text/exit_code.hpp"
#include "tests/base/folder.hpp"
#include "tests/measure/gpu/files.hpp"

using Names = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(code_of_modules)

constexpr unsigned char managed_flag = 4;

/// Sections from 1 on, as Cubin::bytes() lays them out.
enum Section : std::uint16_t {
  outside,
  names,
  texts,
  table,
  code,
  global,
  initial,
  constant,
  shared,
  other_code,
  more_code
};

class Cubin {
 public:
  /// The content of the call graph.
  std::vector<std::int32_t> calls;
  std::string code_of_k = "code", code_of_f = "code";

  void add(const std::string& name, unsigned char type, std::uint16_t section,
           unsigned char other = 0) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<std::uint32_t>(texts_.size());
    symbol.st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_LOCAL, type));
    symbol.st_other = other;
    symbol.st_shndx = section;
    symbol.st_size = 4;
    texts_ += name + '\0';
    symbols_ += as_text(symbol);
  }
  void function(const std::string& name) { add(name, STT_FUNC, code); }
  void variable(const std::string& name, std::uint16_t section = global, unsigned char other = 0) {
    add(name, STT_OBJECT, section, other);
  }

  std::string bytes() const {
    std::string file(sizeof(Elf64_Ehdr), '\0'), headers = as_text(Elf64_Shdr{}), all_names(1, '\0');
    const auto put = [&](const char* name, std::uint32_t type, const std::string& content) {
      Elf64_Shdr header{};
      header.sh_name = static_cast<std::uint32_t>(all_names.size());
      header.sh_type = type;
      header.sh_offset = file.size();
      header.sh_size = content.size();
      header.sh_link = texts;
      header.sh_entsize = type == SHT_SYMTAB ? sizeof(Elf64_Sym) : 0;
      all_names += std::string(name) + '\0';
      file += content;
      headers += as_text(header);
    };
    // Its own name is put into it before the others are known: all have the places of this text.
    const std::string shown(128, '\0');
    const std::size_t names_at = file.size();
    put(".shstrtab", SHT_STRTAB, shown);
    put(".strtab", SHT_STRTAB, texts_);
    put(".symtab", SHT_SYMTAB, symbols_);
    put(".text.k", SHT_PROGBITS, code_of_k);
    put(".nv.global", SHT_NOBITS, "");
    put(".nv.global.init", SHT_PROGBITS, "init");
    put(".nv.constant3", SHT_PROGBITS, "constant");
    put(".nv.shared.k", SHT_NOBITS, "");
    put(".text.q", SHT_PROGBITS, "code");
    put(".text.f", SHT_PROGBITS, code_of_f);
    std::string pairs;
    for (const std::int32_t word : calls) pairs += as_text(word);
    put(".nv.callgraph", SHT_LOPROC + 1, pairs);
    file.replace(names_at, all_names.size(), all_names);
    Elf64_Ehdr header{};
    std::copy_n(ELFMAG, SELFMAG, header.e_ident);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<std::uint16_t>(headers.size() / sizeof(Elf64_Shdr));
    header.e_shstrndx = names;
    header.e_shoff = file.size();
    file.replace(0, sizeof header, as_text(header));
    return file + headers;
  }

 private:
  template <typename T>
  static std::string as_text(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }

  std::string texts_ = std::string(1, '\0'), symbols_ = as_text(Elf64_Sym{});
};

std::span<const std::byte> as_bytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}

constexpr const char* source = R"(
__device__ int counter;
static __device__ int hidden = 3;
__constant__ float scale[4];
__managed__ int of_both;
__global__ void k(int* out, float x) {
  __shared__ int s[32];
  s[threadIdx.x] = counter++;
  out[0] = hidden++ + of_both++ + s[out[1]];
  out[1] = static_cast<int>(sinf(x) * scale[out[3]]);
  printf("%d\n", out[1]);
}
)";

Names of_kind(const CubinContents& contents, VariableKind kind) {
  Names names;
  for (const CubinVariable& variable : contents.variables) {
    if (variable.kind == kind) names.push_back(variable.name);
  }
  std::ranges::sort(names);
  return names;
}

Cubin small() {
  Cubin cubin;
  cubin.function("k");
  cubin.add("vprintf", STT_FUNC, outside);
  cubin.variable("counter");
  cubin.variable("hidden", initial);
  cubin.variable("scale", constant);
  cubin.variable("of_both", global, managed_flag);
  return cubin;
}

void test_small(const std::string& code) {
  const auto found = contents_of_cubin(as_bytes(code));
  BOOST_TEST_REQUIRE(found.has_value());
  const CubinContents& contents = *found;
  BOOST_TEST_REQUIRE(contents.functions.size() == 1);
  const CubinFunction& kernel = contents.functions.front();
  BOOST_TEST((kernel.name == "k" || kernel.name == "_Z1kPif"));
  BOOST_TEST(kernel.driver_calls == Names{"vprintf"}, boost::test_tools::per_element());
  BOOST_TEST((of_kind(contents, VariableKind::device) == Names{"counter", "hidden"}));
  BOOST_TEST((of_kind(contents, VariableKind::constant) == Names{"scale"}));
  BOOST_TEST((of_kind(contents, VariableKind::managed) == Names{"of_both"}));
}

BOOST_AUTO_TEST_CASE(kernels_variables_and_calls_of_the_driver_are_told_apart) {
  test_small(small().bytes());
}

BOOST_AUTO_TEST_CASE(what_is_shared_by_a_block_or_made_by_the_compiler_is_no_variable) {
  Cubin cubin = small();
  cubin.variable("s", shared);
  cubin.variable("$str", initial);
  cubin.variable("__cudart_i2opi_f", initial);
  cubin.variable(".nv.reservedSmem.offset0", outside);
  test_small(cubin.bytes());
}

/// Calls `test` with what each installed compiler makes of the source.
void each_compiled(const char* code, const std::function<void(const std::string&)>& test) {
  const Folder files;
  for (const Compilers& compilers : {test::only_nvcc(), test::only_nvrtc()}) {
    try {
      const std::string text =
          compilers.nvcc.empty() ? code : std::string("#include <cstdio>\n") + code;
      test(image_of(files.put("v.cu", text), {"k"}, test::h200, compilers,
                    ImageCache(std::filesystem::path()))
               .bytes);
    } catch (const NotPossible& error) {
      BOOST_TEST_MESSAGE("skipped: " << error.what());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_compiled_module_is_read) { each_compiled(source, test_small); }

/// Returns the functions that may call vprintf, without the compiler's copies.
Names printing(const std::string& bytes) {
  const auto contents = contents_of_cubin(as_bytes(bytes));
  BOOST_TEST_REQUIRE(contents.has_value());
  Names found;
  for (const CubinFunction& function : contents->functions) {
    const bool prints = std::ranges::count(function.driver_calls, "vprintf") > 0;
    if (prints && !function.name.starts_with('$')) found.push_back(function.name);
  }
  std::ranges::sort(found);
  return found;
}

BOOST_AUTO_TEST_CASE(of_a_compiled_module_those_kernels_may_print_that_reach_it) {
  const char* const kernels = R"(
typedef int (*Step)(int);
struct Base { __device__ virtual int step(int x) = 0; };
struct Loud : Base { __device__ int step(int x) override { printf("%d\n", x); return x; } };
__device__ __noinline__ int silent(int x) { return x * x + clock(); }
__device__ __noinline__ int loud(int x) { printf("%d\n", x); return x; }
__device__ __noinline__ int middle(int x) { return loud(x) * silent(x); }
__device__ Step steps[] = {silent, middle};
extern "C" {
__global__ void k(int* out) { out[0] = out[1]; }
__global__ void calls_silent(int* out) { out[0] = silent(out[1]); }
__global__ void prints(int* out) { printf("%d\n", out[0]); }
__global__ void through(int* out) { out[0] = middle(out[1]); }
__global__ void from_table(int* out) { out[0] = steps[out[1] & 1](out[2]); }
__global__ void by_argument(int* out, Step step) { out[0] = step(out[1]); }
__global__ void makes(Base** out) { out[0] = new Loud; }
__global__ void by_virtual(Base** in, int* out) { out[0] = in[0]->step(out[1]); }
}
)";
  each_compiled(kernels, [](const std::string& bytes) {
    const Names found = printing(bytes);
    for (const char* one : {"prints", "through", "from_table", "by_argument", "by_virtual"}) {
      BOOST_TEST(std::ranges::count(found, one) == 1, one);
    }
    for (const char* one : {"k", "calls_silent"}) BOOST_TEST(!std::ranges::count(found, one), one);
  });
}

/// Symbols from 1 on, as with_calls() adds them.
enum Symbol : std::int32_t { k = 1, q, f, copy_in_q, vprintf_, variable };

std::string with_calls(std::vector<std::int32_t> calls) {
  Cubin cubin;
  cubin.function("k");
  cubin.add("q", STT_FUNC, other_code);
  cubin.add("f", STT_FUNC, more_code);
  cubin.add("$q$copy", STT_FUNC, other_code);
  cubin.add("vprintf", STT_FUNC, outside);
  cubin.variable("counter");
  cubin.calls = std::move(calls);
  return cubin.bytes();
}

BOOST_AUTO_TEST_CASE(calls_are_followed_from_section_to_section) {
  const auto test = [](const std::vector<std::int32_t>& calls, const Names& expected) {
    BOOST_TEST(printing(with_calls(calls)) == expected, boost::test_tools::per_element());
  };
  test({0, -1, k, vprintf_, 0, -2, 0, -3, 0, -4}, {"k"});
  test({0, -1, q, f, f, vprintf_, 0, -2, 0, -3, 0, -4}, {"f", "q"});
  test({0, -1, k, q, copy_in_q, vprintf_, 0, -2, 0, -3, 0, -4}, {"k", "q"});
  test({0, -1, f, f, f, q, q, f, q, vprintf_, 0, -2, 0, -3, 0, -4}, {"f", "q"});
  // Taking an address is no call, but a call by address may lead anywhere.
  test({0, -1, f, vprintf_, 0, -2, f, 7, 0, -3, 0, -4, k, f}, {"f"});
  test({0, -1, k, q, f, vprintf_, 0, -2, f, 7, 0, -3, q, 7, 0, -4, k, f}, {"f", "k", "q"});
}

BOOST_AUTO_TEST_CASE(without_a_call_graph_that_is_understood_all_may_call_what_the_module_calls) {
  const std::vector<std::vector<std::int32_t>> unknown{
      {},
      {0, -1, k, vprintf_},                                    // cut off
      {0, -1, k, vprintf_, 0, -2, 0, -3},                      // cut off
      {0, -1, k, vprintf_, 0, -2, 0, -3, 0, -4, 0},            // half a pair
      {0, -1, k, vprintf_, 0, -2, 0, -3, 0, -4, 0, -5},        // a fifth group
      {0, -1, k, vprintf_, 0, -3, 0, -2, 0, -4},               // in another order
      {k, vprintf_, 0, -1, k, vprintf_, 0, -2, 0, -3, 0, -4},  // before the first group
      {0, -1, k, vprintf_, k, 99, 0, -2, 0, -3, 0, -4},        // no such symbol
      {0, -1, k, vprintf_, 99, f, 0, -2, 0, -3, 0, -4},
      {0, -1, k, vprintf_, variable, f, 0, -2, 0, -3, 0, -4},  // calls, and is no function
      {0, -1, k, vprintf_, k, variable, 0, -2, 0, -3, 0, -4},
      {0, -1, k, vprintf_, vprintf_, f, 0, -2, 0, -3, 0, -4},  // calls, and is not in the module
      {0, -1, k, f, 0, -2, 0, -3, 0, -4},                      // nobody calls vprintf
  };
  for (const std::vector<std::int32_t>& calls : unknown) {
    BOOST_TEST(printing(with_calls(calls)) == (Names{"f", "k", "q"}),
               boost::test_tools::per_element());
  }
}

/// Returns the flags of the module's function.
std::pair<bool, bool> waits_and_triggers(const std::string& bytes, const std::string& name) {
  KnownModules modules;
  modules.loaded(1, as_bytes(bytes));
  KernelFacts facts;
  modules.describe(name, facts);
  return {facts.waits_for_previous.value(), facts.triggers_next.value()};
}

BOOST_AUTO_TEST_CASE(a_kernel_waits_or_triggers_if_its_own_code_does_or_a_function_it_may_call) {
  const auto filled = [](const char* in_kernel, const char* in_function) {
    Cubin cubin;
    constexpr unsigned char kernel = 0x10;
    cubin.add("k", STT_FUNC, code, kernel);
    cubin.add("$k$copy", STT_FUNC, code);
    cubin.add("q", STT_FUNC, other_code, kernel);
    cubin.add("f", STT_FUNC, more_code);
    cubin.code_of_k = in_kernel + std::string(14, '\xff');
    cubin.code_of_f = in_function + std::string(14, '\xff');
    return cubin.bytes();
  };
  using Flags = std::pair<bool, bool>;
  const auto test = [](const std::string& bytes, Flags of_k, Flags of_q) {
    BOOST_TEST((waits_and_triggers(bytes, "k") == of_k));
    BOOST_TEST((waits_and_triggers(bytes, "q") == of_q));
  };
  const char *const waits = "\x2e\xf8", *const triggers = "\x2d\xf8", *const neither = "\x2c\x38";
  test(filled(neither, neither), {false, false}, {false, false});
  test(filled(waits, neither), {true, false}, {false, false});
  test(filled(triggers, neither), {false, true}, {false, false});
  test(filled(neither, waits), {true, false}, {true, false});
  test(filled(waits, triggers), {true, true}, {false, true});
  const std::string second = filled(neither, neither);
  KnownModules modules;
  KernelFacts facts;
  modules.describe("k", facts);
  BOOST_TEST(!facts.waits_for_previous.has_value());
  modules.loaded(1, as_bytes(filled(waits, neither)));
  modules.loaded(2, as_bytes(second));  // only the driver knows which of them is launched
  modules.describe("k", facts);
  BOOST_TEST(facts.waits_for_previous.value());
}

BOOST_AUTO_TEST_CASE(of_a_compiled_module_those_kernels_wait_or_trigger_that_reach_the_call) {
  const char* const kernels = R"(
__device__ __noinline__ int behind(int x) { asm volatile("griddepcontrol.wait;"); return x * clock(); }
extern "C" {
__global__ void k(int* out) { out[0] = out[1]; }
__global__ void waits(int* out) { asm volatile("griddepcontrol.wait;"); out[0] = out[1]; }
__global__ void triggers(int* out) { asm volatile("griddepcontrol.launch_dependents;"); out[0] = out[1]; }
__global__ void through(int* out) { out[0] = behind(out[1]); }
}
)";
  each_compiled(kernels, [](const std::string& bytes) {
    using Flags = std::pair<bool, bool>;
    BOOST_TEST((waits_and_triggers(bytes, "k") == Flags{false, false}));
    BOOST_TEST((waits_and_triggers(bytes, "waits") == Flags{true, false}));
    BOOST_TEST((waits_and_triggers(bytes, "triggers") == Flags{false, true}));
    BOOST_TEST((waits_and_triggers(bytes, "through") == Flags{true, false}));
  });
}

BOOST_AUTO_TEST_CASE(more_sections_than_the_header_has_room_for_are_found) {
  std::string bytes = small().bytes();
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  Elf64_Shdr first{};
  first.sh_size = header.e_shnum;
  first.sh_link = header.e_shstrndx;
  bytes.replace(header.e_shoff, sizeof first, reinterpret_cast<const char*>(&first), sizeof first);
  header.e_shnum = 0;
  header.e_shstrndx = SHN_XINDEX;
  bytes.replace(0, sizeof header, reinterpret_cast<const char*>(&header), sizeof header);
  test_small(bytes);
}

BOOST_AUTO_TEST_CASE(each_cut_is_noticed) {
  const std::string bytes = small().bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    BOOST_TEST(!contents_of_cubin(as_bytes(bytes.substr(0, length))), length);
  }
  BOOST_TEST(!contents_of_cubin(as_bytes("// PTX\n.version 9.0\n")));
}

BOOST_AUTO_TEST_CASE(damaged_code_is_refused_or_read_but_never_followed_beyond_its_end) {
  const std::string whole =
      with_calls({0, -1, k, q, q, f, f, vprintf_, 0, -2, f, 7, 0, -3, k, 7, 0, -4, k, f});
  std::mt19937 random(17);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = whole;
    for (unsigned changes = 1 + random() % 4; changes-- > 0;) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    // In a block of its own size, so that a sanitizer sees a read beyond it.
    const std::vector<char> exact(bytes.begin(), bytes.end());
    refused += !contents_of_cubin(std::as_bytes(std::span(exact)));
  }
  BOOST_TEST(refused > 5000);
}

BOOST_AUTO_TEST_CASE(memory_on_the_devices_heap_outlives_the_module_that_may_allocate_it) {
  for (const char* const call : {"malloc", "free"}) {
    KnownModules modules;
    modules.loaded(1, as_bytes(small().bytes()));
    BOOST_TEST(!modules.allocate());
    Cubin cubin = small();
    cubin.add(call, STT_FUNC, outside);
    modules.loaded(2, as_bytes(cubin.bytes()));
    modules.unloaded(2);
    modules.loaded(3, as_bytes(small().bytes()));
    BOOST_TEST(modules.allocate(), call);
  }
}

BOOST_AUTO_TEST_CASE(a_module_is_known_by_its_kernels_until_it_goes) {
  KnownModules modules;
  modules.loaded(1, as_bytes(small().bytes()));
  modules.loaded(2, as_bytes(small().bytes()));
  modules.loaded(3, as_bytes("no code"));
  BOOST_TEST(modules.with_kernel("k").size() == 2);
  BOOST_TEST(modules.with_kernel("other").empty());
  modules.unloaded(1);
  BOOST_TEST(modules.with_kernel("k").size() == 1);
  BOOST_TEST(modules.unloads() == 1);
  modules.loaded(2, {});
  BOOST_TEST(modules.with_kernel("k").empty());
}

BOOST_AUTO_TEST_SUITE_END()
