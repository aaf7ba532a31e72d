/* Loaded before the C library (LD_PRELOAD): a file system that lacks something, or a kill at a call.
   FS_LACKS has "locks" or "links"; FS_KILL names a call: "link" after it was made, "rename" before. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <stdio.h>

static int has(const char *variable, const char *word) {
    const char *value = getenv(variable);
    return value && strstr(value, word);
}

int flock(int file, int operation) {
    int (*real)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "flock");
    if (has("FS_LACKS", "locks")) {
        errno = ENOLCK;
        return -1;
    }
    return real(file, operation);
}

static int linked(int result) {
    if (has("FS_KILL", "link"))
        kill(getpid(), SIGKILL);
    return result;
}

int link(const char *from, const char *to) {
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "link");
    if (has("FS_LACKS", "links")) {
        errno = EPERM;
        return -1;
    }
    return linked(real(from, to));
}

int linkat(int folder, const char *from, int other, const char *to, int flags) {
    int (*real)(int, const char *, int, const char *, int) =
        (int (*)(int, const char *, int, const char *, int))dlsym(RTLD_NEXT, "linkat");
    if (has("FS_LACKS", "links")) {
        errno = EPERM;
        return -1;
    }
    return linked(real(folder, from, other, to, flags));
}

int rename(const char *from, const char *to) {
    int (*real)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    if (has("FS_KILL", "rename"))
        kill(getpid(), SIGKILL);
    return real(from, to);
}
