/* A bot that takes back what it wrote: it opens the pipes that it writes to for reading, as /proc/self/fd allows.
 *
 * thief.c N: it plays the first legal action, and has threads write bytes to descriptor N (1 or 2) and read them back,
 * again and again. A referee that has seen the byte and then reads would wait for it without an end.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int target;
static volatile int busy = 1;

static void *put(void *unused) {
    for (;;) {
        if (busy) write(target, "\n", 1);
        else usleep(100);
    }
    return unused;
}

static void *take(void *unused) {
    char path[32], bytes[4096];
    snprintf(path, sizeof path, "/proc/self/fd/%d", target);
    int back = open(path, O_RDONLY);
    for (;;) read(back, bytes, sizeof bytes);
    return unused;
}

int main(int count, char **words) {
    static char line[1 << 20];
    pthread_t thread;
    target = count > 1 ? atoi(words[1]) : 2;
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[\"");
        if (strstr(line, "\"type\":\"decide\"") && legal) {
            static int asked;
            if (++asked == 2) {
                pthread_create(&thread, NULL, take, NULL);
                pthread_create(&thread, NULL, put, NULL);
            }
            if (target == 1 && asked >= 2) { /* it only steals, and never answers again */
                usleep(100000);
                busy = 0;
                for (;;) pause();
            }
            if (asked >= 2) { /* the referee looks at what there is, and then nothing more comes */
                busy = 1;
                usleep(1000);
                busy = 0;
                usleep(1000);
            }
            char *first = legal + 10;
            *strchr(first, '"') = 0;
            printf("{\"action\":\"%s\"}\n", first);
        } else if (strstr(line, "\"type\":\"quit\"")) {
            return 0;
        } else if (!strstr(line, "\"type\":\"end\"")) {
            printf("{\"type\":\"ready\",\"wants\":[\"legal\"]}\n");
        }
        fflush(stdout);
    }
    return 0;
}
