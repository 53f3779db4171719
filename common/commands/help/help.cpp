#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/program_options/value_semantic.hpp>
#include <regex>

#include "common/commands/options/option_table.hpp"
#include "common/commands/options/options.hpp"
#include "common/text/markdown.hpp"

namespace trilane {

extern const char options_text[];  // help/options.txt, which the build embeds

namespace {

namespace po = boost::program_options;

/// The options as the help shows them; those of the simulated device come last.
std::string options_of(bool simulated) {
  const std::string all = options_text;
  return simulated ? all : all.substr(0, all.find("\nThe simulated device:"));
}

}  // namespace

po::options_description option_table(bool simulated) {
  // "--switch", "--optional[=VALUE]", "--single VALUE" or "--several VALUE VALUE".
  static const std::regex option(R"(\n  --([a-z-]+)(\[=\w+\])?( [^ \n]+)?( [^ \n]+)?)");
  po::options_description table;
  const std::string text = options_of(simulated);
  for (std::sregex_iterator found(text.begin(), text.end(), option), end; found != end; ++found) {
    const std::string name = found->str(1);
    const auto has = [&](std::size_t part) { return (*found)[part].matched; };
    if (has(4)) {
      table.add_options()(name.c_str(), po::value<std::vector<std::string>>()->multitoken());
    } else if (has(3)) {
      table.add_options()(name.c_str(), po::value<std::string>());
    } else if (has(2)) {
      table.add_options()(name.c_str(), po::value<std::string>()->implicit_value(""));
    } else {
      table.add_options()(name.c_str(), "");
    }
  }
  return table;
}

std::string help_text(const std::string& program, std::span<const std::string> variants,
                      bool simulated) {
  std::vector<std::string> names;
  for (const Workload& preset : presets()) names.push_back(preset.name);
  return fmt::format(
      "Usage: {} [options]\n\n"
      "Runs one pipeline, copy in -> memset -> kernel -> copy out, under several CUDA\n"
      "execution models, proves each result, {}\n\n"
      "{}{}{}\n"
      "SIZE is a multiple of 4 bytes, written 4096, 4K, 8MiB or 1e6; K, M, G, T and\n"
      "KiB, MiB, ... are powers of 1024, kB, MB, GB, TB of 1000. TIME is 250us, 1.5ms,\n"
      "2s or 5min.\n\n"
      "Exit codes: 0 success; 1 wrong data, a failed variant or what --fail-on-slower\n"
      "found; 2 bad command line or, before anything runs, a file that cannot be read,\n"
      "compared or made; 3 no usable GPU; 4 not supported or not enough memory;\n"
      "5 output not written afterwards; 130 interrupted.\n",
      program,
      simulated ? "and predicts their times with a simulated\n"
                  "device; needs no GPU. Every time is simulated, none is measured."
                : "measures them against each other and says\nwhich to use.",
      paragraph(fmt::format("Variants: {}", fmt::join(variants, ", "))),
      paragraph(fmt::format("Presets: {}", fmt::join(names, ", "))), options_of(simulated));
}

}  // namespace trilane
