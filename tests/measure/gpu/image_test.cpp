// Files that contain device code, whole and damaged, and kept ones: which are not trusted.
#include "common/measure/gpu/images/image.hpp"

#include <elf.h>

#include "common/base/text/exit_code.hpp"
#include "tests/base/folder.hpp"
#include "tests/base/refusal.hpp"
#include "tests/measure/gpu/files.hpp"

namespace fs = std::filesystem;

BOOST_AUTO_TEST_SUITE(images_of_kernels)

template <typename T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// Returns two sections, the second with 16 bytes.
std::string small_cubin() {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_machine = 190;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 2;
  header.e_shoff = sizeof header + 16;
  Elf64_Shdr none{}, text{};
  text.sh_type = SHT_PROGBITS;
  text.sh_offset = sizeof header;
  text.sh_size = 16;
  return bytes_of(header) + std::string(16, 'x') + bytes_of(none) + bytes_of(text);
}

std::string small_fatbin() {
  struct {
    std::uint32_t magic = 0xBA55ED50;
    std::uint16_t version = 1, header_bytes = 16;
    std::uint64_t bytes = 24;
  } header;
  struct {
    std::uint16_t kind = 2, version = 1;
    std::uint32_t header_bytes = 16;
    std::uint64_t bytes = 8;
  } entry;
  return bytes_of(header) + bytes_of(entry) + "12345678";
}

const std::string small_ptx = "// made by hand\n/* so */\n.version 8.0\n.target sm_90\n";

const std::pair<ImageKind, std::string> whole[] = {{ImageKind::cubin, small_cubin()},
                                                   {ImageKind::fatbin, small_fatbin()},
                                                   {ImageKind::ptx, small_ptx}};

std::string why_not(const std::filesystem::path& file) {
  return refusal<UsageError>([&] { read_image(file); });
}

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

BOOST_AUTO_TEST_CASE(whole_images_are_read_as_they_are) {
  const Folder files;
  for (const auto& [kind, bytes] : whole) {
    const auto file = files.put(std::string("a.") + name_of(kind), bytes);
    const Image image = read_image(file);
    BOOST_TEST((image.kind == kind));
    BOOST_TEST(image.bytes == bytes);
  }
}

BOOST_AUTO_TEST_CASE(each_cut_is_noticed) {
  for (const auto& [kind, bytes] : whole) {
    if (kind == ImageKind::ptx)
      continue;  // a shorter text is a text: the driver reads it to its end
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      BOOST_TEST(!flaw_of(kind, bytes.substr(0, length)).empty(), name_of(kind) << length);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_file_gets_one_line) {
  const Folder files;
  std::string host = small_cubin();
  host[18] = 62;  // x86-64
  const std::tuple<const char*, std::string, const char*> wrong[] = {
      {"a.cubin", "text",
       "a.cubin is not a cubin that can be loaded: it is not an ELF file; compile it again with "
       "nvcc -cubin -arch=native"},
      {"b.ptx", small_cubin(), "it is not text"},
      {"c.ptx", "hello .version", "not begin with .version"},
      {"d.fatbin", small_ptx, "does not begin like one"},
      {"e.cubin", host, "has no device code"},
      {"f.cubin", "", "it is empty"}};
  for (const auto& [name, bytes, why] : wrong) {
    BOOST_TEST(contains(why_not(files.put(name, bytes)), why), name);
  }
  BOOST_TEST(contains(why_not("/proc/self/exe.cubin"), "cannot be read (No such file"));
}

BOOST_AUTO_TEST_CASE(damaged_images_are_refused_or_read_but_never_followed_beyond_their_end) {
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    auto [kind, bytes] = whole[random() % 3];
    for (unsigned changes = 1 + random() % 4; changes-- > 0;) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    // In a block of its own size, so that a sanitizer sees a read beyond it.
    const std::vector<char> exact(bytes.begin(), bytes.end());
    refused += !flaw_of(kind, {exact.data(), exact.size()}).empty();
  }
  BOOST_TEST(refused > 5000);
}

BOOST_AUTO_TEST_CASE(what_was_kept_comes_back) {
  const Folder files;
  const ImageCache cache(files.path / "home/.cache/trilane");
  BOOST_TEST(!cache.find(key).has_value());
  cache.keep(key, ptx());
  const auto found = cache.find(key);
  BOOST_REQUIRE(found.has_value());
  BOOST_TEST((found->kind == ImageKind::ptx));
  BOOST_TEST(found->bytes == ptx().bytes);
  BOOST_TEST((found->lowered == ptx().lowered));
  BOOST_TEST(!cache.find(other_key).has_value());
  const auto mode = fs::status(files.path / "home/.cache/trilane").permissions();
  BOOST_TEST((mode == fs::perms::owner_all));
}

BOOST_AUTO_TEST_CASE(the_checksum_is_the_one_of_xz) {
  BOOST_TEST(checksum_of("123456789") == 0x995dc9bbdf1939fau);
}

BOOST_AUTO_TEST_CASE(each_damaged_byte_is_noticed) {
  const Folder files;
  const ImageCache cache(files.path / "cache");
  cache.keep(key, ptx());
  const fs::path file = files_in(files.path / "cache").at(0);
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
  const Folder files;
  const ImageCache cache(files.path / "cache");
  cache.keep(key, ptx());
  const fs::path file = files_in(files.path / "cache").at(0);
  cache.keep(other_key, ptx("other"));
  fs::path other = files_in(files.path / "cache").at(0);
  if (other == file) other = files_in(files.path / "cache").at(1);
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
  fs::rename(file, files.path / "elsewhere");
  fs::create_symlink(files.path / "elsewhere", file);
  BOOST_TEST(!cache.find(key).has_value());
}

BOOST_AUTO_TEST_CASE(the_oldest_give_way) {
  const Folder files;
  const ImageCache cache(files.path / "cache", 3000);
  std::vector<std::string> keys;
  std::set<fs::path> times;  // files whose time is set
  for (int i = 0; i < 4; ++i) {
    keys.push_back("key " + std::to_string(i));
    cache.keep(keys.back(), ptx(std::string(800, 'x')));
    for (const fs::path& file : files_in(files.path / "cache")) {
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
  BOOST_TEST(files_in(files.path / "cache").size() == 3u);
}

BOOST_AUTO_TEST_CASE(without_a_folder_nothing_is_kept_and_nothing_fails) {
  const Folder files;
  files.put("file", "no folder");
  for (const fs::path& folder : {fs::path(), files.path / "file", files.path / "file" / "below"}) {
    const ImageCache cache(folder);
    cache.keep(key, ptx());
    BOOST_TEST(!cache.find(key).has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()
