#include "common/model/workload/reference.hpp"

#include <bit>

#include "common/model/workload/parallel.hpp"
#include "kernels/mix.hpp"

namespace trilane {
namespace {

using Word = std::uint32_t;

/// Starting a thread takes as long as processing a fraction of these.
constexpr std::size_t words_per_thread = 256 << 10;

Word* words_at(std::byte* bytes) { return reinterpret_cast<Word*>(bytes); }
const Word* words_at(const std::byte* bytes) { return reinterpret_cast<const Word*>(bytes); }

std::size_t words_in(std::size_t bytes) {
  if (bytes % sizeof(Word) != 0) {
    throw std::invalid_argument(fmt::format("{} bytes are not a whole number of words", bytes));
  }
  return bytes / sizeof(Word);
}

/// Returns the number of separately drawn pieces of a chunk. It depends only on the workload,
/// because the input must not depend on the number of cores. Pieces are at least a page.
std::size_t parts_of(const Chunk& chunk) {
  constexpr std::size_t page_bytes = 4096;
  return std::clamp<std::size_t>(chunk.out_bytes / page_bytes, 1,
                                 1 + words_in(chunk.in_bytes) / words_per_thread);
}

/// Random positions in the alphabet, five from each 64-bit draw.
class RandomPlaces {
 public:
  explicit RandomPlaces(Random& random) : random_(random) {}

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
  const std::uint64_t mixes = std::uint64_t{workload.depth} * workload.rounds;  // of each letter
  constexpr std::uint64_t mixes_per_thread = 400'000;
  const auto least = static_cast<std::size_t>(mixes_per_thread / std::max<std::uint64_t>(mixes, 1));
  in_parallel(letters, std::max(least, mixed_at_once), [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; i += mixed_at_once) {
      const std::size_t count = std::min(mixed_at_once, last - i);
      for (Word kernel = 0; kernel < workload.depth; ++kernel) {
        Word mixed[mixed_at_once] = {};
        for (std::size_t k = 0; k < count; ++k) mixed[k] = alphabet_[i + k].word ^ salt(kernel);
        mix_each(mixed, workload.rounds);
        for (std::size_t k = 0; k < count; ++k) alphabet_[i + k].sum += mixed[k];
      }
    }
  });
}

void Reference::draw(std::byte* in, std::byte* expected) {
  std::vector<Piece> pieces;
  for (std::uint32_t index = 0; index < workload_.chunks(); ++index) {
    const Chunk chunk = workload_.chunk(index);
    const std::size_t outputs = words_in(chunk.out_bytes), parts = parts_of(chunk);
    for (std::size_t part = 0; part < parts; ++part) {
      pieces.push_back(
          {chunk, outputs * part / parts, outputs * (part + 1) / parts, random_.next()});
    }
  }
  const std::size_t each = std::max<std::size_t>(1, words_in(workload_.bytes) / pieces.size());
  in_parallel(pieces.size(), words_per_thread / each, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) draw(pieces[i], in, expected);
  });
}

void Reference::draw(const Piece& piece, std::byte* in, std::byte* expected) const {
  Random random(piece.seed);
  RandomPlaces places(random);
  const std::size_t last = alphabet_.size() - 1;
  Word* const input = words_at(in + piece.chunk.in_offset);
  Word* const output = words_at(expected + piece.chunk.out_offset);
  const std::size_t inputs = words_in(piece.chunk.in_bytes);
  const std::size_t outputs = words_in(piece.chunk.out_bytes);
  std::fill(output + piece.first, output + piece.last, 0u);
  // Blocks as long as the output give "i modulo outputs" without a division per word.
  for (std::size_t start = 0; start < inputs; start += outputs) {
    const std::size_t end = std::min(piece.last, inputs - start);
    for (std::size_t i = piece.first; i < end; ++i) {
      const Letter letter = alphabet_[places.next() & last];
      input[start + i] = letter.word;
      output[i] += letter.sum;
    }
  }
}

void poison(std::byte* out, std::size_t bytes, const std::byte* expected) {
  const Word* const wanted = words_at(expected);
  Word* const words = words_at(out);
  in_parallel(words_in(bytes), words_per_thread, [&](std::size_t first, std::size_t last) {
    std::transform(wanted + first, wanted + last, words + first, [](Word word) { return ~word; });
  });
}

std::optional<Mismatch> compare(const std::byte* out, const std::byte* expected,
                                std::size_t bytes) {
  const Word* const got = words_at(out);
  const Word* const wanted = words_at(expected);
  const std::size_t words = words_in(bytes);
  std::atomic<std::size_t> wrong = 0, earliest = words;
  in_parallel(words, words_per_thread, [&](std::size_t first, std::size_t last) {
    std::size_t count = 0;
    for (std::size_t i = first; i < last; ++i) count += got[i] != wanted[i];
    if (count == 0) return;
    wrong += count;
    const auto found = std::mismatch(got + first, got + last, wanted + first).first;
    const auto offset = static_cast<std::size_t>(found - got);
    std::size_t before = earliest;
    while (offset < before && !earliest.compare_exchange_weak(before, offset)) {
    }
  });
  if (wrong == 0) return std::nullopt;
  return Mismatch{earliest * sizeof(Word), wanted[earliest], got[earliest], wrong};
}

}  // namespace trilane
