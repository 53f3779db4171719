// Files that contain device code, whole and damaged.
#include "common/measure/gpu/images/image.hpp"

#include <elf.h>

#include <boost/test/unit_test.hpp>
#include <cstring>
#include <random>
#include <tuple>

#include "common/base/text/exit_code.hpp"
#include "tests/base/refusal.hpp"
#include "tests/measure/gpu/files.hpp"

using namespace trilane;

BOOST_AUTO_TEST_SUITE(images_of_kernels)

namespace {

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

}  // namespace

BOOST_AUTO_TEST_CASE(whole_images_are_read_as_they_are) {
  const test::Files files;
  for (const auto& [kind, bytes] : whole) {
    const auto file = files.write(std::string("a.") + name_of(kind), bytes);
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
  const test::Files files;
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
    BOOST_TEST(contains(why_not(files.write(name, bytes)), why), name);
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

BOOST_AUTO_TEST_SUITE_END()
