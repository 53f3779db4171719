// Sources become images, by nvcc and by NVRTC, without a GPU; and how other programs are run.
#include "common/measure/gpu/compile/compile.hpp"

#include "common/base/text/exit_code.hpp"
#include "tests/base/folder.hpp"
#include "tests/base/refusal.hpp"
#include "tests/measure/gpu/files.hpp"

namespace fs = std::filesystem;

namespace {

const ImageCache no_cache{fs::path()};

constexpr const char* compiles = "(not refused)";

/// Returns true if one of the compilers can be started, and thus refuses the file.
bool is_there(const Compilers& compilers) {
  const Folder files;
  try {
    image_of(files.put("wrong.cu", "#error\n"), {"k"}, test::h200, compilers, no_cache);
  } catch (const NotPossible& error) {
    BOOST_TEST_MESSAGE("skipped: " << error.what());
    return false;
  } catch (const UsageError&) {
  }
  return true;
}

bool nvcc_is_there() {
  static const bool there = is_there(test::only_nvcc());
  return there;
}

/// Runs a test with each available compiler, or says that none exists. Nothing may be left in the
/// temporary folder.
void with_each(const std::function<void(const Compilers&)>& test) {
  const Folder temporary;
  const std::string before = fs::temp_directory_path();
  setenv("TMPDIR", temporary.path.c_str(), 1);
  if (nvcc_is_there()) BOOST_TEST_CONTEXT("nvcc") test(test::only_nvcc());
  static const bool nvrtc_is_there = is_there(test::only_nvrtc());
  if (nvrtc_is_there) BOOST_TEST_CONTEXT("NVRTC") test(test::only_nvrtc());
  setenv("TMPDIR", before.c_str(), 1);
  BOOST_TEST(fs::is_empty(temporary.path));
}

std::string why_not(const fs::path& file, const std::vector<std::string>& names,
                    const Compilers& compilers) {
  return refusal<UsageError>([&] { image_of(file, names, test::h200, compilers, no_cache); });
}

bool has_kernel(const Image& image, const std::string& mangled) {
  return image.bytes.find(std::string(".text.") + mangled + '\0') != std::string::npos;
}

/// Returns the key in a kept image's file: after the third line, which ends with its size.
std::string key_in(const std::string& kept) {
  std::istringstream in(kept);
  std::string layout, checksum, kind;
  std::size_t names = 0, bytes = 0;
  std::getline(in, layout);
  std::getline(in, checksum);
  in >> kind >> names >> bytes;
  return kept.substr(static_cast<std::size_t>(in.tellg()) + 1, bytes);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(compile_kernels)

BOOST_AUTO_TEST_CASE(kernels_and_requested_instances_are_in_the_image) {
  with_each([](const Compilers& compilers) {
    const Folder files;
    const Image image =
        image_of(files.put("k.cu", test::two_kernels), {"blur", "ns::scale<std::uint32_t>"},
                 test::h200, compilers, no_cache);
    BOOST_TEST(flaw_of(ImageKind::cubin, image.bytes) == "");
    BOOST_TEST(has_kernel(image, "_Z4blurPKfPfm"));
    BOOST_TEST(has_kernel(image, "_ZN2ns5scaleIjLi4EEEvPKT_PS1_m"));
    BOOST_TEST(!has_kernel(image, "_ZN2ns5scaleIfLi4EEEvPKT_PS1_m"));
    BOOST_REQUIRE(image.lowered.size() == 1u);
    BOOST_TEST(image.lowered[0].written == "ns::scale<std::uint32_t>");
    BOOST_TEST(image.lowered[0].demangled == demangled("_ZN2ns5scaleIjLi4EEEvPKT_PS1_m"));
    BOOST_TEST(image.templates == std::vector<std::string>{"scale"},
               boost::test_tools::per_element());
  });
}

BOOST_AUTO_TEST_CASE(nvrtc_needs_no_headers_of_the_toolkit) {
  if (!is_there(test::only_nvrtc(false))) return;
  const Folder files;
  const std::string source =
      "#include <cuda_runtime.h>\n#include <cmath>\n#include <cassert>\n"
      "__device__ float root(float x) { return std::sqrt(x) + std::fmax(x, 1.0f); }\n";
  const Image image = image_of(files.put("k.cu", source + test::two_kernels), {"ns::scale<int>"},
                               test::h200, test::only_nvrtc(false), no_cache);
  BOOST_TEST(has_kernel(image, "_Z4blurPKfPfm"));
}

BOOST_AUTO_TEST_CASE(ordinary_headers_of_the_standard_library_work) {
  with_each([](const Compilers& compilers) {
    const Folder files;
    const std::string source = R"(#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <limits>
#include <type_traits>
template <typename T>
__global__ void k(T* o) {
  static_assert(std::is_same_v<T, float>);
  o[0] = std::min(std::sqrt(o[1]), 2.0f) + sqrtf(FLT_MAX) + float(INT_MAX) + __half2float(__half(1.0f));
  if (o[0] == std::numeric_limits<float>::max()) printf("%f", o[0]);
}
)";
    BOOST_TEST(why_not(files.put("k.cu", source), {"k<float>"}, compilers) == compiles);
  });
}

BOOST_AUTO_TEST_CASE(the_compilers_messages_arrive_as_they_are) {
  with_each([](const Compilers& compilers) {
    const Folder files;
    const std::string why =
        why_not(files.put("bad.cu", "\n\n__global__ void k() { wrong_word; }\n"), {"k"}, compilers);
    BOOST_TEST(contains(why, "bad.cu(3): error: identifier \"wrong_word\" is undefined"), why);
    BOOST_TEST(contains(why, "cannot compile it:\n"));
    const std::string missing =
        why_not(files.put("m.cu", "#include \"missing.h\"\n"), {"k"}, compilers);
    BOOST_TEST(contains(missing, "missing.h"), missing);
    const std::string other = why_not(files.put("k.cu", test::two_kernels), {"nn<int>"}, compilers);
    BOOST_TEST(contains(other, "nn"), other);
  });
}

BOOST_AUTO_TEST_CASE(no_name_of_a_file_or_folder_is_interpreted) {
  with_each([](const Compilers& compilers) {
    const Folder files;
    const std::string source = "#include \"h.h\"\n__global__ void k() {}\n";
    const std::string trick = "$(touch made)`touch made`;touch made&'x,y";
    for (const std::string& name : {trick + "/" + trick + ".cu", std::string("-o made.cu")}) {
      const auto file = files.put(name, source);
      files.put((fs::path(name).parent_path() / "h.h").string(), "\n");
      BOOST_TEST(why_not(file, {"k"}, compilers) == compiles, name);
    }
    const fs::path before = fs::current_path();
    fs::current_path(files.path);
    files.put("--help.cu", source);
    BOOST_TEST(why_not("--help.cu", {"k"}, compilers) == compiles);
    BOOST_TEST(!fs::exists("made"));
    fs::current_path(before);
    BOOST_TEST(!fs::exists("made"));
  });
}

BOOST_AUTO_TEST_CASE(a_compiler_that_takes_too_long_is_ended) {
  const Folder files;
  const auto slow = files.put("nvcc", "#!/bin/sh\nsleep 100\n");
  fs::permissions(slow, fs::perms::owner_all);
  const auto compiler = make_nvcc(slow, {files.path / "k.cu", {}, "sm_90"}, 0.2);
  BOOST_TEST(contains(refusal<UsageError>([&] { compiler->compile(); }),
                      "k.cu: nvcc took longer than 0 s and was ended"));
}

BOOST_AUTO_TEST_CASE(without_a_compiler_the_message_says_where_it_was_looked_for) {
  const Folder files;
  const auto file = files.put("k.cu", test::two_kernels);
  const std::string why =
      refusal<NotPossible>([&] { image_of(file, {"blur"}, test::h200, Compilers{}, no_cache); });
  BOOST_TEST(contains(why, "there is no nvcc"));
  BOOST_TEST(contains(why, "nvcc -cubin -arch=sm_90"));
  BOOST_TEST(contains(why_not(files.put("k.txt", "x"), {}, {}),
                      "k.txt is not a .cu, .ptx, .cubin or .fatbin file"));
  BOOST_TEST(
      contains(why_not(files.path / "none.cu", {}, {}), "none.cu cannot be read (No such file"));
}

BOOST_AUTO_TEST_CASE(rules_of_compilers_are_read) {
  const std::vector<fs::path> wanted{"kernels.cu", "/a b/c.h", "/d$(x)"};
  BOOST_TEST((files_of_rule("kernels.o : kernels.cu \\\n    /a\\ b/c.h \\\n /d$(x)\n") == wanted));
  BOOST_TEST(files_of_rule("").empty());
  BOOST_TEST(files_of_rule("x : \\").empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(kept_images)

BOOST_AUTO_TEST_CASE(headers_are_found_and_count_for_the_cache) {
  with_each([](const Compilers& compilers) {
    const Folder files;
    const auto file = files.put("in/k.cu",
                                "#include \"sub/one.cuh\"\n#define HEADER \"h.h\"\n"
                                "#include HEADER\n"
                                "__global__ void k(float* o) { o[0] = two; o[1] = three; }\n");
    const auto write_two = [&](const std::string& value) {
      files.put("in/two.h", "constexpr float two = " + value + ";\n");
    };
    const auto write_three = [&](const std::string& value) {
      files.put("in/h.h", "constexpr float three = " + value + ";\n");
    };
    files.put("in/sub/one.cuh", "#pragma once\n # include \"../two.h\" // why\n");
    write_two("2");
    write_three("3");
    const ImageCache cache(files.path / "cache");
    const auto compiled = [&] { return image_of(file, {"k"}, test::h200, compilers, cache).bytes; };
    const std::string first = compiled();
    write_two("3");
    BOOST_TEST(compiled() != first);
    write_two("2");
    BOOST_TEST(compiled() == first);
    BOOST_TEST(std::distance(fs::directory_iterator(files.path / "cache"), {}) == 2);
    if (compilers.nvcc.empty()) return;
    write_three("4");  // only nvcc says that it reads this header
    BOOST_TEST(compiled() != first);
  });
}

BOOST_AUTO_TEST_CASE(a_hit_compiles_nothing_and_a_damaged_file_is_made_again) {
  with_each([](const Compilers& compilers) {
    const Folder files;
    const auto file = files.put("k.cu", test::two_kernels);
    const ImageCache cache(files.path / "cache");
    const auto compiled = [&](const std::string& name, Architecture architecture = test::h200) {
      return image_of(file, {name}, architecture, compilers, cache);
    };
    const Image first = compiled("ns::scale<float>");
    const auto kept = fs::directory_iterator(files.path / "cache")->path();
    // An image with another note, under the same key, shows which one is returned.
    Image noted = first;
    noted.lowered[0].demangled = "from the cache";
    cache.keep(key_in(content_of_file(kept)), noted);
    const Image second = compiled("ns::scale<float>");
    BOOST_TEST(second.lowered[0].demangled == "from the cache");
    BOOST_TEST(second.templates == first.templates, boost::test_tools::per_element());
    std::string damaged = content_of_file(kept);
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] + 1);
    files.put("cache/" + kept.filename().string(), damaged);
    BOOST_TEST((compiled("ns::scale<float>").lowered == first.lowered));
    BOOST_TEST(content_of_file(kept) != damaged);
    BOOST_TEST(compiled("ns::scale<int>").bytes != first.bytes);
    BOOST_TEST(compiled("ns::scale<float>", {8, 0}).bytes != first.bytes);
  });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(tool_run)

BOOST_AUTO_TEST_CASE(arguments_arrive_as_they_are) {
  const Folder files;
  const ToolResult result =
      run_tool("/usr/bin/printf", {"%s|", "$(touch x)", "a b;`y`", "-z"}, files.path, 60);
  BOOST_TEST(result.code == 0);
  BOOST_TEST(result.printed == "$(touch x)|a b;`y`|-z|");
  BOOST_TEST(std::filesystem::is_empty(files.path));
}

BOOST_AUTO_TEST_CASE(it_works_in_its_folder_and_its_code_and_errors_arrive) {
  const Folder files;
  const ToolResult result =
      run_tool("/bin/sh", {"-c", "pwd; echo $TMPDIR; echo error >&2; exit 7"}, files.path, 60);
  const std::string folder = files.path.string() + "\n";
  BOOST_TEST(result.code == 7);
  BOOST_TEST(result.printed == folder + folder + "error\n");
  BOOST_TEST(run_tool("/bin/sh", {"-c", "kill -9 $$"}, files.path, 60).code == 137);
}

BOOST_AUTO_TEST_CASE(what_takes_too_long_ends_with_all_that_it_started) {
  const Folder files;
  // One that keeps the output open, one that has closed it; each with a child that would write.
  for (const char* script : {"(read x < pipe; touch late) & echo here; wait",
                             "exec >/dev/null 2>&1; (read x < pipe; touch late) & wait"}) {
    run_tool("/bin/sh", {"-c", "rm -f pipe; mkfifo pipe"}, files.path, 60);
    const ToolResult result = run_tool("/bin/sh", {"-c", script}, files.path, 0.3);
    BOOST_TEST(result.late);
    // Opens the pipe in both directions, so that it does not wait, and lets a survivor continue.
    run_tool("/bin/sh", {"-c", "exec 3<>pipe; echo go >&3; sleep 0.1"}, files.path, 60);
    BOOST_TEST(!std::filesystem::exists(files.path / "late"));
  }
}

BOOST_AUTO_TEST_CASE(floods_are_cut_and_missing_programs_are_said) {
  const Folder files;
  const ToolResult flood = run_tool("/bin/sh", {"-c", "head -c 3000000 /dev/zero"}, files.path, 60);
  BOOST_TEST(flood.code == 0);
  BOOST_TEST(flood.printed.size() == std::size_t{1} << 20);
  BOOST_CHECK_THROW(run_tool("/no/such", {}, files.path, 60), NotPossible);
}

BOOST_AUTO_TEST_SUITE_END()
