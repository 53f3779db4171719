// The enumerators of an enumeration, which its header lists with BOOST_DESCRIBE_ENUM(Enum, ...), or
// which it defines with BOOST_DEFINE_ENUM_CLASS(Enum, ...).
#pragma once

#include <boost/describe/enum.hpp>
#include <boost/describe/enumerators.hpp>

#include "common/std.hpp"

namespace trilane {

/// An enumeration from 0 on whose header lists its enumerators.
template <typename Enum>
concept DescribedEnum = boost::describe::has_describe_enumerators<Enum>::value;

namespace detail {

/// Returns false for a number that no enumerator has, which the compiler spells as "(Enum)5".
template <auto value>
constexpr bool has_name() {
  return std::string_view(__PRETTY_FUNCTION__).find("value = (") == std::string_view::npos;
}

/// The name of an enumerator, with spaces for underscores.
template <typename Descriptor>
struct Words {
  static constexpr std::string_view name = Descriptor::name;
  static constexpr auto text = [] {
    std::array<char, name.size() + 1> words{};
    std::ranges::replace_copy(name, words.begin(), '_', ' ');
    return words;
  }();
};

template <typename Descriptors>
struct Listed;

template <template <typename...> typename List, typename... Descriptors>
struct Listed<List<Descriptors...>> {
  static constexpr std::array values{Descriptors::value...};
  static constexpr std::array<const char*, values.size()> names{Words<Descriptors>::text.data()...};

  static constexpr bool is_complete() {
    using Enum = typename decltype(values)::value_type;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != static_cast<Enum>(i)) return false;
    }
    return !has_name<static_cast<Enum>(values.size())>();
  }
  static_assert(is_complete(), "BOOST_DESCRIBE_ENUM must list all enumerators in their order");
};

template <DescribedEnum Enum>
using ListedIn = Listed<boost::describe::describe_enumerators<Enum>>;

}  // namespace detail

/// All enumerators, in their order.
template <DescribedEnum Enum>
inline constexpr auto enumerators = detail::ListedIn<Enum>::values;

/// Returns an enumerator's name with spaces for underscores; empty for any other number.
template <DescribedEnum Enum>
constexpr const char* words_of_name(Enum enumerator) {
  const auto place = static_cast<std::size_t>(enumerator);
  const auto& names = detail::ListedIn<Enum>::names;
  return place < names.size() ? names[place] : "";
}

/// Returns the name in files and output: words_of_name(), unless the enumeration's header declares
/// a function of its own, which is preferred to this one.
template <DescribedEnum Enum>
constexpr const char* name_of(Enum enumerator) {
  return words_of_name(enumerator);
}

/// Returns the name_of() of all enumerators, in their order.
template <DescribedEnum Enum>
std::vector<std::string> all_names() {
  return transformed(enumerators<Enum>, [](Enum one) { return std::string(name_of(one)); });
}

}  // namespace trilane
