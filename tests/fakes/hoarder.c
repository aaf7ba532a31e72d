/* A bot that holds as many descriptors as it can on their way between its processes: the kernel counts those by user.
 *
 * It plays the first legal action. When it is greeted it puts descriptors into sockets, and never takes them out.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { AT_ONCE = 250, PAIRS = 40, EACH = 8 };

static int put(int through, int carried) {
    union {
        char bytes[CMSG_SPACE(AT_ONCE * sizeof(int))];
        struct cmsghdr header;
    } room;
    int all[AT_ONCE];
    char byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    memset(&room, 0, sizeof room);
    for (int i = 0; i < AT_ONCE; i++) all[i] = carried;
    room.header.cmsg_level = SOL_SOCKET;
    room.header.cmsg_type = SCM_RIGHTS;
    room.header.cmsg_len = CMSG_LEN(sizeof all);
    memcpy(CMSG_DATA(&room.header), all, sizeof all);
    return sendmsg(through, &message, MSG_DONTWAIT) >= 0;
}

int main(void) {
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        char *legal = strstr(line, "\"legal\":[\"");
        if (strstr(line, "\"type\":\"hello\"")) {
            for (int i = 0, ends[2]; i < PAIRS && !socketpair(AF_UNIX, SOCK_DGRAM, 0, ends); i++)
                for (int j = 0; j < EACH && put(ends[1], ends[0]); j++) {}
        }
        if (legal) {
            char *first = legal + 10;
            *strchr(first, '"') = 0;
            printf("{\"action\":\"%s\"}\n", first);
        } else {
            puts("{\"type\":\"ready\"}");
        }
        fflush(stdout);
    }
    return 0;
}
