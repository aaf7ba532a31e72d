/* Two of these, each in a sandbox of its own, try to pass bits by what a sandbox can't close: covert.py measures them.
 *
 *   covert CHANNEL send|receive START SLOT SLOTS NUMBER
 *
 * From START on (nanoseconds of the monotonic clock) each SLOT of so many nanoseconds carries one bit, WIDTH bits of
 * pages and names, or a number. The receiver prints what it measured, a number for each bit. `shared` is a file that both
 * may only read. What pages, names and numbers carry stays in the kernel when the sender has ended. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum { WIDTH = 1024, PAGE = 4096, SLOTS_MAX = 20, THREADS = 40, PIPES = 1100, BATCH = 1024, SPREAD = 4, NUMBERS = 256 };
enum { HELD = 100, HOLDERS = 12 };
static char *shared;
static int64_t start;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void sleep_until(int64_t when) {
  struct timespec time = {when / 1000000000LL, when % 1000000000LL};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static uint64_t noise = 88172645463325252ULL; /* the same bits for both, and for covert.py: xorshift */
static int next_bit(void) {
  noise ^= noise << 13;
  noise ^= noise >> 7;
  noise ^= noise << 17;
  return noise >> 40 & 1;
}

static void *wait_there(void *until) {
  sleep_until(*(int64_t *)until);
  return NULL;
}

static ino_t inode(void) {
  int ends[2];
  struct stat status;
  if (pipe(ends)) exit(2);
  fstat(ends[0], &status);
  close(ends[0]);
  close(ends[1]);
  return status.st_ino;
}

/* Pipes of this user beyond an allowance are small: hold many of them in several processes. */
static void hold_pipes(int64_t end) {
  pid_t holders[HOLDERS];
  for (int i = 0; i < HOLDERS; i++) {
    if ((holders[i] = fork()) == 0) {
      int ends[2];
      for (int j = 0; j < HELD; j++)
        if (pipe(ends)) break;
      sleep_until(end - 2000000);
      _exit(0);
    }
  }
  for (int i = 0; i < HOLDERS; i++) waitpid(holders[i], NULL, 0);
}

static int pipe_size(void) {
  int ends[2];
  if (pipe(ends)) exit(2);
  int size = fcntl(ends[1], F_GETPIPE_SZ);
  close(ends[0]);
  close(ends[1]);
  return size;
}

static void send_bit(const char *channel, int bit, int64_t end) {
  if (!strcmp(channel, "futex")) {
    while (bit && now() < end && syscall(SYS_futex, shared, FUTEX_WAKE, 1, NULL, NULL, 0) < 1) {}
  } else if (!strcmp(channel, "load")) {
    while (bit && now() < end) {}
  } else if (!strcmp(channel, "cache")) {
    while (bit && now() < end) *(volatile char *)shared;
  } else if (!strcmp(channel, "inodes")) {
    while (bit && now() < end) inode();
  } else if (!strcmp(channel, "pipes") && bit) {
    hold_pipes(end);
  } else if (!strcmp(channel, "threads") && bit) {
    pthread_t all[THREADS];
    int64_t until = end - 1000000;
    for (int i = 0; i < THREADS; i++) pthread_create(&all[i], NULL, wait_there, &until);
    for (int i = 0; i < THREADS; i++) pthread_join(all[i], NULL);
  }
}

static double measure(const char *channel, int64_t begin, int64_t end) {
  int64_t slot = end - begin;
  if (!strcmp(channel, "futex")) {
    struct timespec left = {0, end - slot / 8 - now()};
    if (left.tv_nsec < 1) return 0;
    return syscall(SYS_futex, shared, FUTEX_WAIT, *(volatile int *)shared, &left, NULL, 0) == 0;
  }
  if (!strcmp(channel, "threads")) {
    struct sysinfo info;
    sleep_until(begin + slot / 2);
    sysinfo(&info);
    return info.procs;
  }
  if (!strcmp(channel, "pipes")) {
    sleep_until(begin + slot * 3 / 4);
    return pipe_size();
  }
  if (!strcmp(channel, "inodes")) {
    ino_t first = inode(), last = first;
    sleep_until(end - slot / 4);
    for (int i = 0; i < PIPES; i++) last = inode();
    return last - first;
  }
  double count = 0, tries = 0;
  while (now() < end) {
#if defined(__x86_64__)
    if (!strcmp(channel, "cache")) {
      unsigned unused;
      _mm_clflush(shared);
      _mm_mfence();
      for (volatile int i = 0; i < 100; i++) {}
      uint64_t before = __rdtscp(&unused);
      *(volatile char *)shared;
      uint64_t took = __rdtscp(&unused) - before;
      count += took < 1000 ? took : 0;
      tries += took < 1000;
      continue;
    }
#endif
    count++;
  }
  return tries ? -count / tries : count;
}

/* WIDTH bits at a time: which pages of a file are in the page cache, and which absent names the kernel remembers. */
static void touch(int64_t index) { *(volatile char *)(shared + index * PAGE); }

static void look_up(int64_t index) {
  char name[64];
  struct stat status;
  snprintf(name, sizeof name, "/usr/bin/absent-%lld-%lld", (long long)start, (long long)index);
  stat(name, &status);
}

static void send_wide(int is_page, int64_t first) {
  for (int i = 0; i < WIDTH; i++)
    if (next_bit()) (is_page ? touch : look_up)(first + i);
}

static void measure_wide(int is_page, int64_t first) {
  struct rusage before, after;
  for (int i = 0; i < WIDTH; i++) {
    getrusage(RUSAGE_SELF, &before);
    int64_t began = now();
    (is_page ? touch : look_up)(first + i);
    int64_t took = now() - began;
    getrusage(RUSAGE_SELF, &after);
    printf("%lld\n", is_page ? before.ru_majflt - after.ru_majflt : (long long)-took);
  }
}

/* A number in the inode counter of the machine, which every core takes in batches: go on until it says so. */
static void send_number(int number) {
  while (inode() / BATCH / SPREAD % NUMBERS != (ino_t)number) {}
}

int main(int count, char **words) {
  const char *channel = words[1];
  int sends = !strcmp(words[2], "send"), is_page = !strcmp(channel, "pages");
  int64_t slot = atoll(words[4]), slots = atoll(words[5]);
  int file = open("shared", O_RDONLY);
  start = atoll(words[3]);
  shared = mmap(NULL, (size_t)WIDTH * SLOTS_MAX * PAGE, PROT_READ, MAP_PRIVATE, file, 0);
  if (count != 7 || shared == MAP_FAILED) return 1;
  madvise(shared, (size_t)WIDTH * SLOTS_MAX * PAGE, MADV_RANDOM);
  if (!strcmp(channel, "number")) {
    if (sends) send_number(atoi(words[6])); else printf("%d\n", (int)(inode() / BATCH / SPREAD % NUMBERS));
    return 0;
  }
  if (!is_page) touch(0);
  for (int64_t i = 0; i < slots; i++) {
    int64_t begin = start + i * slot;
    sleep_until(begin);
    if (is_page || !strcmp(channel, "names")) {
      if (sends) {
        send_wide(is_page, i * WIDTH);
      } else {
        sleep_until(begin + slot / 2);
        measure_wide(is_page, i * WIDTH);
      }
    } else if (sends) {
      send_bit(channel, next_bit(), begin + slot);
    } else {
      printf("%.0f\n", measure(channel, begin, begin + slot));
    }
  }
  return 0;
}
