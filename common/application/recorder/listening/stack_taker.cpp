#include "common/application/recorder/listening/stack_taker.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

#include <charconv>
#include <climits>

#include "common/base/system/lock.hpp"

namespace trilane {
namespace {

struct Walk {
  std::vector<std::uintptr_t>& addresses;
  std::size_t most;
};

/// A return address may belong to the next line or function, so the byte before it is taken.
_Unwind_Reason_Code take_address(_Unwind_Context* context, void* data) {
  auto& [addresses, most] = *static_cast<Walk*>(data);
  if (addresses.size() == most) return _URC_END_OF_STACK;
  int before = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &before);
  if (address == 0) return _URC_END_OF_STACK;
  addresses.push_back(before != 0 ? address : address - 1);
  return _URC_NO_REASON;
}

/// The module that holds an address.
struct Module {
  std::uintptr_t address;
  bool found = false;
  std::string path = {};
  std::uintptr_t base = 0;  ///< of the addresses in its file
};

int is_module(dl_phdr_info* info, std::size_t, void* data) {
  auto& module = *static_cast<Module*>(data);
  for (const ElfW(Phdr) & part : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || module.address < begin) continue;
    if (module.address - begin >= part.p_memsz) continue;
    module.found = true;
    module.path = info->dlpi_name;
    module.base = info->dlpi_addr;
    return 1;
  }
  return 0;
}

std::string own_program() {
  std::array<char, PATH_MAX> path;
  const ssize_t bytes = readlink("/proc/self/exe", path.data(), path.size());
  return {path.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0};
}

/// Does not ask dladdr(), which waits while another thread loads a library.
Module module_at(std::uintptr_t address) {
  Module module{.address = address};
  dl_iterate_phdr(is_module, &module);
  if (module.found && module.path.empty()) module.path = own_program();
  return module;
}

std::uintptr_t as_number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

/// Returns true for what stands between a program's calls and this library.
bool is_between(const std::string& path) {
  static const std::string own = module_at(as_number(&own)).path;
  if (path == own) return true;
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  return name.starts_with("libcuda.so") || name.starts_with("libcudart.so") ||
         name.starts_with("libcupti.so");
}

/// Returns the frame of a line such as `  File "train.py", line 31 in step`.
std::optional<RecordedFrame> frame_in(std::string_view line) {
  constexpr std::string_view begin = "  File \"", middle = "\", line ", end = " in ";
  const std::size_t after = line.rfind(middle);
  if (!line.starts_with(begin) || after == line.npos) return std::nullopt;
  const std::string_view rest = line.substr(after + middle.size());
  const std::size_t digits = rest.find(end);
  if (digits == rest.npos) return std::nullopt;
  RecordedFrame frame{.function = std::string(rest.substr(digits + end.size())),
                      .file = std::string(line.substr(begin.size(), after - begin.size()))};
  std::from_chars(rest.data(), rest.data() + digits, frame.line);
  return frame;
}

std::string content_of(const OpenFile& file) {
  std::string all;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t bytes =
        pread(file.get(), part.data(), part.size(), static_cast<off_t>(all.size()));
    if (bytes <= 0) return all;
    all.append(part.data(), static_cast<std::size_t>(bytes));
  }
}

}  // namespace

TakenStack StackTaker::take() {
  TakenStack taken;
  if (full_ || taken_us_ > longest_us) return taken;
  const double begin_us = recorder_now_us();
  taken.addresses.reserve(most_addresses);
  Walk walk{taken.addresses, most_addresses};
  _Unwind_Backtrace(take_address, &walk);
  taken.python = python_.of_this_thread();
  taken_us_ = taken_us_ + (recorder_now_us() - begin_us);
  return taken;
}

const ObservedStack* StackTaker::keep(const TakenStack& taken) {
  if (taken.addresses.empty()) return nullptr;
  ObservedStack stack;
  const RecordedFrame* const interpreter =
      taken.python.empty() ? nullptr : frame_at(as_number(python_.code()));
  for (const std::uintptr_t address : taken.addresses) {
    const RecordedFrame* const frame = frame_at(address);
    if (frame == nullptr) continue;
    if (interpreter != nullptr && frame->module == interpreter->module) break;
    stack.frames.push_back(frame);
  }
  for (auto frame = taken.python.rbegin(); frame != taken.python.rend(); ++frame) {
    stack.frames.push_back(&*frames_.insert(*frame).first);
  }
  std::ranges::reverse(stack.frames);
  full_ = stacks_.size() + 1 >= most_stacks;
  return &*stacks_.insert(std::move(stack)).first;
}

const RecordedFrame* StackTaker::frame_at(std::uintptr_t address) {
  const auto [known, added] = by_address_.try_emplace(address);
  if (!added) return known->second;
  Module module = module_at(address);
  if (!module.found || is_between(module.path)) return nullptr;
  known->second =
      &*frames_.insert({.module = std::move(module.path), .offset = address - module.base}).first;
  return known->second;
}

/// While it lives, no question to the interpreter runs the program's code or changes its exception.
class PythonFrames::Undisturbed : boost::noncopyable {
 public:
  explicit Undisturbed(const PythonFrames& python) : python_(python) {
    // A collection could run the program's finalizers.
    if (python.stop_collecting_ != nullptr && python.collect_ != nullptr) {
      collects_ = python.stop_collecting_() != 0;
    }
    python.fetch_error_(&error_[0], &error_[1], &error_[2]);
  }
  ~Undisturbed() {
    python_.restore_error_(error_[0], error_[1], error_[2]);
    if (collects_) python_.collect_();
  }

 private:
  const PythonFrames& python_;
  bool collects_ = false;
  std::array<Object*, 3> error_{};
};

class PythonFrames::Reference : boost::noncopyable {
 public:
  explicit Reference(const PythonFrames& python, Object* object = nullptr)
      : python_(python), object_(object) {}
  ~Reference() { reset(nullptr); }
  void reset(Object* object) {
    if (Object* const before = std::exchange(object_, object)) python_.release_(before);
  }
  Object* get() const { return object_; }

 private:
  const PythonFrames& python_;
  Object* object_;
};

FoundFunction PythonFrames::exported(const char* name, const char* older) {
  const FoundFunction found{dlsym(RTLD_DEFAULT, name)};
  return found.address != nullptr || older == nullptr ? found : exported(older);
}

PythonFrames::PythonFrames()
    : complete_(is_initialized_ != nullptr && thread_ != nullptr && running_ != nullptr &&
                eval_get_frame_ != nullptr && back_ != nullptr && code_ != nullptr &&
                line_ != nullptr && attribute_ != nullptr && utf8_ != nullptr && hold_ != nullptr &&
                release_ != nullptr && fetch_error_ != nullptr && restore_error_ != nullptr) {}

std::vector<RecordedFrame> PythonFrames::of_this_thread() const {
  if (!complete_ || is_initialized_() == 0) return {};
  Thread* const thread = thread_();
  if (thread == nullptr) return {};
  std::vector<RecordedFrame> frames = running_() == thread ? asked_for() : written(thread);
  std::ranges::reverse(frames);
  return frames;
}

/// Returns the frames of a thread that holds the lock, innermost first.
std::vector<RecordedFrame> PythonFrames::asked_for() const {
  const Undisturbed undisturbed(*this);
  std::vector<RecordedFrame> frames;
  Reference frame(*this, eval_get_frame_());
  if (frame.get() != nullptr) hold_(frame.get());
  while (frame.get() != nullptr && frames.size() < most) {
    frames.push_back(described(frame.get()));
    frame.reset(back_(frame.get()));
  }
  return frames;
}

/// Returns the frames of a thread without the lock, innermost first.
std::vector<RecordedFrame> PythonFrames::written(Thread* thread) const {
  if (write_ == nullptr) return {};
  const OpenFile file(memfd_create("trilane", MFD_CLOEXEC));
  if (!file) return {};
  write_(file.get(), thread);
  const std::string text = content_of(file);
  std::vector<RecordedFrame> frames;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (auto frame = frame_in(std::string_view(text).substr(at, end - at))) {
      frames.push_back(std::move(*frame));
    }
    at = end + 1;
  }
  return frames;
}

RecordedFrame PythonFrames::described(Object* frame) const {
  const Reference code(*this, code_(frame));
  Reference name(*this), file(*this);
  // Not the qualified name, which older interpreters lack and none writes.
  const char* const function = text(code.get(), "co_name", name);
  const char* const path = text(code.get(), "co_filename", file);
  const int line = line_(frame);
  return {.function = function == nullptr ? "" : function,
          .file = path == nullptr ? "" : path,
          .line = static_cast<std::uint32_t>(std::max(0, line))};
}

/// Returns the text, which `owner` owns; null, without an error, if there is none.
const char* PythonFrames::text(Object* object, const char* attribute, Reference& owner) const {
  owner.reset(attribute_(object, attribute));
  const char* const found = owner.get() == nullptr ? nullptr : utf8_(owner.get());
  if (found == nullptr) restore_error_(nullptr, nullptr, nullptr);
  return found;
}

}  // namespace trilane
