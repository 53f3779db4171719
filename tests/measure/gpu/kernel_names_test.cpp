// Which kernel the user means, the parts of the demangler's names, and which names are templates.
#include "common/measure/gpu/images/kernel_names.hpp"

#include "common/base/text/cpp_names.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/measure/gpu/compile/compile.hpp"
#include "tests/base/refusal.hpp"

BOOST_AUTO_TEST_SUITE(kernel_names)

const std::string blur = "_Z4blurPKfPfm", ns_blur = "_ZN2ns4blurEPKfPfm",
                  scale_u = "_ZN2ns5scaleIjLi4EEEvPKT_PS1_m",
                  scale_f = "_ZN2ns5scaleIfLi4EEEvPKT_PS1_m", plain = "copy_all",
                  hidden = "_ZN36_GLOBAL__N__c01743fb_4_w_cu_244f8f294anonEPf";

KernelNames names_of(const std::vector<std::string>& mangled) {
  return {.file = "k.cu", .mangled = mangled, .lowered = {}, .templates = {}};
}

std::string why_not(std::string_view wanted, const KernelNames& names) {
  return refusal<UsageError>([&] { chosen_kernel(wanted, names); });
}

BOOST_AUTO_TEST_CASE(a_demangled_name_has_a_name_and_types) {
  BOOST_TEST(demangled("i") == "i");  // for the demangler alone: int
  BOOST_TEST(qualified_name(demangled(scale_u)) == "ns::scale<unsigned int, 4>");
  BOOST_TEST(qualified_name(demangled(hidden)) == "(anonymous namespace)::anon");
  BOOST_TEST(qualified_name("void f<(Mode)1>(int (*)(char, long), A<int, long>)") == "f<(Mode)1>");
  const std::vector<std::string> wanted{"float const*", "float*", "unsigned long"};
  BOOST_TEST(signature_of(demangled(blur)) == wanted, boost::test_tools::per_element());
  const std::vector<std::string> nested{"int (*)(char, long)", "A<int, long>"};
  BOOST_TEST(signature_of("void f<(Mode)1>(int (*)(char, long), A<int, long>)") == nested,
             boost::test_tools::per_element());
  BOOST_TEST(signature_of("f()").empty());
  BOOST_TEST(signature_of("f(void)").empty());
  BOOST_TEST(signature_of("copy_all").empty());
}

BOOST_AUTO_TEST_CASE(a_long_name_loses_its_parameters_then_its_template_arguments) {
  const std::string whole = "void ns::scale<float, 4>(A<int, long>, int (*)(char))";
  BOOST_TEST(short_name(whole, whole.size()) == whole);
  BOOST_TEST(short_name(whole, whole.size() - 1) == "ns::scale<float, 4>");
  BOOST_TEST(short_name(whole, 18) == "ns::scale");
  BOOST_TEST(short_name(whole, 8) == "ns:: ...");
  BOOST_TEST(short_name("copy_all", 8) == "copy_all");
}

BOOST_AUTO_TEST_CASE(a_kernel_is_found_by_each_way_to_write_it) {
  const KernelNames names = names_of({blur, scale_u, plain, hidden});
  for (const char* way :
       {"blur", "::blur", "blur(float const*, float*, unsigned long)", "_Z4blurPKfPfm"}) {
    BOOST_TEST(chosen_kernel(way, names) == blur);
  }
  for (const char* way :
       {"scale", "ns::scale", "scale<unsigned int,4>", "ns::scale < unsigned int, 4 >"}) {
    BOOST_TEST(chosen_kernel(way, names) == scale_u);
  }
  BOOST_TEST(chosen_kernel("copy_all", names) == plain);
  BOOST_TEST(chosen_kernel("anon", names) == hidden);
}

BOOST_AUTO_TEST_CASE(the_compilers_word_on_a_template_counts) {
  KernelNames names = names_of({scale_f, scale_u});
  names.lowered = {{"ns::scale<std::uint32_t>", demangled(scale_u)}};
  BOOST_TEST(chosen_kernel("ns::scale<std::uint32_t>", names) == scale_u);
}

BOOST_AUTO_TEST_CASE(a_complete_name_goes_before_the_end_of_another) {
  BOOST_TEST(chosen_kernel("blur", names_of({ns_blur, blur})) == blur);
  BOOST_TEST(chosen_kernel("blur", names_of({ns_blur})) == ns_blur);
  BOOST_TEST(why_not("::blur", names_of({ns_blur})).starts_with("k.cu has no kernel '::blur'"));
}

BOOST_AUTO_TEST_CASE(several_that_fit_are_named_so_that_one_fits) {
  const KernelNames two = names_of({scale_f, scale_u});
  BOOST_TEST(why_not("scale", two) ==
             "k.cu has 2 kernels that 'scale' can mean; write one of: "
             "ns::scale<float, 4>; ns::scale<unsigned int, 4>");
  BOOST_TEST(chosen_kernel("ns::scale<float, 4>", two) == scale_f);
  const KernelNames overloads = names_of({"_Z4blurPf", "_Z4blurPd"});
  BOOST_TEST(why_not("blur", overloads) ==
             "k.cu has 2 kernels that 'blur' can mean; write one of: blur(float*); blur(double*)");
  BOOST_TEST(chosen_kernel("blur(double*)", overloads) == "_Z4blurPd");
}

BOOST_AUTO_TEST_CASE(an_unknown_name_lists_what_is_there_and_guesses) {
  BOOST_TEST(why_not("blurr", names_of({blur, plain})) ==
             "k.cu has no kernel 'blurr'; did you mean 'blur'? its kernels: blur; copy_all");
  BOOST_TEST(why_not("x", names_of({})) ==
             "k.cu has no kernel 'x'; it has none for this GPU: kernels are __global__ functions, "
             "compiled for its architecture");
  KernelNames names = names_of({blur});
  names.templates = {"scale"};
  BOOST_TEST(why_not("scale", names) ==
             "k.cu has no kernel 'scale'; it is a template there: write "
             "its arguments, as in scale<float>");
  BOOST_TEST(!contains(why_not("other", names), "template"));
}

BOOST_AUTO_TEST_CASE(the_wrapper_s_kernels_tell_instances) {
  const std::string marker = "_Z16trilane_kernel_1IXadL_ZN2ns5scaleIjLi4EEEvPKT_PS2_mEEEvv";
  const std::string image = std::string("\0.text.", 7) + marker + '\0' + scale_u + '\0';
  BOOST_TEST(instance_in(image, 1) == demangled(scale_u));
  BOOST_TEST(instance_in(image, 0).empty());
  BOOST_TEST(is_from_wrapper(marker));
  BOOST_TEST(!is_from_wrapper(scale_u));
}

BOOST_AUTO_TEST_CASE(no_name_is_too_odd) {
  std::mt19937 random(17);
  const std::string letters = "_Zabl uriv<>()&:,*-0123456789\x01\xff";
  const auto word = [&](std::size_t most) {
    std::string text;
    for (std::size_t length = random() % most; text.size() < length;) {
      text += letters[random() % letters.size()];
    }
    return text;
  };
  for (int i = 0; i < 100'000; ++i) {
    std::string name = random() % 2 ? "_Z" + word(24) : word(24);
    if (random() % 4 == 0) {
      name = scale_u;
      name[random() % name.size()] = letters[random() % letters.size()];
    }
    const KernelNames names = names_of({name, blur});
    if (name != blur) BOOST_TEST_REQUIRE(chosen_kernel(name, names) == name);
    const std::string whole = demangled(name);
    BOOST_TEST_REQUIRE(qualified_name(whole).size() <= whole.size());
    signature_of(whole);
    why_not(word(12), names);
  }
}

BOOST_AUTO_TEST_CASE(only_names_with_arguments_are_instantiated_each_once) {
  const std::vector<std::string> wanted{"a<int>", "::b::c<const float *, 4>::d<e<f>>"};
  const std::vector<std::string> found = template_names(
      {"plain", "a<int>", wanted[1], "a<int>", "scale<float>(float*)", "_Z5scaleIfEvPT_"});
  BOOST_TEST(found == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nothing_else_gets_into_a_source) {
  for (const char* name :
       {"a<int>; system", "a<int>}",  "a<\"x\">",      "a<int>\n#include </etc/passwd>",
        "a<1+1>",         "a<int",    "a>int<",        "a<b>>",
        "<int>",          "1a<int>",  "a<int>,b<int>", "a b<int>",
        "a<int>b",        "a<int>//", "a<'x'>",        "a<\\u0041>",
        "a<int>*",        "a<int#>",  "a<int;>",       "a<\xc3\xa9>"}) {
    BOOST_CHECK_THROW(template_names({name}), UsageError);
  }
  BOOST_CHECK_THROW(template_names({"a<" + std::string(500, 'x') + ">"}), UsageError);
}

BOOST_AUTO_TEST_CASE(random_names_pass_only_as_one_expression) {
  std::mt19937 random(3);
  const std::string letters = "ab_:<>,* &09;\"'#\n\\(){}/-";
  int passed = 0;
  for (int i = 0; i < 100'000; ++i) {
    // Mostly the allowed characters, or nearly no name would pass.
    const std::size_t most = random() % 3 ? 13 : letters.size();
    std::string name = "a<";
    for (std::size_t length = random() % 10; length-- > 0;) name += letters[random() % most];
    if (random() % 2) name += ">";
    if (random() % 8 == 0) name.erase(0, 1);
    if (!has_template_arguments(name)) continue;
    try {
      template_names({name});
      ++passed;
    } catch (const UsageError&) {
      continue;
    }
    BOOST_TEST_REQUIRE(name.find_first_of(";\"'#\n\\(){}/-") == std::string::npos, name);
    int depth = 0;
    for (const char c : name) {
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      BOOST_TEST_REQUIRE(depth >= 0, name);
      // A comma outside would begin another element of the wrapper's table.
      BOOST_TEST_REQUIRE((depth > 0 || c != ','), name);
    }
    BOOST_TEST_REQUIRE(depth == 0, name);
  }
  BOOST_TEST(passed > 1000);
}

BOOST_AUTO_TEST_CASE(templates_are_told_from_other_kernels) {
  const std::string source = R"cu(
// template <typename T> __global__ void in_comment(T*);
const char* text = "template <class T> __global__ void in_string(T*)";
  template <typename T, int N = 4>
  __global__ void __launch_bounds__(256, 2) scale(const T* in);
  template <class T>
  T helper(T x) {
    return x;
  }
  __global__ void blur(float* out) { out[0] = helper(1.0f); }
  template <>
  __global__ void scale<int>(const int* in) {}
  template __global__ void copy<float>(float*);
  template <class T>
  static void __global__ late(T * out) {}
extern "C" __global__ void c_kernel(int n) {}
)cu";
  const std::vector<std::string> wanted{"scale", "late"};
  BOOST_TEST(template_kernels(source) == wanted, boost::test_tools::per_element());
  for (const char* odd : {"", "__global__", "template<__global__", "template <class T> __global__",
                          "/*", "\"", "'", "template <class T> __global__ ((((", "\"\\"}) {
    BOOST_TEST(template_kernels(odd).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_file_name_stays_within_its_include) {
  CompileJob job{.file = "/k/a b;$(x).cu", .templates = {"a<int>"}, .architecture = "sm_90"};
  BOOST_TEST(wrapper_of(job).starts_with("#include \"/k/a b;$(x).cu\"\n"));
  for (const char* file : {"/k/a\".cu", "/k/a\n.cu", "/k/a\\.cu"}) {
    job.file = file;
    BOOST_CHECK_THROW(wrapper_of(job), UsageError);
  }
}

BOOST_AUTO_TEST_SUITE_END()
