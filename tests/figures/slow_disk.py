"""A slow disk: a library that a process preloads, and that adds milliseconds to each sync; needs a C compiler."""

import os
import subprocess
import sys
from pathlib import Path

DELAY = "PBEM_SYNC_TAKES"
"""The variable of the environment that says how many milliseconds a sync takes longer."""
_SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static void wait_for_disk(void) {
    const char *told = getenv("PBEM_SYNC_TAKES");
    double milliseconds = told ? atof(told) : 0;
    struct timespec span = {(time_t)(milliseconds / 1000), (long)(milliseconds * 1e6) % 1000000000L};
    nanosleep(&span, NULL);
}

#define SLOW(name) \
    int name(int handle) { \
        int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, #name); \
        wait_for_disk(); \
        return next(handle); \
    }
SLOW(fsync)
SLOW(fdatasync)
SLOW(syncfs)
"""


def again(folder: Path, milliseconds: float, *arguments: str) -> None:
    """Run the figures once more, as a process for which every sync takes so much longer."""
    source, library = folder / "slow.c", folder / "slow.so"
    source.write_text(_SOURCE)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    around = {**os.environ, "LD_PRELOAD": str(library), DELAY: str(milliseconds)}
    subprocess.run([sys.executable, "-m", "tests.figures", *arguments], check=True, env=around)
