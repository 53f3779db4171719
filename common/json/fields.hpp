// How a record states its keys, once for the writer and the reader of a file.
#pragma once

#include <concepts>
#include <type_traits>

namespace trilane {

/// A record's fields() calls `archive(key, field)` for each of its fields, in the order of the
/// file. `archive.derived(key, value)` is what a reader need not compute, and must find unchanged.
/// `T` is `Record`, const for the writer and not for the reader.
template <typename T, typename Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

}  // namespace trilane
