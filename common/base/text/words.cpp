#include "common/base/text/words.hpp"

#include "common/base/text/size.hpp"

namespace trilane {

std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string capitalised(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string counted(std::uint64_t count, const std::string& noun) {
  const bool hisses = noun.ends_with('s') || noun.ends_with("ch");
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : hisses ? "es" : "s");
}

std::string percent(double share) { return fmt::format("{:g}%", 100 * share); }

std::string percent(double share, int decimals) {
  return fmt::format("{:.{}f}%", 100 * share, decimals);
}

Unit unit_up_to(double longest_us) {
  if (longest_us < 1e6) return {"us", 1};
  return longest_us < 1e9 ? Unit{"ms", 1e3} : Unit{"s", 1e6};
}

std::string short_time(double value) {
  if (value > 0 && value < 0.0005) return "<0.001";
  return value > 0 && value < 0.01 ? fmt::format("{:.3f}", value) : format_us(value);
}

std::string short_speed(double times) {
  if (!(times < 9999.5)) return ">9999";
  if (times < 0.0005) return "<.001";
  return fmt::format("{:.{}f}", times, times < 9.9995 ? 3 : times < 999.95 ? 1 : 0);
}

std::string said_speed(double times) {
  if (!(times < 9999.5)) return ">9999";
  if (times < 0.005) return short_speed(times);
  return fmt::format("{:.{}f}", times, times < 1.995 ? 2 : times < 9.95 ? 1 : 0);
}

std::string longer(double ratio) {
  if (ratio >= 0.99 && ratio <= 1.01) return "the same";
  return ratio < 2 ? fmt::format("{:+.0f}%", 100 * (ratio - 1)) : said_speed(ratio) + "x as long";
}

std::string shortened(const std::vector<std::string>& names, std::size_t most) {
  if (names.size() <= most + 1) return listed(names);
  return fmt::format("{} and {} more", fmt::join(std::span(names).first(most), ", "),
                     names.size() - most);
}

}  // namespace trilane
