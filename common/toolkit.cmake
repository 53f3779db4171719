# Finds the CUDA Toolkit or, without nvcc, only its headers, which suffice for the simulated
# device. Sets trilane_gpu (whether programs for a GPU can be built), cuda_include_dirs and
# nvtx_include_dirs, and enables CUDA if there is nvcc.

# If a project requires CMake 3.25, FindCUDAToolkit deprecates CUDA::nvToolsExt and fails without
# it, as in CUDA 13. If it requires less, that target is optional.
set(required_version ${CMAKE_MINIMUM_REQUIRED_VERSION})
set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
if(NOT TRILANE_SIMULATOR_ONLY)
  find_package(CUDAToolkit QUIET)
endif()
set(CMAKE_MINIMUM_REQUIRED_VERSION ${required_version})

if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE)
  set(trilane_gpu ON)
  set(cuda_include_dirs ${CUDAToolkit_INCLUDE_DIRS})
  if(CUDAToolkit_VERSION VERSION_LESS 13.0)
    message(FATAL_ERROR "Trilane needs the CUDA Toolkit 13.0 or newer and found "
                        "${CUDAToolkit_VERSION} in ${CUDAToolkit_BIN_DIR}. "
                        "Put a newer nvcc first on the PATH or set CUDAToolkit_ROOT.")
  endif()
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE})
  endif()
  enable_language(CUDA)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13.0)
    message(FATAL_ERROR "Trilane needs nvcc 13.0 or newer, and ${CMAKE_CUDA_COMPILER} is "
                        "${CMAKE_CUDA_COMPILER_VERSION}. Point CUDACXX at a newer one.")
  endif()
  if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    # CMake 3.25 has no C++20 flag for nvcc and would silently compile as C++17.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    list(APPEND CMAKE_CUDA_COMPILE_FEATURES cuda_std_20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
else()
  set(trilane_gpu OFF)
  find_path(TRILANE_CUDA_INCLUDE cuda_runtime_api.h
            HINTS ${CUDAToolkit_ROOT} ENV CUDAToolkit_ROOT ENV CUDA_HOME PATHS /usr/local/cuda
            PATH_SUFFIXES include)
  string(CONCAT advice "Put nvcc 13.0 or newer on the PATH, or, for the simulated device alone, "
                       "set CUDAToolkit_ROOT to a folder that holds include/cuda_runtime_api.h.")
  if(NOT TRILANE_CUDA_INCLUDE)
    message(FATAL_ERROR "Trilane needs the CUDA Toolkit 13.0 or newer, or its headers, and found "
                        "none. ${advice}")
  endif()
  file(STRINGS ${TRILANE_CUDA_INCLUDE}/cuda_runtime_api.h version REGEX "define +CUDART_VERSION ")
  string(REGEX REPLACE "[^0-9]" "" version "${version}")
  if(NOT version GREATER_EQUAL 13000)
    message(FATAL_ERROR "Trilane needs the CUDA headers 13.0 (CUDART_VERSION 13000) or newer, and "
                        "those in ${TRILANE_CUDA_INCLUDE} are ${version}. ${advice}")
  endif()
  set(cuda_include_dirs ${TRILANE_CUDA_INCLUDE})
  message(STATUS "No nvcc: only the simulated device is built, with the CUDA headers in "
                 "${TRILANE_CUDA_INCLUDE}")
endif()

find_path(TRILANE_NVTX_INCLUDE nvtx3/nvtx3.hpp HINTS ${cuda_include_dirs})
if(NOT TRILANE_NVTX_INCLUDE)
  message(FATAL_ERROR "Trilane needs the NVTX headers (nvtx3/nvtx3.hpp), which come with the CUDA "
                      "Toolkit, and found none in ${cuda_include_dirs}. Install them there or set "
                      "TRILANE_NVTX_INCLUDE to the folder that holds nvtx3/.")
endif()
set(nvtx_include_dirs ${TRILANE_NVTX_INCLUDE})

# Only the headers, because the library is loaded when a trace is requested.
if(trilane_gpu)
  find_path(TRILANE_CUPTI_INCLUDE cupti.h HINTS ${cuda_include_dirs}
            PATH_SUFFIXES . ../extras/CUPTI/include ../../../extras/CUPTI/include)
  if(NOT TRILANE_CUPTI_INCLUDE)
    message(FATAL_ERROR "Trilane needs the CUPTI headers (cupti.h), which come with the CUDA "
                        "Toolkit, and found none in ${cuda_include_dirs} or extras/CUPTI/include. "
                        "Install them there or set TRILANE_CUPTI_INCLUDE to the folder that holds "
                        "cupti.h.")
  endif()
  set(cupti_include_dirs ${TRILANE_CUPTI_INCLUDE})
endif()
