// Kept images: which are returned, and which are not trusted.
#include "common/measure/gpu/images/image_cache.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <set>

#include "tests/measure/gpu/files.hpp"

using namespace trilane;
namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(image_cache)

namespace {

Image ptx(const std::string& tail = "") {
  return {.kind = ImageKind::ptx,
          .bytes = ".version 8.0\n" + tail,
          .lowered = {{"a<int>", "void a<int>(int*)"}},
          .templates = {}};
}

/// As long as keys that contain sources, with bytes that end lines and texts; another one differs
/// in the middle.
const std::string key = std::string(2000, 'a') + std::string("\n\0 b", 4) + std::string(2000, 'c');
const std::string other_key =
    std::string(2000, 'a') + std::string("\n\0 d", 4) + std::string(2000, 'c');

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.push_back(entry.path());
  return found;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_was_kept_comes_back) {
  const test::Files files;
  const ImageCache cache(files.at("home/.cache/trilane"));
  BOOST_TEST(!cache.find(key).has_value());
  cache.keep(key, ptx());
  const auto found = cache.find(key);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST((found->kind == ImageKind::ptx));
  BOOST_TEST(found->bytes == ptx().bytes);
  BOOST_TEST((found->lowered == ptx().lowered));
  BOOST_TEST(!cache.find(other_key).has_value());
  const auto mode = fs::status(files.at("home/.cache/trilane")).permissions();
  BOOST_TEST((mode == fs::perms::owner_all));
}

BOOST_AUTO_TEST_CASE(the_checksum_is_the_one_of_xz) {
  BOOST_TEST(checksum_of("123456789") == 0x995dc9bbdf1939fau);
}

BOOST_AUTO_TEST_CASE(each_damaged_byte_is_noticed) {
  const test::Files files;
  const ImageCache cache(files.at("cache"));
  cache.keep(key, ptx());
  const fs::path file = files_in(files.at("cache")).at(0);
  const std::string good = content_of_file(file);
  const auto write = [&](const std::string& text) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
  };
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    // The line end after the checksum has no meaning.
    if (good[i] == '\n' && i == good.find('\n', 16)) continue;
    write(bad);
    BOOST_TEST(!cache.find(key).has_value(), "byte " << i);
    write(good.substr(0, i));
    BOOST_TEST(!cache.find(key).has_value(), "length " << i);
  }
  write(good);
  BOOST_TEST(cache.find(key).has_value());
}

BOOST_AUTO_TEST_CASE(a_file_of_another_key_or_hand_is_not_trusted) {
  const test::Files files;
  const ImageCache cache(files.at("cache"));
  cache.keep(key, ptx());
  const fs::path file = files_in(files.at("cache")).at(0);
  cache.keep(other_key, ptx("other"));
  fs::path other = files_in(files.at("cache")).at(0);
  if (other == file) other = files_in(files.at("cache")).at(1);
  BOOST_TEST(cache.find(other_key).value().bytes == ptx("other").bytes);
  // As if both keys had the same checksum.
  fs::copy_file(file, other, fs::copy_options::overwrite_existing);
  BOOST_TEST(!cache.find(other_key).has_value());
  cache.keep(other_key, ptx("other"));
  BOOST_TEST(cache.find(other_key).value().bytes == ptx("other").bytes);
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  BOOST_TEST(!cache.find(key).has_value());
  fs::permissions(file, fs::perms::others_write, fs::perm_options::remove);
  BOOST_TEST(cache.find(key).has_value());
  fs::rename(file, files.at("elsewhere"));
  fs::create_symlink(files.at("elsewhere"), file);
  BOOST_TEST(!cache.find(key).has_value());
}

BOOST_AUTO_TEST_CASE(the_oldest_give_way) {
  const test::Files files;
  const ImageCache cache(files.at("cache"), 3000);
  std::vector<std::string> keys;
  std::set<fs::path> times;  // files whose time is set
  for (int i = 0; i < 4; ++i) {
    keys.push_back("key " + std::to_string(i));
    cache.keep(keys.back(), ptx(std::string(800, 'x')));
    for (const fs::path& file : files_in(files.at("cache"))) {
      if (!times.insert(file).second) continue;
      fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(10 - i));
    }
    if (i == 2) BOOST_TEST(cache.find(keys[0]).has_value());  // used: now the youngest
  }
  BOOST_TEST(cache.find(keys[0]).has_value());
  BOOST_TEST(!cache.find(keys[1]).has_value());
  BOOST_TEST(cache.find(keys[3]).has_value());
  cache.keep(key, ptx(std::string(3000, 'x')));
  BOOST_TEST(!cache.find(key).has_value());
  BOOST_TEST(files_in(files.at("cache")).size() == 3u);
}

BOOST_AUTO_TEST_CASE(without_a_folder_nothing_is_kept_and_nothing_fails) {
  const test::Files files;
  files.write("file", "no folder");
  for (const fs::path& folder : {fs::path(), files.at("file"), files.at("file") / "below"}) {
    const ImageCache cache(folder);
    cache.keep(key, ptx());
    BOOST_TEST(!cache.find(key).has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()
