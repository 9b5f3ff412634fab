/* Plays the moves of many Tris matches over connected sockets and measures latencies.

   - A match is two sockets whose players are already seated; hotloop.py seats them.
   - Each seat is notified of a move by exactly one message that starts with the marker; other messages are skipped.
     With `echo`, only the mover is notified. The next player moves as soon as it is notified.
   - Messages are lines or unmasked WebSocket frames.

   This loop is all that the driver runs while the server is measured, so it must use less CPU than any server. */

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 18, EVENTS = 256, TIMEOUT_MS = 20000 };
enum { DONE = 0, CLOSED = -1, SILENT = -2, BLOCKED = -3, TOO_LONG = -4 };  /* FAILURES in hotloop.py has their texts */

typedef struct {
    int fd;
    int notified;    /* moves of which it was notified */
    uint8_t *buffer; /* start of an incomplete message */
    size_t buffered;
} Seat;

typedef struct {
    int games, framed, echo, epoll;
    const uint8_t *marker;
    size_t marker_size;
    Seat *seats;        /* two for each match */
    double (*sent)[2];  /* send times of the last even and the last odd move of a match */
    uint8_t chunk[BUFFER_BYTES];
    /* state of the current call of loop_play */
    const uint8_t *const *moves;
    const int32_t *sizes;
    int last, paced;
    float *answered, *shown;
    int answers, shows;
    uint64_t out, in;
} Loop;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

Loop *loop_new(int games, const int32_t *sockets, int framed, int echo, const uint8_t *marker, int marker_size) {
    Loop *loop = calloc(1, sizeof *loop);
    loop->games = games, loop->framed = framed, loop->echo = echo;
    loop->marker = marker, loop->marker_size = marker_size;
    loop->seats = calloc(2 * games, sizeof *loop->seats);
    loop->sent = calloc(games, sizeof *loop->sent);
    loop->epoll = epoll_create1(0);
    for (int i = 0; i < 2 * games; i++) {
        struct epoll_event wanted = {.events = EPOLLIN, .data.u32 = i};
        loop->seats[i].fd = sockets[i];
        epoll_ctl(loop->epoll, EPOLL_CTL_ADD, sockets[i], &wanted);
    }
    return loop;
}

void loop_free(Loop *loop) {
    for (int i = 0; i < 2 * loop->games; i++) free(loop->seats[i].buffer);
    close(loop->epoll);
    free(loop->seats), free(loop->sent), free(loop);
}

static int move(Loop *loop, int game, int turn) {
    int at = game * loop->last + turn, size = loop->sizes[at];
    loop->sent[game][turn % 2] = now();
    if (write(loop->seats[2 * game + turn % 2].fd, loop->moves[at], size) != size) return BLOCKED;
    loop->out += size;
    return DONE;
}

/* Record that a seat was notified of a move, and make the next move. */
static int notified(Loop *loop, int number) {
    Seat *seat = &loop->seats[number];
    int game = number / 2, turn = loop->echo ? 2 * seat->notified + number % 2 : seat->notified;
    double spent = now() - loop->sent[game][turn % 2];
    seat->notified++;
    if (turn % 2 == number % 2) {
        loop->answered[loop->answers++] = spent;
        if (!loop->echo) return DONE;
    } else {
        loop->shown[loop->shows++] = spent;
    }
    return loop->paced || turn + 1 >= loop->last ? DONE : move(loop, game, turn + 1);
}

static int message(Loop *loop, int number, const uint8_t *data, size_t size) {
    if (size < loop->marker_size || memcmp(data, loop->marker, loop->marker_size)) return DONE;
    return notified(loop, number);
}

/* Handle the complete messages at the start of the data. Returns their size, or an error below 0. */
static long split(Loop *loop, int number, const uint8_t *data, size_t size) {
    size_t start = 0;
    int failed;
    while (start < size) {
        size_t at = start, length;
        if (!loop->framed) {
            const uint8_t *end = memchr(data + start, '\n', size - start);
            if (!end) break;
            length = end - (data + start);
            if ((failed = message(loop, number, data + at, length))) return failed;
            start = at + length + 1;
            continue;
        }
        if (size - start < 2) break;
        length = data[start + 1] & 127, at += 2;
        for (int wide = length == 127 ? 8 : length == 126 ? 2 : 0; wide; ) {
            if (size - at < (size_t)wide) goto out;
            for (length = 0; wide; wide--) length = length << 8 | data[at++];
        }
        if (size - at < length) break;
        if ((data[start] & 15) == 8) return CLOSED;
        if ((failed = message(loop, number, data + at, length))) return failed;
        start = at + length;
    }
out:
    return start;
}

static int readable(Loop *loop, int number) {
    Seat *seat = &loop->seats[number];
    if (seat->buffered) memcpy(loop->chunk, seat->buffer, seat->buffered);
    ssize_t got = read(seat->fd, loop->chunk + seat->buffered, BUFFER_BYTES - seat->buffered);
    if (got < 0 && errno == EAGAIN) return DONE;
    if (got <= 0) {
        if (seat->notified < loop->last) return CLOSED;
        epoll_ctl(loop->epoll, EPOLL_CTL_DEL, seat->fd, NULL); /* the match is over: servers may close it now */
        return DONE;
    }
    loop->in += got;
    size_t size = seat->buffered + got;
    long used = split(loop, number, loop->chunk, size);
    if (used < 0) return used;
    seat->buffered = size - used;
    if (seat->buffered == BUFFER_BYTES) return TOO_LONG;
    if (seat->buffered) {
        seat->buffer = realloc(seat->buffer, seat->buffered);
        memcpy(seat->buffer, loop->chunk + used, seat->buffered);
    }
    return DONE;
}

/* Play turns `first` to `last - 1` of all matches; `moves` has `last` entries for each. With a pace, each match makes
   one move in that many seconds, and the matches are spread evenly over that time. Every notification is timed.
   Returns DONE or an error below 0. */
int loop_play(Loop *loop, int first, int last, const uint8_t *const *moves, const int32_t *sizes, double pace,
              float *answered, float *shown, uint64_t *bytes) {
    struct epoll_event events[EVENTS];
    int failed, each = loop->echo ? 1 : 2, wanted = loop->games * (last - first) * each;
    int next = 0, all = loop->games * (last - first);
    loop->last = last, loop->paced = pace > 0;
    loop->moves = moves, loop->sizes = sizes, loop->answered = answered, loop->shown = shown;
    loop->answers = loop->shows = 0, loop->out = loop->in = 0;
    double start = now();
    if (!loop->paced)
        for (int game = 0; game < loop->games; game++)
            if ((failed = move(loop, game, first))) return failed;
    while (loop->answers + loop->shows < wanted) {
        int wait = TIMEOUT_MS;
        while (loop->paced && next < all) {
            int game = next % loop->games, turn = first + next / loop->games;
            double due = start + next * pace / loop->games - now();
            if (due > 0) {
                wait = 1 + due * 1000;
                break;
            }
            if (loop->seats[2 * game + turn % 2].notified < turn) break; /* behind schedule: wait for it */
            if ((failed = move(loop, game, turn))) return failed;
            next++;
        }
        int count = epoll_wait(loop->epoll, events, EVENTS, wait);
        if (count == 0 && wait == TIMEOUT_MS) return SILENT;
        for (int i = 0; i < count; i++)
            if ((failed = readable(loop, events[i].data.u32))) return failed;
    }
    bytes[0] = loop->out, bytes[1] = loop->in;
    return DONE;
}
