#include "common/application/recorder/listening/stack_taker.hpp"

#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <climits>

#include "common/application/iteration/clock.hpp"

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
  constexpr std::array<std::string_view, 3> libraries{"libcuda.so", "libcudart.so", "libcupti.so"};
  return std::ranges::any_of(libraries,
                             [&](std::string_view library) { return name.starts_with(library); });
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

}  // namespace trilane
