#include "common/base/text/gzip.hpp"

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <boost/iostreams/stream_buffer.hpp>

namespace trilane {

namespace io = boost::iostreams;

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gzipped(std::string_view text) {
  io::filtering_streambuf<io::input> in;
  in.push(io::gzip_compressor(io::gzip_params(io::gzip::best_compression)));
  in.push(io::array_source(text.data(), text.size()));
  return {std::istreambuf_iterator<char>(&in), {}};
}

std::string gunzipped(std::string_view bytes, std::size_t most) try {
  io::filtering_streambuf<io::input> in;
  in.push(io::gzip_decompressor());
  in.push(io::array_source(bytes.data(), bytes.size()));
  std::string text;
  while (text.size() <= most) {
    constexpr std::size_t step = std::size_t{1} << 20;
    const std::size_t used = text.size();
    text.resize(used + std::min(step, most + 1 - used));
    const auto wanted = static_cast<std::streamsize>(text.size() - used);
    const std::streamsize length = in.sgetn(text.data() + used, wanted);
    text.resize(used + static_cast<std::size_t>(std::max<std::streamsize>(length, 0)));
    if (length < wanted) break;
  }
  return text;
} catch (const std::ios_base::failure&) {
  throw std::invalid_argument("its gzip data is damaged or cut short");
}

}  // namespace trilane
