# Spack's package of tmd. Tried: that Python compiles it. In a repository of one's own:
#   spack repo create mine && mkdir -p mine/packages/tmd && cp package.py mine/packages/tmd && spack repo add mine
from spack.package import *


class Tmd(CMakePackage):
    """Solves the Table Maker's Dilemma: finds all hard-to-round cases of a function, on OpenCL devices."""

    homepage = "https://example.invalid/tmd"
    url = "https://example.invalid/tmd-0.2.0.tar.xz"
    license("MIT")

    version("0.2.0", sha256="0" * 64)

    variant("mpi", default=False, description="One search on many machines")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("opencl-clhpp")
    depends_on("opencl-c-headers")
    depends_on("ocl-icd")
    depends_on("flint@3:")
    depends_on("mpfr")
    depends_on("gmp")
    depends_on("zlib-api")
    depends_on("xz")
    depends_on("fmt")
    depends_on("cxxopts")
    depends_on("nlohmann-json")
    depends_on("tomlplusplus")
    depends_on("mpi", when="+mpi")

    generator("ninja")

    def cmake_args(self):
        return [self.define("TMD_TESTS", False), self.define_from_variant("TMD_MPI", "mpi")]
