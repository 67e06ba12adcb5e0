#include "support/compressed_file.hpp"

#include "error.hpp"

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
#define ZLIB_CONST // what it reads, it does not change
#include <zlib.h>

namespace tmd {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view gzip_magic = "\x1f\x8b"sv;
constexpr std::string_view xz_magic = "\xfd"
                                      "7zXZ\0"sv;
constexpr std::size_t chunk = 1 << 16;

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view why) {
  throw UsageError(fmt::format("cannot read '{}': {}", file.string(), why));
}

std::string read_plain(const std::filesystem::path& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!stream)
    refuse(file, std::strerror(errno));
  std::string text;
  std::array<char, chunk> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), stream.get()))
    text.append(buffer.data(), size);
  if (std::ferror(stream.get()) != 0)
    refuse(file, std::strerror(errno));
  return text;
}

constexpr int gzip_only = 16; // added to the window's bits

// zlib counts what it is given in 32 bits. The next of it, when it has used up what it had.
void feed(z_stream& stream, std::string_view& rest) {
  if (stream.avail_in != 0 || rest.empty())
    return;
  const std::size_t size = std::min<std::size_t>(rest.size(), std::numeric_limits<uInt>::max());
  stream.next_in = reinterpret_cast<const Bytef*>(rest.data());
  stream.avail_in = static_cast<uInt>(size);
  rest.remove_prefix(size);
}

// Several members one after the other are one text, as gzip has it.
std::string unpack_gzip(std::string_view packed, const std::filesystem::path& file) {
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + gzip_only) != Z_OK)
    refuse(file, "no memory to unpack it");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&stream, inflateEnd);
  std::string text;
  std::array<char, chunk> buffer{};
  feed(stream, packed);
  int state = Z_OK;
  while (state == Z_OK || (state == Z_STREAM_END && stream.avail_in != 0)) {
    if (state == Z_STREAM_END)
      inflateReset(&stream);
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = chunk;
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer.data(), chunk - stream.avail_out);
    feed(stream, packed);
  }
  if (state != Z_STREAM_END)
    refuse(file, "it is damaged or cut off");
  return text;
}

std::string unpack_xz(const std::string& packed, const std::filesystem::path& file) {
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
    refuse(file, "no memory to unpack it");
  const std::unique_ptr<lzma_stream, void (*)(lzma_stream*)> owner(&stream, lzma_end);
  std::string text;
  std::array<char, chunk> buffer{};
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  lzma_ret state = LZMA_OK;
  while (state == LZMA_OK) {
    stream.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
    stream.avail_out = chunk;
    state = lzma_code(&stream, LZMA_FINISH);
    text.append(buffer.data(), chunk - stream.avail_out);
  }
  if (state != LZMA_STREAM_END)
    refuse(file, "it is damaged or cut off");
  return text;
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

std::string read_file(const std::filesystem::path& file) {
  std::string text = read_plain(file);
  if (text.starts_with(gzip_magic))
    return unpack_gzip(text, file);
  if (text.starts_with(xz_magic))
    return unpack_xz(text, file);
  return text;
}

} // namespace tmd
