#include "common/measure/gpu/compile/compile.hpp"

#include <unistd.h>

#include "common/base/json/document.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

/// Returns the folders of toolkits that are not on the PATH.
std::vector<fs::path> toolkits() {
  std::vector<fs::path> folders;
  if (const fs::path home = environment_value("CUDA_HOME"); home.is_absolute())
    folders.push_back(home);
  folders.emplace_back("/usr/local/cuda");
  return folders;
}

fs::path installed_nvcc() {
  std::vector<fs::path> folders;
  std::istringstream path(environment_value("PATH"));
  // An empty or relative entry means the current folder, and a file called nvcc there is no
  // compiler.
  for (std::string entry; std::getline(path, entry, ':');) {
    if (fs::path(entry).is_absolute()) folders.emplace_back(entry);
  }
  for (const fs::path& toolkit : toolkits()) folders.push_back(toolkit / "bin");
  for (const fs::path& folder : folders) {
    const fs::path program = folder / "nvcc";
    std::error_code none;
    if (is_plain_path(program) && fs::is_regular_file(program, none) &&
        access(program.c_str(), X_OK) == 0) {
      return program;
    }
  }
  return {};
}

std::string source_in(const fs::path& file) try {
  return content_of_input(file);
} catch (const std::invalid_argument& error) {
  throw UsageError("{} {}", printable(file.string()), error.what());
}

std::unique_ptr<Compiler> compiler_for(const Compilers& compilers, const CompileJob& job) {
  if (!compilers.nvcc.empty()) return make_nvcc(compilers.nvcc, job);
  try {
    return make_nvrtc(compilers.nvrtc, compilers.cuda_headers, job);
  } catch (const NotPossible& error) {
    throw NotPossible(
        "{}: there is no nvcc (on the PATH, in $CUDA_HOME/bin or /usr/local/cuda/bin), "
        "and {}; install the CUDA Toolkit, or compile it on another machine with nvcc "
        "-cubin -arch={} and name the .cubin file",
        printable(job.file.string()), error.what(), job.architecture);
  }
}

/// More than any kernel includes; ends loops of links.
constexpr std::size_t most_files = 1000;

std::string text_of(const fs::path& file) try {
  return content_of_input(file);
} catch (const std::invalid_argument&) {
  return "";
}

/// Returns X of `#include "X"`, with spaces wherever C++ allows them; otherwise empty.
std::string quoted_include(std::string_view line) {
  const auto skip_spaces = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  for (const std::string_view word : {"#", "include", "\""}) {
    skip_spaces();
    if (!line.starts_with(word)) return "";
    line.remove_prefix(word.size());
  }
  const auto end = line.find('"');
  return end == line.npos ? "" : std::string(line.substr(0, end));
}

/// Returns the file and the headers that it and they name in #include "...", each once, in the
/// order of first mention. Only headers beside the including file count. Conditions are ignored.
std::vector<fs::path> sources_of(const fs::path& file) {
  std::vector<fs::path> found{file};
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::istringstream in(text_of(found[i]));
    const fs::path folder = found[i].parent_path();
    for (std::string line; std::getline(in, line) && found.size() < most_files;) {
      const std::string name = quoted_include(line);
      std::error_code none;
      const fs::path header = (folder / name).lexically_normal();
      if (name.empty() || !fs::is_regular_file(folder / name, none)) continue;
      if (std::ranges::count(found, header) == 0) found.push_back(header);
    }
  }
  return found;
}

/// Returns the names and contents of files as one text; unreadable files count as empty.
std::string names_and_contents(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files) {
    const std::string name = file.string(), content = text_of(file);
    // With both lengths, so that different lists of files give different texts.
    text += fmt::format("{} {}\n{}\n{}\n", name.size(), content.size(), name, content);
  }
  return text;
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

std::string Architecture::name() const { return fmt::format("sm_{}{}", major, minor); }

bool is_plain_path(const fs::path& path) {
  return std::ranges::all_of(path.string(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("/._+-").find(c) != std::string_view::npos;
  });
}

Compilers installed_compilers() {
  constexpr const char* names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  Compilers found{.nvcc = installed_nvcc()};
  for (const char* name : names) found.nvrtc.emplace_back(name);
  for (const fs::path& toolkit : toolkits()) {
    for (const char* name : names) found.nvrtc.push_back(toolkit / "lib64" / name);
    std::error_code none;
    const fs::path headers = toolkit / "include";
    if (found.cuda_headers.empty() && fs::exists(headers / "cuda_runtime.h", none)) {
      found.cuda_headers = headers;
    }
  }
  return found;
}

Image image_of(const fs::path& file, const std::vector<std::string>& names,
               Architecture architecture, const Compilers& compilers, const ImageCache& cache) {
  if (file.extension() != ".cu") return read_image(file);
  const std::string source = source_in(file);
  const CompileJob job{.file = fs::absolute(file),
                       .templates = template_names(names),
                       .architecture = architecture.name()};
  Image image = compiled(job, compilers, cache);
  if (const std::string flaw = flaw_of(image.kind, image.bytes); !flaw.empty()) {
    throw NotPossible("{}: the compiler's image cannot be loaded: {}", printable(file.string()),
                      flaw);
  }
  image.templates = template_kernels(source);
  return image;
}

}  // namespace trilane
