// Every error of OpenCL becomes a DeviceError or a BuildError with a sentence. A program is built once for each source
// and its options, and kept as long as the device is open.
#include "opencl/compute.hpp"

#include "number/in_parallel.hpp"
#include "opencl/builders.hpp"
#include "opencl/drivers.hpp"
#include "opencl/handles.hpp"
#include "opencl/kernel_files.hpp"
#include "opencl/private_memory.hpp"
#include "opencl/program_store.hpp"
#include "support/installed_files.hpp"
#include "tmd/error.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>

namespace tmd::opencl {

struct Buffer::Handle {
  cl::Buffer buffer;
};

struct Kernel::Handle {
  cl::Kernel kernel;
  cl::Device device;
  std::string name;
  std::string build_log;
  std::uint64_t work_items_on_stack = 0;
};

namespace {

// Host memory that a GPU's driver need not copy from or to, in a few places for small reads
// (doc/developer/tried-and-rejected.md says what it saves). For one thread.
class PinnedMemory : public std::enable_shared_from_this<PinnedMemory> {
public:
  static constexpr std::size_t place_bytes = std::size_t(1) << 14;

  PinnedMemory(const cl::Context& context, cl::CommandQueue queue)
      : queue_(std::move(queue)), buffer_(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, places * place_bytes),
        memory_(static_cast<std::byte*>(
            queue_.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, places * place_bytes))) {
    for (std::size_t i = 0; i < places; ++i)
      free_.push_back(memory_ + i * place_bytes);
  }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() {
    try {
      queue_.enqueueUnmapMemObject(buffer_, memory_);
    } catch (const cl::Error&) { // the device may have failed
    }
  }

  // A place that becomes free again when all its owners are gone; null if all are in use. Earlier writes of the queue
  // to it come before those for its next owner.
  [[nodiscard]] std::shared_ptr<std::byte> place() {
    if (free_.empty())
      return nullptr;
    std::byte* const one = free_.back();
    free_.pop_back();
    return {one, [pinned = shared_from_this()](std::byte* freed) { pinned->free_.push_back(freed); }};
  }

private:
  static constexpr std::size_t places = 16;

  cl::CommandQueue queue_;
  cl::Buffer buffer_;
  std::byte* memory_;
  std::vector<std::byte*> free_;
};

} // namespace

struct Event::Handle {
  cl::Event event;
  std::string kernel;
  // The pinned memory in which a read ends.
  std::shared_ptr<std::byte> place;
  void* to = nullptr;
  std::size_t bytes = 0;
};

// Everything that a program is built from.
struct Compute::Program {
  std::string file;
  std::string options;
  std::string source;

  std::string key; // its key in the program store, a hash of all that it depends on
};

struct Compute::Built {
  cl::Program program;
  std::string log;
};

namespace {

// The program from a driver's binary; nothing if the driver no longer accepts it.
std::optional<cl::Program> loaded(const cl::Context& context, const cl::Device& device, const std::string& options,
                                  const std::string& binary) {
  if (binary.empty())
    return std::nullopt;
  try {
    cl::Program program(context, {device}, {{binary.begin(), binary.end()}});
    program.build(device, options.c_str());
    return program;
  } catch (const cl::Error&) {
    return std::nullopt;
  }
}

} // namespace

// State that all queues of a device share.
struct Compute::Shared {
  explicit Shared(const DeviceDescription& of) : description(of), store(of) {}

  const DeviceDescription description;
  const ProgramStore store;
  cl::Device device;
  cl::Context context;
  std::mutex mutex; // guards the members below
  std::optional<KernelFiles> kernels;
  std::map<std::string, std::shared_future<Built>> programs; // built or being built; a program may have several kernels

  // A function that builds the program, for any thread.
  [[nodiscard]] std::function<Built()> building(const Program& of) const {
    return [of, device_name = description.name, builders = description.builders, store = store, context = context,
            device = device]() -> Built {
      const auto kept = store.find(of.key);
      if (const auto program = kept ? loaded(context, device, of.options, kept->binary) : std::nullopt)
        return {*program, kept->log};
      const auto own_building = builders ? builders->await(of.key) : nullptr;
      try {
        const cl::Program program(context, of.source);
        try {
          program.build(device, of.options.c_str());
        } catch (const cl::BuildError& error) {
          throw BuildError(fmt::format("building kernel {} for {} failed: {} returned {}\noptions: {}\n{}", of.file,
                                       device_name, error.what(), error_name(error.err()), of.options,
                                       program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device)));
        }
        Built built{program, program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device)};
        if (store.keeps_binaries() || (builders && !kept))
          keep(store, of.key, built);
        return built;
      } catch (const cl::Error& error) {
        fail(error, fmt::format("building kernel {}", of.file));
      }
    };
  }

  // The program's source and options. Requires the locked mutex.
  [[nodiscard]] Program program_of(const std::string& file, std::span<const Macro> macros,
                                   std::string_view more_options) {
    if (!kernels)
      kernels.emplace(support::kernel_folder());
    // PoCL's compiler counts its warnings on stderr, whatever is done with its log. Others may report there how a
    // kernel was vectorized.
    Program program{file,
                    fmt::format("-cl-std=CL1.2 {} {}{}", build_options(macros), more_options,
                                is_pocl(description.platform) ? " -w" : ""),
                    kernels->source(file),
                    {}};
    program.key = store.key(program.options, program.source);
    return program;
  }

  // The first thread that needs it builds it; others that need it meanwhile wait.
  [[nodiscard]] const Built& built(const std::string& file, std::span<const Macro> macros, std::string_view options) {
    std::packaged_task<Built()> build;
    std::shared_future<Built> result;
    {
      const std::lock_guard lock(mutex);
      const Program program = program_of(file, macros, options);
      auto found = programs.find(program.key);
      if (found == programs.end()) {
        build = std::packaged_task<Built()>(building(program));
        found = programs.emplace(program.key, build.get_future()).first;
      }
      result = found->second;
    }
    if (build.valid())
      build();
    return result.get(); // lives in the table as long as the device is open
  }

  // Binaries are requested only if they are kept: PoCL would compile all kernels for that.
  static void keep(const ProgramStore& store, const std::string& key, const Built& built) {
    ProgramStore::Entry entry{built.log, {}};
    if (store.keeps_binaries()) {
      const auto binaries = built.program.getInfo<CL_PROGRAM_BINARIES>();
      if (binaries.size() != 1 || binaries.front().empty())
        return;
      entry.binary.assign(binaries.front().begin(), binaries.front().end());
    }
    store.keep(key, entry);
  }
};

std::string build_options(std::span<const Macro> macros) {
  std::string options;
  for (const Macro& macro : macros) {
    if (macro.value < macro.least || macro.value > macro.greatest)
      throw UsageError(
          fmt::format("{} must be {} to {}, not {}", macro.name, macro.least, macro.greatest, macro.value));
    options += fmt::format("{}-D{}={}", options.empty() ? "" : " ", macro.name, macro.value);
  }
  return options;
}

std::size_t Kernel::work_group_limit() const {
  try {
    const std::size_t of_kernel = handle_->kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(handle_->device);
    return std::min<std::uint64_t>(of_kernel, handle_->work_items_on_stack);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("asking for the work-group limit of kernel {}", handle_->name));
  }
}

const std::string& Kernel::build_log() const { return handle_->build_log; }

void Kernel::set_one(unsigned index, const Buffer& buffer) {
  try {
    handle_->kernel.setArg(index, buffer.handle_->buffer);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("setting argument {} of kernel {}", index, handle_->name));
  }
}

void Kernel::set_bytes(unsigned index, const void* value, std::size_t bytes) {
  try {
    handle_->kernel.setArg(index, bytes, value);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("setting argument {} of kernel {}", index, handle_->name));
  }
}

struct Compute::Handle {
  cl::CommandQueue queue;
  std::shared_ptr<PinnedMemory> pinned;
};

namespace {

// With too little address space PoCL does not fail, but waits for ever for a thread or a compiler of its own. So
// address space is reserved as a test first: on two cores a search takes up to 700 MB beyond the opened drivers, while
// kernels are compiled.
void require_address_space() {
  const std::size_t threads = 2 * std::size_t(number::cores());
  const std::size_t bytes = (std::size_t(768) << 20) + threads * thread_stack();
  void* const room = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED)
    throw DeviceError(fmt::format("memory would run out: a device needs {} MB of address space more than this process "
                                  "has (see `ulimit -v`)",
                                  bytes >> 20));
  (void)::munmap(room, bytes);
}

} // namespace

Compute::Compute(const DeviceDescription& device) : device_(device), shared_(std::make_shared<Shared>(device)) {
  require_address_space();
  try {
    shared_->device = device_handles().at(device.index).second;
    shared_->context = device.context ? device.context->context : cl::Context(shared_->device);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("opening device {} ({})", device.index, device.name));
  }
  open_queue();
}

DeviceDescription with_shared_context(DeviceDescription device) {
  try {
    device.context = std::make_shared<Context>(Context{cl::Context(device_handles().at(device.index).second)});
  } catch (const cl::Error& error) {
    fail(error, fmt::format("opening device {} ({})", device.index, device.name));
  }
  return device;
}

Compute Compute::with_another_queue() const {
  Compute result(*this);
  result.open_queue();
  return result;
}

void Compute::open_queue() {
  handle_ = std::make_shared<Handle>();
  try {
    handle_->queue = cl::CommandQueue(shared_->context, shared_->device, CL_QUEUE_PROFILING_ENABLE);
    if (device_.is_gpu)
      handle_->pinned = std::make_shared<PinnedMemory>(shared_->context, handle_->queue);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("opening a queue of device {} ({})", device_.index, device_.name));
  }
}

void Compute::build_ahead(const std::string& file, std::span<const Macro> macros, std::string_view options) {
  if (is_oclgrind(device_.platform))
    return;
  const std::lock_guard lock(shared_->mutex);
  const Program program = shared_->program_of(file, macros, options);
  if (shared_->programs.contains(program.key))
    return;
  if (!device_.builders)
    shared_->programs.emplace(program.key, std::async(std::launch::async, shared_->building(program)));
  else if (!shared_->store.find(program.key))
    device_.builders->want(program.key, build_request(program.options, program.source));
}

Kernel Compute::kernel(const std::string& file, const std::string& name, std::span<const Macro> macros,
                       std::string_view options) {
  Kernel kernel;
  kernel.handle_ = std::make_shared<Kernel::Handle>();
  kernel.handle_->name = name;
  kernel.handle_->device = shared_->device;
  const Built& built = shared_->built(file, macros, options);
  const std::lock_guard lock(shared_->mutex);
  try {
    kernel.handle_->build_log = built.log;
    kernel.handle_->kernel = cl::Kernel(built.program, name.c_str());
    // PoCL reports 1024 for every kernel, others nothing for some.
    const std::uint64_t said =
        is_pocl(device_.platform)
            ? 0
            : kernel.handle_->kernel.getWorkGroupInfo<CL_KERNEL_PRIVATE_MEM_SIZE>(shared_->device);
    kernel.handle_->work_items_on_stack =
        opencl::work_items_on_stack(device_, thread_stack(), said == 0 ? most_private_bytes : said);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("creating kernel {} of {}", name, file));
  }
  return kernel;
}

std::optional<std::string> Compute::kernel_digest() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->kernels ? std::optional(shared_->kernels->digest()) : std::nullopt;
}

Buffer Compute::allocate(std::size_t bytes) const {
  Buffer buffer;
  buffer.bytes_ = bytes;
  try {
    buffer.handle_ = std::make_shared<Buffer::Handle>(
        Buffer::Handle{cl::Buffer(shared_->context, CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 1))});
  } catch (const cl::Error& error) {
    fail(error, fmt::format("allocating {} bytes on {}", bytes, device_.name));
  }
  return buffer;
}

void Compute::write(const Buffer& buffer, const void* from, std::size_t bytes, std::size_t offset) {
  if (bytes == 0)
    return;
  try {
    handle_->queue.enqueueWriteBuffer(buffer.handle_->buffer, CL_TRUE, offset, bytes, from);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("writing {} bytes to {}", bytes, device_.name));
  }
}

void Compute::write_later(const Buffer& buffer, const void* from, std::size_t bytes) {
  try {
    handle_->queue.enqueueWriteBuffer(buffer.handle_->buffer, CL_FALSE, 0, bytes, from);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("writing {} bytes to {}", bytes, device_.name));
  }
}

void Compute::read(const Buffer& buffer, void* to, std::size_t bytes, std::size_t offset) {
  if (bytes == 0)
    return;
  try {
    handle_->queue.enqueueReadBuffer(buffer.handle_->buffer, CL_TRUE, offset, bytes, to);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("reading {} bytes from {}", bytes, device_.name));
  }
}

void Compute::read_rows(const Buffer& buffer, std::size_t offset, std::size_t stride, std::size_t rows,
                        std::size_t bytes, void* to) {
  try {
    handle_->queue.enqueueReadBufferRect(buffer.handle_->buffer, CL_TRUE, {offset % stride, offset / stride, 0},
                                         {0, 0, 0}, {bytes, rows, 1}, stride, 0, bytes, 0, to);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("reading {} rows of {} bytes from {}", rows, bytes, device_.name));
  }
}

Event Compute::read_later(const Buffer& buffer, void* to, std::size_t bytes, const Event& kernel, std::size_t offset) {
  Event result;
  result.handle_ = std::make_shared<Event::Handle>();
  Event::Handle& reading = *result.handle_;
  reading.kernel = kernel.handle_->kernel;
  reading.to = to;
  reading.bytes = bytes;
  if (handle_->pinned && bytes <= PinnedMemory::place_bytes)
    reading.place = handle_->pinned->place();
  try {
    handle_->queue.enqueueReadBuffer(buffer.handle_->buffer, CL_FALSE, offset, bytes,
                                     reading.place ? reading.place.get() : to, nullptr, &reading.event);
    handle_->queue.flush();
  } catch (const cl::Error& error) {
    fail(error, fmt::format("reading {} bytes from {}", bytes, device_.name));
  }
  return result;
}

void Compute::copy_rows_later(const Buffer& from, std::size_t offset, std::size_t stride, std::size_t rows,
                              std::size_t bytes, const Buffer& to, std::size_t to_offset) {
  // NVIDIA's driver requires the last row to be followed by as many bytes as the others.
  const std::size_t together = (offset / stride + rows) * stride <= from.bytes() ? rows : rows - 1;
  try {
    if (together > 0)
      handle_->queue.enqueueCopyBufferRect(from.handle_->buffer, to.handle_->buffer,
                                           {offset % stride, offset / stride, 0}, {0, to_offset / bytes, 0},
                                           {bytes, together, 1}, stride, 0, bytes, 0);
    if (together < rows)
      handle_->queue.enqueueCopyBuffer(from.handle_->buffer, to.handle_->buffer, offset + stride * together,
                                       to_offset + bytes * together, bytes);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("copying {} rows of {} bytes on {}", rows, bytes, device_.name));
  }
}

void Compute::clear(const Buffer& buffer) {
  try {
    // Not enqueueFillBuffer: Oclgrind takes memory that it writes for uninitialized.
    static constexpr std::array<std::byte, 16384> zeros{};
    for (std::size_t offset = 0; offset < buffer.bytes(); offset += zeros.size())
      handle_->queue.enqueueWriteBuffer(buffer.handle_->buffer, CL_FALSE, offset,
                                        std::min(zeros.size(), buffer.bytes() - offset), zeros.data());
  } catch (const cl::Error& error) {
    fail(error, fmt::format("clearing {} bytes on {}", buffer.bytes(), device_.name));
  }
}

Event Compute::start(const Kernel& kernel, std::size_t items, std::size_t work_group_size) {
  const std::size_t group = std::max<std::size_t>(1, std::min(work_group_size, kernel.work_group_limit()));
  const std::size_t global = (items + group - 1) / group * group;
  Event result;
  result.handle_ = std::make_shared<Event::Handle>();
  result.handle_->kernel = kernel.handle_->name;
  try {
    handle_->queue.enqueueNDRangeKernel(kernel.handle_->kernel, cl::NullRange, cl::NDRange(global), cl::NDRange(group),
                                        nullptr, &result.handle_->event);
    handle_->queue.flush();
  } catch (const cl::Error& error) {
    fail(error, fmt::format("starting kernel {} on {}", kernel.handle_->name, device_.name));
  }
  return result;
}

namespace {

// Some GPU drivers keep a core busy while they wait; polling with pauses does not. Short launches are polled without
// pauses.
void wait_politely(const cl::Event& event) {
  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  while (event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() > CL_COMPLETE)
    if (std::chrono::steady_clock::now() - start > 1ms)
      std::this_thread::sleep_for(100us);
}

} // namespace

ActiveTime Compute::finish(const Event& event) {
  try {
    if (device_.is_gpu)
      wait_politely(event.handle_->event);
    event.handle_->event.wait();
    if (const std::shared_ptr<std::byte> place = std::exchange(event.handle_->place, nullptr))
      std::memcpy(event.handle_->to, place.get(), event.handle_->bytes);
  } catch (const cl::Error& error) {
    fail(error, fmt::format("running kernel {} on {}", event.handle_->kernel, device_.name));
  }
  try {
    return {event.handle_->event.getProfilingInfo<CL_PROFILING_COMMAND_START>(),
            event.handle_->event.getProfilingInfo<CL_PROFILING_COMMAND_END>()};
  } catch (const cl::Error& error) {
    fail(error, fmt::format("timing kernel {} on {}", event.handle_->kernel, device_.name));
  }
}

} // namespace tmd::opencl
