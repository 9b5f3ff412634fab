/* Writes down what a process does to files below a directory, for tests of power loss: preload it, with TRACE_ROOT and
   TRACE_FILE set.  A record is one line of words (what, path, offset, length) and then the bytes, if it has any. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES 1024

static char *paths[FILES];
static int out = -1;
static const char *root;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    root = getenv("TRACE_ROOT");
    const char *file = getenv("TRACE_FILE");
    if (root && file) out = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const char *what, const char *path, long offset, long length, const void *bytes) {
    char head[PATH_MAX + 100];
    int size = snprintf(head, sizeof head, "%s %s %ld %ld\n", what, path, offset, length);
    pthread_mutex_lock(&lock);
    syscall(SYS_write, out, head, (size_t)size);
    if (bytes) syscall(SYS_write, out, bytes, (size_t)length);
    pthread_mutex_unlock(&lock);
}

static int ours(const char *path) { return out >= 0 && root && strncmp(path, root, strlen(root)) == 0; }

static const char *of(int fd) { return fd >= 0 && fd < FILES ? paths[fd] : NULL; }

static int opened(int fd, const char *path, int flags, int existed) {
    if (fd < 0 || fd >= FILES) return fd;
    free(paths[fd]);
    paths[fd] = ours(path) ? strdup(path) : NULL;
    if (paths[fd] && (flags & O_CREAT) && !existed) put("create", path, 0, 0, NULL);
    if (paths[fd] && (flags & O_TRUNC) && existed) put("truncate", path, 0, 0, NULL);
    return fd;
}

static int do_open(int at, const char *path, int flags, mode_t mode) {
    int existed = syscall(SYS_faccessat, at, path, F_OK) == 0;
    return opened((int)syscall(SYS_openat, at, path, flags, mode), path, flags, existed);
}

#define MODE                      \
    mode_t mode = 0;              \
    va_list rest;                 \
    va_start(rest, flags);        \
    if (flags & O_CREAT) mode = va_arg(rest, mode_t); \
    va_end(rest);

int open(const char *path, int flags, ...) { MODE return do_open(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return do_open(AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE return do_open(at, path, flags, mode); }

int close(int fd) {
    if (fd >= 0 && fd < FILES) {
        free(paths[fd]);
        paths[fd] = NULL;
    }
    return (int)syscall(SYS_close, fd);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    ssize_t done = syscall(SYS_pwrite64, fd, bytes, size, at);
    if (of(fd) && done > 0) put("write", of(fd), (long)at, done, bytes);
    return done;
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { return pwrite64(fd, bytes, size, at); }

ssize_t write(int fd, const void *bytes, size_t size) {
    long at = of(fd) ? syscall(SYS_lseek, fd, 0, SEEK_CUR) : 0;
    ssize_t done = syscall(SYS_write, fd, bytes, size);
    if (of(fd) && done > 0) put("write", of(fd), at, done, bytes);
    return done;
}

int ftruncate64(int fd, off64_t size) {
    int result = (int)syscall(SYS_ftruncate, fd, size);
    if (of(fd) && result == 0) put("truncate", of(fd), (long)size, 0, NULL);
    return result;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int fsync(int fd) {
    int result = (int)syscall(SYS_fsync, fd);
    if (of(fd) && result == 0) put("sync", of(fd), 0, 0, NULL);
    return result;
}
int fdatasync(int fd) {
    int result = (int)syscall(SYS_fdatasync, fd);
    if (of(fd) && result == 0) put("sync", of(fd), 0, 0, NULL);
    return result;
}

int unlink(const char *path) {
    int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (ours(path) && result == 0) put("unlink", path, 0, 0, NULL);
    return result;
}

int mkdir(const char *path, mode_t mode) {
    int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (ours(path) && result == 0) put("mkdir", path, 0, 0, NULL);
    return result;
}

void trace_done(long number) { put("done", "-", number, 0, NULL); }
