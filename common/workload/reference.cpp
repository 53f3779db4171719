#include "common/workload/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "kernels/mix.hpp"

namespace trilane {
namespace {

using Word = std::uint32_t;

Word* words_at(std::byte* bytes) { return reinterpret_cast<Word*>(bytes); }
const Word* words_at(const std::byte* bytes) { return reinterpret_cast<const Word*>(bytes); }

std::size_t words_in(std::size_t bytes) {
  if (bytes % sizeof(Word) != 0) {
    throw std::invalid_argument(fmt::format("{} bytes are not a whole number of words", bytes));
  }
  return bytes / sizeof(Word);
}

/// Random positions in the alphabet, five from each 64-bit draw.
class Places {
 public:
  explicit Places(Random& random) : random_(random) {}

  std::size_t next() {
    if (left_ == 0) {
      bits_ = random_.next();
      left_ = 64 / width;
    }
    --left_;
    const std::size_t place = bits_ % Reference::alphabet_size;
    bits_ >>= width;
    return place;
  }

 private:
  static_assert(std::has_single_bit(Reference::alphabet_size));
  static constexpr int width = std::bit_width(Reference::alphabet_size) - 1;

  Random& random_;
  std::uint64_t bits_ = 0;
  int left_ = 0;
};

}  // namespace

Reference::Reference(const Workload& workload, std::uint64_t seed, std::size_t letters)
    : workload_(workload), random_(seed), alphabet_(letters) {
  for (Letter& letter : alphabet_) letter = {static_cast<Word>(random_.next()), 0};
  for (Word kernel = 0; kernel < workload.depth; ++kernel) {
    for (Letter& letter : alphabet_) {
      letter.sum += mix(letter.word ^ salt(kernel), workload.rounds);
    }
  }
}

void Reference::draw(std::byte* in, std::byte* expected) {
  Places places(random_);
  const std::size_t last = alphabet_.size() - 1;
  std::fill_n(words_at(expected), words_in(workload_.result_total()), 0u);
  for (std::uint32_t index = 0; index < workload_.chunks(); ++index) {
    const Chunk chunk = workload_.chunk(index);
    Word* const input = words_at(in + chunk.in_offset);
    Word* const output = words_at(expected + chunk.out_offset);
    const std::size_t inputs = words_in(chunk.in_bytes), outputs = words_in(chunk.out_bytes);
    // Blocks as long as the output yield "i modulo outputs" without a division per word.
    for (std::size_t start = 0; start < inputs; start += outputs) {
      const std::size_t block = std::min(outputs, inputs - start);
      for (std::size_t i = 0; i < block; ++i) {
        const Letter letter = alphabet_[places.next() & last];
        input[start + i] = letter.word;
        output[i] += letter.sum;
      }
    }
  }
}

void poison(std::byte* out, std::size_t bytes, const std::byte* expected) {
  std::transform(words_at(expected), words_at(expected) + words_in(bytes), words_at(out),
                 [](Word word) { return ~word; });
}

std::optional<Mismatch> compare(const std::byte* out, const std::byte* expected,
                                std::size_t bytes) {
  const Word* const got = words_at(out);
  const Word* const wanted = words_at(expected);
  const std::size_t words = words_in(bytes);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < words; ++i) wrong += got[i] != wanted[i];
  if (wrong == 0) return std::nullopt;
  const std::size_t first =
      static_cast<std::size_t>(std::mismatch(got, got + words, wanted).first - got);
  return Mismatch{first * sizeof(Word), wanted[first], got[first], wrong};
}

}  // namespace trilane
