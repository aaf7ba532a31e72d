/* A bot that takes what no process's own size shows: `taker WHAT [thread]`.
 *
 * Asked for anything, it takes as much of WHAT as it gets, in a second thread after the end of its first one if
 * `thread` is given. Then it answers with the amount and the error that ended it, or sleeps if other processes take.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MIB = 1 << 20, PROCESSES = 400, MANY = 20000 };
static long taken;
static char data[MIB];

/* Page tables: one page of them for each 2 MiB that are looked at. The pages looked at are all the kernel's zeros. */
static void tables(void) {
    char *start;
    while ((start = mmap(0, 1L << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) != MAP_FAILED)
        for (long at = 0; at < 1L << 40; at += 2 * MIB) taken += 4096 + ((volatile char *)start)[at];
}

static void mappings(void) {
    char *start = mmap(0, 1L << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    for (long at = 0; at < 60000; at += 2) mprotect(start + at * 4096, 4096, PROT_READ);
    for (; taken < PROCESSES; taken++)
        if (fork() == 0) pause();
}

static void files(void) {
    for (; taken < PROCESSES; taken++)
        if (fork() == 0) {
            while (open("/dev/null", O_RDONLY) >= 0) {}
            pause();
        }
}

static void watch(void) {
    int watched[400];
    struct epoll_event event = {.events = EPOLLIN};
    for (int i = 0; i < 400; i += 2)
        if (pipe(watched + i)) return;
    for (int instance; (instance = epoll_create1(0)) >= 0;)
        for (int i = 0; i < 400; i++)
            if (epoll_ctl(instance, EPOLL_CTL_ADD, watched[i], &event)) return;
}

/* Ten million of them. */
static void watches(void) {
    for (; taken < 40; taken++)
        if (fork() == 0) {
            watch();
            pause();
        }
}

/* Unread data in sockets that nobody has accepted and whose other end is closed: none of them has a descriptor. */
static void sockets(void) {
    int listening = socket(AF_UNIX, SOCK_STREAM, 0), size = 1 << 30;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0taker"};
    bind(listening, (void *)&address, sizeof address);
    listen(listening, MANY);
    for (int i = 0; i < MANY; i++) {
        int end = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
        if (connect(end, (void *)&address, sizeof address)) return;
        for (long sent; (sent = send(end, data, sizeof data, 0)) > 0;) taken += sent;
        close(end);
    }
}

/* Shared memory of which only one page stays mapped: the rest stays too. */
static void keep_first_pages(int flags, int file) {
    char *start;
    while (taken < 2000L * MIB && (start = mmap(0, 64 * MIB, PROT_WRITE, flags, file, 0)) != MAP_FAILED) {
        for (long at = 0; at < 64 * MIB; at += MIB, taken += MIB) {
            memset(start + at, 1, MIB);
            madvise(start + at, MIB, MADV_DONTNEED);
        }
        munmap(start + 4096, 64 * MIB - 4096);
    }
}

static void shared(void) { keep_first_pages(MAP_SHARED | MAP_ANONYMOUS, -1); }
static void zero(void) { keep_first_pages(MAP_SHARED, open("/dev/zero", O_RDWR)); }

static void semaphores(void) {
    while (taken < 500 * 32000L && semget(IPC_PRIVATE, 32000, 0600) >= 0) taken += 32000;
}

/* A page of memory in a pipe; if it is a part of a huge page, the pipe keeps all of that. */
static void spliced(void) {
    int ends[2];
    struct iovec page = {data, 4096};
    if (pipe(ends) == 0 && vmsplice(ends[1], &page, 1, SPLICE_F_NONBLOCK) > 0) taken = 4096;
}

static int end_at_once(void *unused) { return 0; }

/* A thread with open files of its own. */
static void thread_files(void) {
    int flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
    if (clone(end_at_once, data + sizeof data - 64, flags, 0) >= 0) taken = 1;
}

static void timers(void) {
    timer_t timer;
    while (taken < MANY && timer_create(CLOCK_MONOTONIC, 0, &timer) == 0) taken++;
}

/* Files in /tmp, with a child that has ended as the last of its processes. */
static void beside_zombie(void) {
    char path[32];
    if (fork() == 0) _exit(0);
    for (; taken < MANY; taken++) {
        sprintf(path, "/tmp/%ld", taken);
        int file = open(path, O_CREAT | O_WRONLY, 0600);
        if (file < 0 || write(file, data, 4096) < 0) return;
        close(file);
    }
}

/* One watch, one timer. */
static void little(void) {
    timer_t timer;
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(epoll_create1(0), EPOLL_CTL_ADD, 0, &event) == 0) taken++;
    if (timer_create(CLOCK_MONOTONIC, 0, &timer) == 0) taken++;
}

static const struct {
    const char *name;
    void (*take)(void);
} WHAT[] = {{"tables", tables},     {"mappings", mappings}, {"files", files},   {"watches", watches},
            {"sockets", sockets},   {"shared", shared},     {"zero", zero},     {"semaphores", semaphores},
            {"spliced", spliced},   {"thread-files", thread_files},             {"timers", timers},
            {"beside-zombie", beside_zombie},               {"little", little}, {0, 0}};
static void (*take)(void);

static void *answer(void *unused) {
    errno = 0;
    take();
    printf("%ld %s\n", taken, strerror(errno));
    fflush(stdout);
    return unused;
}

static void *answer_alone(void *first) {
    pthread_join(*(pthread_t *)first, 0);
    answer(0);
    pause();
    return 0;
}

int main(int count, char **words) {
    static char line[1000];
    static pthread_t first, second;
    for (int i = 0; WHAT[i].name; i++)
        if (strcmp(WHAT[i].name, words[1]) == 0) take = WHAT[i].take;
    while (fgets(line, sizeof line, stdin)) {
        if (count > 2) {
            first = pthread_self();
            pthread_create(&second, 0, answer_alone, &first);
            pthread_exit(0);
        }
        answer(0);
    }
    return 0;
}
