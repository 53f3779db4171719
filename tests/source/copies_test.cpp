// Duplicated code is the same in both places.
#include "tests/base/folder.hpp"

BOOST_AUTO_TEST_SUITE(copies)

/// Returns the text from the comment on the first kernel to the end of the last; empty without
/// either.
std::string kernels_in(const std::string& file) {
  const std::string text = trilane::content_of_file(SOURCE_DIR "/" + file);
  const auto begin = text.find("// A thread takes four words");
  const auto last = text.find("__global__ void transform_reduce");
  const auto end = text.find("\n}\n", last);
  if (begin == text.npos || last == text.npos || end == text.npos) return "";
  return text.substr(begin, end - begin);
}

BOOST_AUTO_TEST_CASE(the_presets_as_files_have_the_kernels_of_the_presets) {
  const std::string kernels = kernels_in("kernels/transform.cu");
  BOOST_TEST(kernels != "");
  BOOST_TEST(kernels_in("tests/variants/presets/preset.cu") == kernels);
}

BOOST_AUTO_TEST_SUITE_END()
