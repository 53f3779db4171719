// Text in columns and lines of a given width.
#pragma once

#include <cstddef>
#include <string>

#include "common/base/text/markdown.hpp"

namespace trilane {

/// The width of output on a terminal.
inline constexpr std::size_t screen_width = 100;

/// Returns the number of characters. Bytes that continue a UTF-8 sequence do not count.
std::size_t width_of(const std::string& text);

/// Returns `text` padded with spaces to `width`.
std::string padded(const std::string& text, std::size_t width, bool to_right);

/// Returns the words of `text` in lines of at most `width` characters, each ending with a line
/// feed. The first line starts with `first`, the others with `next`. Control characters count as
/// spaces; a word wider than a line is cut.
std::string wrapped(const std::string& text, std::size_t width, const std::string& first,
                    const std::string& next);

/// Returns the table with two spaces between columns and without rules. While it is wider than the
/// screen, it loses its expendable columns.
std::string plain_table(Table table);

/// Returns `text` wrapped at the width of the screen.
std::string screen_line(const std::string& text);

/// Returns at most `width` characters of `text`, cut between words with "..." at the end.
std::string clipped(const std::string& text, std::size_t width);

}  // namespace trilane
