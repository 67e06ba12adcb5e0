// TMD_API marks what the shared library shows; everything else is hidden in it.
#pragma once

#define TMD_API __attribute__((visibility("default")))
