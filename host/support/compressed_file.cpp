// How files are compressed and read: zlib for gzip, liblzma for xz, both piece by piece, so that a text may be larger
// than memory.

#include "support/compressed_file.hpp"

#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <new>

#include <fmt/format.h>
#include <lzma.h>
#define ZLIB_CONST // declares zlib's input as const
#include <zlib.h>

namespace tmd::support {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view gzip_magic = "\x1f\x8b"sv;
constexpr std::string_view xz_magic = "\xfd"
                                      "7zXZ\0"sv;
constexpr std::size_t chunk = 1 << 16;

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view why) {
  throw UsageError(fmt::format("cannot read '{}': {}", file.string(), why));
}

// A file's bytes, piece by piece.
class Reader {
public:
  explicit Reader(const std::filesystem::path& file)
      : file_(file), stream_(std::fopen(file.c_str(), "rb"), std::fclose) {
    if (!stream_)
      refuse(file_, std::strerror(errno));
  }

  // Empty at the end.
  [[nodiscard]] std::string_view next() {
    const std::size_t size = std::fread(buffer_.data(), 1, buffer_.size(), stream_.get());
    if (std::ferror(stream_.get()) != 0)
      refuse(file_, std::strerror(errno));
    return {buffer_.data(), size};
  }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
  const std::filesystem::path& file_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream_;
  std::array<char, chunk> buffer_{};
};

constexpr int gzip_only = 16; // added to the window's bits

// Gives zlib the next piece of the text when it has used up the one before. It counts them in 32 bits.
void feed(z_stream& stream, std::string_view& rest) {
  if (stream.avail_in != 0 || rest.empty())
    return;
  const std::size_t size = std::min<std::size_t>(rest.size(), std::numeric_limits<uInt>::max());
  stream.next_in = reinterpret_cast<const Bytef*>(rest.data());
  stream.avail_in = static_cast<uInt>(size);
  rest.remove_prefix(size);
}

// `piece`: the first piece of the compressed text. Several gzip members in a row are one text.
void unpack_gzip(std::string_view piece, Reader& packed, const TextSink& sink) {
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + gzip_only) != Z_OK)
    refuse(packed.file(), "no memory to unpack it");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, inflateEnd);
  std::array<char, chunk> buffer{};
  const auto feed_more = [&] {
    if (piece.empty() && stream.avail_in == 0)
      piece = packed.next();
    feed(stream, piece);
  };
  feed_more();
  int state = Z_OK;
  while (state == Z_OK || (state == Z_STREAM_END && stream.avail_in != 0)) {
    if (state == Z_STREAM_END)
      inflateReset(&stream);
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = chunk;
    state = inflate(&stream, Z_NO_FLUSH);
    sink({buffer.data(), chunk - stream.avail_out});
    feed_more();
  }
  if (state != Z_STREAM_END)
    refuse(packed.file(), "it is damaged or cut off");
}

void unpack_xz(std::string_view piece, Reader& packed, const TextSink& sink) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
    refuse(packed.file(), "no memory to unpack it");
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> owner(&stream, lzma_end);
  std::array<char, chunk> buffer{};
  lzma_ret state = LZMA_OK;
  while (state == LZMA_OK) {
    if (stream.avail_in == 0 && !piece.empty()) {
      stream.next_in = reinterpret_cast<const std::uint8_t*>(piece.data());
      stream.avail_in = piece.size();
    }
    stream.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
    stream.avail_out = chunk;
    state = lzma_code(&stream, piece.empty() ? LZMA_FINISH : LZMA_RUN);
    sink({buffer.data(), chunk - stream.avail_out});
    if (stream.avail_in == 0 && !piece.empty())
      piece = packed.next();
  }
  if (state != LZMA_STREAM_END)
    refuse(packed.file(), "it is damaged or cut off");
}

// The header has neither a name nor a time: equal texts become equal files.
void pack_gzip(const TextSource& text, const TextSink& sink) {
  constexpr int usual_memory = 8;
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip_only, usual_memory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, deflateEnd);
  std::array<char, chunk> buffer{};
  int state = Z_OK;
  const auto run = [&](int flush) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = chunk;
    state = deflate(&stream, flush);
    sink({buffer.data(), chunk - stream.avail_out});
  };
  text([&](std::string_view piece) {
    for (feed(stream, piece); stream.avail_in != 0; feed(stream, piece))
      run(Z_NO_FLUSH);
  });
  do
    run(Z_FINISH);
  while (state == Z_OK || state == Z_BUF_ERROR);
}

void pack_xz(const TextSource& text, const TextSink& sink) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_easy_encoder(&stream, LZMA_PRESET_DEFAULT, LZMA_CHECK_CRC64) != LZMA_OK)
    throw std::bad_alloc();
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> owner(&stream, lzma_end);
  std::array<char, chunk> buffer{};
  lzma_ret state = LZMA_OK;
  const auto run = [&](lzma_action action) {
    stream.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
    stream.avail_out = chunk;
    state = lzma_code(&stream, action);
    if (state != LZMA_OK && state != LZMA_STREAM_END)
      throw std::bad_alloc();
    sink({buffer.data(), chunk - stream.avail_out});
  };
  text([&](std::string_view piece) {
    stream.next_in = reinterpret_cast<const std::uint8_t*>(piece.data());
    stream.avail_in = piece.size();
    while (stream.avail_in != 0)
      run(LZMA_RUN);
  });
  while (state != LZMA_STREAM_END)
    run(LZMA_FINISH);
}

} // namespace

Packing packing_of(const std::filesystem::path& file) {
  const std::filesystem::path ending = file.extension();
  return ending == ".gz" ? Packing::gzip : ending == ".xz" ? Packing::xz : Packing::none;
}

void pack(const TextSource& text, Packing packing, const TextSink& sink) {
  switch (packing) {
  case Packing::gzip:
    return pack_gzip(text, sink);
  case Packing::xz:
    return pack_xz(text, sink);
  case Packing::none:
    return text(sink);
  }
}

std::string pack(std::string_view text, Packing packing) {
  std::string packed;
  pack([&](const TextSink& sink) { sink(text); }, packing, [&](std::string_view piece) { packed += piece; });
  return packed;
}

TextSource text_of(const std::filesystem::path& file) {
  return [file](const TextSink& sink) {
    Reader reader(file);
    std::string_view piece = reader.next();
    if (piece.starts_with(gzip_magic))
      return unpack_gzip(piece, reader, sink);
    if (piece.starts_with(xz_magic))
      return unpack_xz(piece, reader, sink);
    for (; !piece.empty(); piece = reader.next())
      sink(piece);
  };
}

std::string read_file(const std::filesystem::path& file) {
  std::string text;
  text_of(file)([&](std::string_view piece) { text += piece; });
  return text;
}

} // namespace tmd::support
