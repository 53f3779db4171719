// Typed values of a pipeline file, its buffers, stages and kernels. Every refusal is a Misfit that
// says what to write instead.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "common/base/json/misfit.hpp"
#include "common/model/workload/pipeline/pipeline.hpp"

namespace trilane {

/// The kind of an object in a pipeline file: "a buffer", an example, and its permitted keys.
struct ObjectKind {
  const char* what;
  const char* example;
  std::vector<std::string> keys;
};

/// The longest names in bytes: of pipelines, buffers and stages, and of kernels and files.
inline constexpr std::size_t most_name = 100, most_long_name = 1000;

/// An object whose keys are all known. Refuses keys that would make chunks depend on each other.
class Fields {
 public:
  Fields(const boost::json::value& value, const ObjectKind& kind);

  /// Returns the value of a required key; `sample` is an example of it for the message.
  const boost::json::value& at(const char* key, const char* sample) const;

  /// Calls act(value) if the key is there; adds the place to a Misfit that it throws.
  template <typename Act>
  void read(const char* key, Act act) const {
    if (const boost::json::value* value = object_.if_contains(key)) {
      within(key, [&] { act(*value); });
    }
  }

  /// Does the same for a required key.
  template <typename Act>
  void require(const char* key, const char* sample, Act act) const {
    const boost::json::value& value = at(key, sample);
    within(key, [&] { act(value); });
  }

  /// Sets `to` to parse(value, more...) if the key is there.
  template <typename To, typename Parse, typename... More>
  void set(To& to, const char* key, Parse parse, const More&... more) const {
    read(key, [&](const boost::json::value& value) { to = parse(value, more...); });
  }

  /// Does the same for a required key.
  template <typename To, typename Parse, typename... More>
  void set_required(To& to, const char* key, const char* sample, Parse parse,
                    const More&... more) const {
    require(key, sample, [&](const boost::json::value& value) { to = parse(value, more...); });
  }

  bool has(const char* key) const { return object_.contains(key); }

 private:
  const boost::json::object& object_;
  const char* what_;
};

/// Each function takes a description of the value for its message: `the value of a memset`.
std::uint64_t whole_between(const boost::json::value& value, std::string_view what,
                            std::uint64_t least, std::uint64_t most);
double number_between(const boost::json::value& value, std::string_view what, double least,
                      double most);
/// Returns a printable, non-empty name of at most `most` bytes.
std::string name_of_length(const boost::json::value& value, std::string_view what,
                           std::size_t most);
/// Returns a number or text as an expression.
std::string expression_in(const boost::json::value& value, std::string_view what);

/// Throws a Misfit: `"imgae" is not a buffer; did you mean "image"?`, or with the list of names.
[[noreturn]] void refuse_unknown(std::string_view word, const std::string& what,
                                 const std::vector<std::string>& known);

/// Returns the position of the text among the names, or calls refuse_unknown().
std::size_t position_in(const boost::json::value& value, const std::string& what,
                        const std::vector<std::string>& known);

/// Returns the enumerator with the name that the value states; `what` is "a type".
template <typename Enum>
Enum enumerator_in(const boost::json::value& value, const std::string& what) {
  return static_cast<Enum>(position_in(value, what, all_names<Enum>()));
}

/// Returns an argument of ArgumentKind::value. Throws a Misfit if it does not fit.
Argument constant_in(const boost::json::value& value, Element element);

/// The keys of a kernel, except those of every stage, and "early", which only a stage has.
inline const std::vector<std::string> kernel_keys{"kernel", "file",      "grid",   "block",
                                                  "shared", "arguments", "time_us"};

/// Reads the keys of a kernel. Throws a Misfit.
KernelSpec kernel_in(const Fields& fields, const std::vector<BufferSpec>& buffers);

/// Reads "stages" and their kernels into the pipeline, whose buffers are known. Throws a Misfit.
void read_stages(const boost::json::value& value, Pipeline& pipeline);

inline const std::vector<std::string> buffer_keys{"type",  "count",     "fill",
                                                  "check", "tolerance", "reference"};

/// The most numbers in a pattern.
inline constexpr std::size_t most_pattern = 4096;

/// Reads "buffers". Throws a Misfit.
std::vector<BufferSpec> buffers_in(const boost::json::value& value);

/// Returns the index of the buffer that `value` names. Throws a Misfit if no buffer has that name.
std::uint32_t buffer_in(const boost::json::value& value, const std::vector<BufferSpec>& buffers);

}  // namespace trilane
