#include <poll.h>
#include <unistd.h>

#include "common/base/console/output_file.hpp"
#include "common/base/json/document.hpp"
#include "common/base/system/process.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/words.hpp"
#include "common/measure/gpu/compile/compile.hpp"

namespace trilane {
namespace {

namespace fs = std::filesystem;

/// Returns the system's own folder if TMPDIR has a shell metacharacter.
TemporaryFolder working_folder() {
  std::error_code none;
  const fs::path usual = fs::temp_directory_path(none);
  const fs::path parent = !none && usual.is_absolute() && is_plain_path(usual) ? usual : "/tmp";
  remove_left_behind(parent);
  try {
    return TemporaryFolder(parent);
  } catch (const std::system_error& error) {
    throw NotPossible("nvcc needs a temporary folder, and none can be made in {} ({})",
                      parent.string(), error.code().message());
  }
}

/// Appends output printed within about 50 ms, up to 1 MiB in all. Returns false once the output is
/// closed.
bool read_into(std::string& text, int output) {
  constexpr std::size_t most = std::size_t{1} << 20;
  pollfd waiting{output, POLLIN, 0};
  if (poll(&waiting, 1, 50) <= 0) return true;
  char buffer[4096];
  const ssize_t length = ::read(output, buffer, sizeof buffer);
  if (length < 0) return errno == EINTR;
  text.append(buffer, std::min(static_cast<std::size_t>(length), most - text.size()));
  return length > 0;
}

class Nvcc : public Compiler {
 public:
  Nvcc(const fs::path& program, const CompileJob& job, double limit_s)
      : program_(program), job_(job), limit_s_(limit_s), folder_(working_folder()) {
    TemporaryFile file(folder_.path() / source);
    file.write(wrapper_of(job));
    file.replace(folder_.path() / source);
  }

  std::string version() override {
    std::string text = run({"--version"}).printed;
    for (const char* name :
         {"NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "CPATH", "CPLUS_INCLUDE_PATH"}) {
      text += fmt::format("{}={}\n", name, environment_value(name));
    }
    return text;
  }

  std::vector<fs::path> included_files() override {
    std::vector<fs::path> files = files_of_rule(run(with_common({"-MM"})).printed);
    // Our own file depends only on names and architecture, which are already in the key.
    std::erase_if(files, [](const fs::path& file) { return file.is_relative(); });
    return files;
  }

  Image compile() override {
    run(with_common({"-cubin", "-o", image}));
    Image made{.kind = ImageKind::cubin, .bytes = content_of_input(folder_.path() / image)};
    for (std::size_t i = 0; i < job_.templates.size(); ++i) {
      made.lowered.push_back({job_.templates[i], instance_in(made.bytes, i)});
    }
    return made;
  }

 private:
  std::vector<std::string> with_common(std::vector<std::string> arguments) const {
    for (const std::string& word :
         {std::string("-std=c++20"), std::string("--expt-relaxed-constexpr"),
          "-arch=" + job_.architecture, std::string(source)}) {
      arguments.push_back(word);
    }
    return arguments;
  }

  ToolResult run(const std::vector<std::string>& arguments) {
    ToolResult result = run_tool(program_, arguments, folder_.path(), limit_s_);
    const std::string file = printable(job_.file.string());
    if (result.late) {
      throw UsageError(
          "{}: nvcc took longer than {:.0f} s and was ended; compile it "
          "yourself with nvcc -cubin and name the .cubin file",
          file, limit_s_);
    }
    if (result.code != 0) {
      throw UsageError("{}: nvcc cannot compile it:\n{}", file, result.printed);
    }
    return result;
  }

  static constexpr const char *source = "kernels.cu", *image = "kernels.cubin";
  fs::path program_;
  CompileJob job_;
  double limit_s_;
  TemporaryFolder folder_;
};

}  // namespace

std::string wrapper_of(const CompileJob& job) {
  const std::string name = job.file.string();
  if (std::ranges::any_of(name, [](char c) {
        return c == '"' || c == '\\' || (c >= 0 && c < ' ') || c == '\x7f';
      })) {
    throw UsageError(
        "{}: nvcc cannot include a file with a quote, backslash or control "
        "character in its path; rename it",
        in_quotes(name));
  }
  std::string text = fmt::format("#include \"{}\"\n", name);
  std::string uses;
  for (std::size_t i = 0; i < job.templates.size(); ++i) {
    text += fmt::format("template <auto* kernel> __global__ void trilane_kernel_{}() {{}}\n", i);
    uses += fmt::format("  (const void*)&trilane_kernel_{}<&{}>,\n", i, job.templates[i]);
  }
  if (uses.empty()) return text;
  return text + fmt::format(
                    "extern const void* const trilane_kernels[];\n"
                    "const void* const trilane_kernels[] = {{\n{}}};\n",
                    uses);
}

std::vector<fs::path> files_of_rule(std::string_view rule) {
  const auto colon = rule.find(": ");
  if (colon == rule.npos) return {};
  rule.remove_prefix(colon + 2);
  std::vector<fs::path> files;
  std::string name;
  for (std::size_t i = 0; i <= rule.size(); ++i) {
    const char c = i < rule.size() ? rule[i] : '\n';
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (c == '\\' && next != '\n') {
      name += next;
      ++i;
    } else if (c == ' ' || c == '\n' || c == '\\') {
      if (!name.empty()) files.emplace_back(name);
      name.clear();
    } else {
      name += c;
    }
  }
  return files;
}

std::string instance_in(std::string_view image, std::size_t index) {
  // Looks for "_Z16trilane_kernel_0IXadL_Z5scaleIfEvPT_EEEvv" in a table of names that end with \0.
  // It is demangled as a whole, because parts of a mangled name refer to others.
  const std::string word = fmt::format("trilane_kernel_{}", index);
  const std::string start = fmt::format("_Z{}{}IXadL_Z", word.size(), word);
  const std::string before = fmt::format("void {}<&(", word);
  constexpr std::string_view after = ")>()";
  for (auto at = image.find(start); at != image.npos; at = image.find(start, at + 1)) {
    const std::string_view rest = image.substr(at);
    const std::string name = demangled(std::string(rest.substr(0, rest.find('\0'))));
    if (!name.starts_with(before) || !name.ends_with(after)) continue;
    return name.substr(before.size(), name.size() - before.size() - after.size());
  }
  return "";
}

bool is_from_wrapper(std::string_view mangled) {
  return mangled.starts_with("_Z") && mangled.find("trilane_kernel_") != mangled.npos &&
         mangled.ends_with("EEEvv");
}

std::unique_ptr<Compiler> make_nvcc(const fs::path& program, const CompileJob& job,
                                    double limit_s) {
  return std::make_unique<Nvcc>(program, job, limit_s);
}

ToolResult run_tool(const fs::path& program, const std::vector<std::string>& arguments,
                    const fs::path& folder, double limit_s) {
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto end = now() + std::chrono::duration<double>(limit_s);
  ProcessStart start{.words = {program},
                     .program = program,
                     .folder = folder,
                     .variables = {"TMPDIR=" + folder.string()},
                     .own_group = true};  // so that its descendants end with it
  start.words.insert(start.words.end(), arguments.begin(), arguments.end());
  start.default_signals.assign(std::begin(InterruptGuard::signals),
                               std::end(InterruptGuard::signals));
  Pipe output;
  start.streams = {{{.path = "/dev/null"}, {.file = output.input()}, {.file = output.input()}}};
  Process tool(start);
  output.close_input();
  ToolResult result;
  for (bool open = true; open || !tool.ended();) {
    if (must_end() || interrupted()) throw Interrupted();
    if (now() > end) {
      result.late = true;
      return result;
    }
    if (open)
      open = read_into(result.printed, output.output());
    else
      usleep(10'000);
  }
  if (const int error = tool.ended()->start_error; error != 0) {
    throw NotPossible("{} cannot be started ({})", program.string(), std::strerror(error));
  }
  result.code = tool.ended()->shell_code();
  return result;
}

}  // namespace trilane
