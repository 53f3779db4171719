// Names allowed as a template's name in source code, and which kernels are templates.
#include "common/measure/gpu/images/kernel_names.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "common/base/text/exit_code.hpp"
#include "common/measure/gpu/compile/compile.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(template_names_of_kernels)

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
