// Values of a pipeline file as types. Every refusal is a Misfit that says what to write instead.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/json/misfit.hpp"
#include "common/model/workload/pipeline/element.hpp"

namespace trilane {

/// What an object of a pipeline file is: "a buffer", an example, and the keys that it may have.
struct ObjectKind {
  const char* what;
  const char* example;
  std::vector<std::string> keys;
};

/// The longest names of pipelines, buffers and stages, and the longest names of kernels and files,
/// in bytes.
inline constexpr std::size_t most_name = 100, most_long_name = 1000;

/// An object whose keys are all known. A key by which chunks would depend on each other is refused
/// with the reason.
class Fields {
 public:
  Fields(const boost::json::value& value, const ObjectKind& kind);

  /// The value of a key that must be there, with a sample of it for the message.
  const boost::json::value& at(const char* key, const char* sample) const;

  /// Calls act(value) if the key is there; a Misfit that it throws is placed.
  template <typename Act>
  void read(const char* key, Act act) const {
    if (const boost::json::value* value = object_.if_contains(key)) {
      within(key, [&] { act(*value); });
    }
  }

  /// The same for a key that must be there.
  template <typename Act>
  void require(const char* key, const char* sample, Act act) const {
    const boost::json::value& value = at(key, sample);
    within(key, [&] { act(value); });
  }

  bool has(const char* key) const { return object_.contains(key); }

 private:
  const boost::json::object& object_;
  const char* what_;
};

/// Each takes what the value is, `"items"` or `the value of a memset`, for its message.
std::uint64_t whole_between(const boost::json::value& value, std::string_view what,
                            std::uint64_t least, std::uint64_t most);
double number_between(const boost::json::value& value, std::string_view what, double least,
                      double most);
/// Printable, not empty, at most `most` bytes.
std::string name_of_length(const boost::json::value& value, std::string_view what,
                           std::size_t most);
/// A number or text, as an expression.
std::string expression_in(const boost::json::value& value, std::string_view what);
Element element_in(const boost::json::value& value);

/// Whether it is a number without a fraction; `whole` then holds it, the bits of an uint64 beyond
/// 2^63 - 1.
bool is_whole_in(const boost::json::value& value, Element element, std::int64_t& whole);

/// `"imgae" is not a buffer; did you mean "image"?`, or which there are. As a Misfit.
[[noreturn]] void refuse_unknown(std::string_view word, const std::string& what,
                                 const std::vector<std::string>& known);

/// refuse_unknown() unless the text is one of the names; otherwise its position.
std::size_t position_in(const boost::json::value& value, const std::string& what,
                        const std::vector<std::string>& known);

}  // namespace trilane
