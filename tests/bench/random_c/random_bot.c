/* A random legal action, all equally likely, from the game's bot_seed. With an argument: every line comes back as is. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 20];
static uint64_t state;

/* splitmix64; the high half of the product is below `limit`. */
static uint64_t draw(uint64_t limit) {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return (unsigned __int128)z * limit >> 64;
}

/* The text after the name of a field. No action has a quote, a backslash or a bracket in it. */
static char *after(char *line, const char *field) {
    char *found = strstr(line, field);
    return found ? found + strlen(field) : NULL;
}

/* The place behind so many quotes, all of which are there; reads up to 31 bytes more. */
static char *behind(char *at, size_t quotes) {
    for (;; at += 32) {
        unsigned char here = 0;
        for (int byte = 0; byte < 32; byte++) here += at[byte] == '"';
        if (here >= quotes) break;
        quotes -= here;
    }
    while (quotes) quotes -= *at++ == '"';
    return at;
}

static int decide(char *legal, char *out) {
    char *end = strchr(legal, ']');
    unsigned quotes = 1; /* the first stands before `legal` */
    for (const char *at = legal; at < end; at++) quotes += *at == '"';
    legal = behind(legal, 2 * draw(quotes / 2));
    size_t size = (char *)memchr(legal, '"', end - legal) - legal;
    memcpy(out, "{\"action\":\"", 11);
    memcpy(out + 11, legal, size);
    memcpy(out + 11 + size, "\"}\n", 3);
    return (int)size + 14;
}

static int answer(char *line, char *out) {
    char *found;
    if ((found = after(line, "\"type\":\"decide\""))) return decide(after(found, "\"legal\":[\""), out);
    if (strstr(line, "\"type\":\"hello\"")) return sprintf(out, "{\"type\":\"ready\",\"wants\":[\"legal\"]}\n");
    if (!strstr(line, "\"type\":\"start\"")) return 0;
    if ((found = after(line, "\"bot_seed\":\""))) state = strtoull(found, NULL, 16);
    return sprintf(out, "{\"type\":\"ready\"}\n");
}

int main(int count, char **arguments) {
    size_t held = 0;
    ssize_t got;
    (void)arguments;
    while ((got = read(0, buffer + held, sizeof buffer - held - 1)) > 0) {
        char *newline, out[4096];
        held += got;
        if (count > 1) {
            if (write(1, buffer, held) < 0) return 1;
            held = 0;
            continue;
        }
        while ((newline = memchr(buffer, '\n', held))) {
            size_t line = newline + 1 - buffer;
            *newline = 0;
            int length = answer(buffer, out);
            if (length && write(1, out, length) != length) return 1;
            held -= line;
            memmove(buffer, buffer + line, held);
        }
    }
    return 0;
}
