#include "common/measure/gpu/compile/compile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "common/base/json/input_file.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/quoting.hpp"
#include "common/measure/gpu/compile/nvcc.hpp"
#include "common/measure/gpu/compile/nvrtc.hpp"
#include "common/measure/gpu/compile/sources.hpp"
#include "common/measure/gpu/images/template_name.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

std::string source_in(const fs::path& file) try {
  if (file.extension() != ".cu") {
    throw std::invalid_argument("is not a .cu, .ptx, .cubin or .fatbin file");
  }
  return content_of_input(file);
} catch (const std::invalid_argument& error) {
  throw UsageError(fmt::format("{} {}", printable(file.string()), error.what()));
}

std::unique_ptr<Compiler> compiler_for(const Compilers& compilers, const CompileJob& job) {
  if (!compilers.nvcc.empty()) return make_nvcc(compilers.nvcc, job);
  try {
    return make_nvrtc(compilers.nvrtc, compilers.cuda_headers, job);
  } catch (const NotPossible& error) {
    throw NotPossible(fmt::format(
        "{}: there is no nvcc (on the PATH, in $CUDA_HOME/bin or /usr/local/cuda/bin), and {}; "
        "install the CUDA Toolkit, or compile it elsewhere with nvcc -cubin -arch={} and name the "
        ".cubin file",
        printable(job.file.string()), error.what(), job.architecture));
  }
}

/// Returns the job and the content of all files that it reads, as one text.
std::string key_of(const CompileJob& job, const std::string& version,
                   const std::vector<fs::path>& files) {
  return fmt::format("{}\n{}\n{}\n{}", version, job.architecture, fmt::join(job.templates, "\n"),
                     names_and_contents(files));
}

Image compiled(const CompileJob& job, const Compilers& compilers, const ImageCache& cache) {
  const std::unique_ptr<Compiler> compiler = compiler_for(compilers, job);
  const std::string version = compiler->version();
  std::vector<fs::path> files = sources_of(job.file);
  for (const fs::path& file : compiler->included_files()) files.push_back(file);
  const std::string key = key_of(job, version, files);
  if (std::optional<Image> kept = cache.find(key)) return *kept;
  Image made = compiler->compile();
  // If a file changed meanwhile, the image would be cached under its earlier content.
  if (key_of(job, version, files) == key) cache.keep(key, made);
  return made;
}

}  // namespace

Image image_of(const fs::path& file, const std::vector<std::string>& names,
               Architecture architecture, const Compilers& compilers, const ImageCache& cache) {
  if (is_image_file(file)) return read_image(file);
  const std::string source = source_in(file);
  const CompileJob job{.file = fs::absolute(file),
                       .templates = template_names(names),
                       .architecture = architecture.name()};
  Image image = compiled(job, compilers, cache);
  if (const std::string flaw = flaw_of(image.kind, image.bytes); !flaw.empty()) {
    throw NotPossible(fmt::format("{}: the compiler made no image that can be loaded: {}",
                                  printable(file.string()), flaw));
  }
  image.templates = template_kernels(source);
  return image;
}

}  // namespace trilane
