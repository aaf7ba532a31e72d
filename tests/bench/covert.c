/* Two of these, each in a sandbox of its own, try to pass bits by what a sandbox can't close: covert.py measures them.
 *
 *   covert CHANNEL send|receive START SLOT SLOTS
 *
 * From START on (nanoseconds of the monotonic clock) each SLOT of so many nanoseconds carries one bit, or WIDTH bits of
 * pages. The receiver prints what it measured, a number for each bit. `shared` is a file that both may only read. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum { WIDTH = 1024, STRIDE = 16 * 4096, THREADS = 40, PIPES = 1100 };
static char *shared;
static int pagemap;

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

static void send_bit(const char *channel, int bit, int64_t end) {
  if (!strcmp(channel, "futex")) {
    while (bit && now() < end && syscall(SYS_futex, shared, FUTEX_WAKE, 1, NULL, NULL, 0) < 1) {}
  } else if (!strcmp(channel, "load")) {
    while (bit && now() < end) {}
  } else if (!strcmp(channel, "cache")) {
    while (bit && now() < end) *(volatile char *)shared;
  } else if (!strcmp(channel, "inodes")) {
    while (bit && now() < end) inode();
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

/* WIDTH bits at a time: which pages of the file somebody else has mapped too. */
static void send_pages(int64_t end) {
  for (int i = 0; i < WIDTH; i++)
    if (next_bit()) *(volatile char *)(shared + i * STRIDE);
  sleep_until(end - (end - now()) / 4);
  madvise(shared, (size_t)WIDTH * STRIDE, MADV_DONTNEED);
}

static void measure_pages(int64_t begin, int64_t end) {
  uint64_t entry;
  sleep_until(begin + (end - begin) / 2);
  for (int i = 0; i < WIDTH; i++) {
    off_t page = (off_t)((uintptr_t)(shared + i * STRIDE) / 4096);
    *(volatile char *)(shared + i * STRIDE);
    if (pread(pagemap, &entry, 8, page * 8) != 8) exit(3);
    printf("%d\n", !(entry >> 56 & 1));
  }
}

int main(int count, char **words) {
  const char *channel = words[1];
  int sends = !strcmp(words[2], "send");
  int64_t start = atoll(words[3]), slot = atoll(words[4]), slots = atoll(words[5]);
  int file = open("shared", O_RDONLY);
  pagemap = open("/proc/self/pagemap", O_RDONLY);
  shared = mmap(NULL, (size_t)WIDTH * STRIDE, PROT_READ, MAP_PRIVATE, file, 0);
  if (count != 6 || shared == MAP_FAILED) return 1;
  madvise(shared, (size_t)WIDTH * STRIDE, MADV_RANDOM);
  if (strcmp(channel, "pages")) *(volatile char *)shared;
  for (int64_t i = 0; i < slots; i++) {
    int64_t begin = start + i * slot;
    sleep_until(begin);
    if (!strcmp(channel, "pages")) {
      if (sends) send_pages(begin + slot); else measure_pages(begin, begin + slot);
    } else if (sends) {
      send_bit(channel, next_bit(), begin + slot);
    } else {
      printf("%.0f\n", measure(channel, begin, begin + slot));
    }
  }
  return 0;
}
