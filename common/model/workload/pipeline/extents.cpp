#include "common/model/workload/pipeline/pipeline.hpp"

#include "common/base/json/misfit.hpp"
#include "common/base/text/exit_code.hpp"
#include "common/base/text/size.hpp"
#include "common/model/workload/pipeline/expression.hpp"

namespace trilane {
namespace {

struct Bounds {
  const char* what;
  std::uint64_t least, most;
};

class Evaluation {
 public:
  Evaluation(const Pipeline& pipeline, std::uint64_t items) : names_{{"n", items}} {
    for (const NamedSize& size : pipeline.sizes) {
      within("sizes", [&] {
        names_.push_back({size.name, placed(size.name, size.value, {"a size", 0, max_size})});
      });
    }
  }

  /// Returns the expression's value; a Misfit's place is `part`.
  template <typename Part>
  std::uint64_t placed(const Part& part, const std::string& expression, Bounds bounds) const {
    return within(part, [&] { return bounded(expression, bounds); });
  }

  std::uint64_t bytes_of(const BufferSpec& buffer) const {
    const std::uint64_t size = size_of(buffer.element);
    return size * within(buffer.name, [&] {
             return placed("count", buffer.count, {"the count of a buffer", 1, max_size / size});
           });
  }

  Extents::Launch launch_of(const KernelSpec& kernel) const {
    Extents::Launch launch;
    shape(launch.grid, "grid", kernel.grid, most_grid);
    shape(launch.block, "block", kernel.block, most_block);
    const auto& [x, y, z] = launch.block;
    if (x * y * z > most_block_threads) {
      throw Misfit{step("block"), fmt::format("a block has at most {} threads, not {} x {} x {} = "
                                              "{}; use smaller blocks and a larger grid",
                                              most_block_threads, x, y, z, x * y * z)};
    }
    launch.shared =
        placed("shared", kernel.shared, {"bytes of shared memory", 0, most_shared_bytes});
    within("arguments", [&] {
      within_each(kernel.arguments,
                  [&](const Argument& argument) { launch.sizes.push_back(size_in(argument)); });
    });
    return launch;
  }

 private:
  std::uint64_t bounded(const std::string& expression, Bounds bounds) const try {
    const std::uint64_t value = value_of(expression, names_);
    if (value >= bounds.least && value <= bounds.most) return value;
    const bool plain = expression == std::to_string(value);
    misfit("{} must be from {} to {}, not {}{}", bounds.what, bounds.least, bounds.most, value,
           plain ? "" : ": " + as_written(expression) + with_values(expression, names_));
  } catch (const UsageError& error) {
    misfit(error.what());
  }

  void shape(std::uint64_t (&extent)[3], const char* key, const std::vector<std::string>& stated,
             const std::uint64_t (&most)[3]) const {
    constexpr const char* ordinals[3] = {"first", "second", "third"};
    within(std::string_view(key), [&] {
      for (std::size_t i = 0; i < std::min<std::size_t>(stated.size(), 3); ++i) {
        const std::string what = fmt::format("the {} number of a {}", ordinals[i], key);
        extent[i] = placed(i, stated[i], {what.c_str(), 1, most[i]});
      }
    });
  }

  std::uint64_t size_in(const Argument& argument) const {
    if (argument.kind != ArgumentKind::size) return 0;
    const std::string what = fmt::format("an argument of type {}", name_of(argument.element));
    return placed("size", argument.expression,
                  {what.c_str(), 0, std::min(most_whole(argument.element), max_size)});
  }

  std::vector<NamedValue> names_;
};

}  // namespace

Extents placed_extents(const Pipeline& pipeline, std::uint64_t items) {
  const Evaluation evaluation(pipeline, items);
  Extents extents;
  within("buffers", [&] {
    std::uint64_t total = 0;
    for (const BufferSpec& buffer : pipeline.buffers) {
      total += extents.bytes.emplace_back(evaluation.bytes_of(buffer));
      if (total > max_size) misfit("the buffers of a chunk have more than 2^60 bytes together");
    }
  });
  within("stages", [&] {
    within_each(pipeline.stages, [&](const StageSpec& stage) {
      if (stage.stage != Stage::transform) return;
      extents.kernels.push_back(evaluation.launch_of(pipeline.kernels.at(stage.kernel)));
    });
  });
  if (pipeline.fused) {
    within("fused", [&] { extents.fused = evaluation.launch_of(*pipeline.fused); });
  }
  return extents;
}

Extents extents_of(const Pipeline& pipeline, std::uint64_t items) try {
  return placed_extents(pipeline, items);
} catch (const Misfit& error) {
  throw UsageError("{}{}{}", pipeline.file.empty() ? "" : printable(pipeline.file) + ": ",
                   error.place.empty() ? "" : error.place.substr(1) + ": ", error.what);
}

}  // namespace trilane
