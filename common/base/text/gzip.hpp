// Texts in the gzip format, as gzip and Python's module of that name read and write it.
#pragma once

#include "common/std.hpp"

namespace trilane {

/// Returns true if the bytes begin as gzip data does.
bool is_gzip(std::string_view bytes);

/// Compresses a text. The same text always gives the same bytes.
std::string gzipped(std::string_view text);

/// Decompresses gzip data up to the first `most` + 1 bytes of text, so that a caller can tell that
/// there are more than `most`. Throws std::invalid_argument if the data is damaged or cut short.
std::string gunzipped(std::string_view bytes, std::size_t most);

}  // namespace trilane
