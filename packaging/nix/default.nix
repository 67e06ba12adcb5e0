# A Nix derivation of tmd, of the source tree that it lies in: nix-build packaging/nix. Tried: that Nix 2.8 parses it.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "tmd";
  version = "0.2.0";
  src = ../..;

  nativeBuildInputs = with pkgs; [ cmake ninja ];
  buildInputs = with pkgs; [
    ocl-icd
    opencl-headers
    opencl-clhpp
    flint3
    mpfr
    gmp
    zlib
    xz
    fmt
    cxxopts
    nlohmann_json
    tomlplusplus
  ];
  cmakeFlags = [ "-DTMD_TESTS=OFF" "-DTMD_MPI=OFF" "-DCMAKE_UNITY_BUILD=ON" ];

  meta = {
    description = "Finds all hard-to-round cases of a function, on OpenCL devices";
    license = pkgs.lib.licenses.mit;
    platforms = pkgs.lib.platforms.linux;
    mainProgram = "tmd";
  };
}
