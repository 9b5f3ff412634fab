/* Engine for Forza Quattro in C, in text mode: alpha-beta on bitboards.
 * Build it with `cc -O2 -o forza_text forza_text.c`, run it with `boardwire bot forza ... --text --engine './forza_text'`;
 * docs/engines.md, section 6, describes the lines. */

#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLUMNS = 7, ROWS = 6, WON = 1000 };
static const int ORDER[COLUMNS] = {3, 2, 4, 1, 5, 0, 6}; /* middle columns first, for more alpha-beta cutoffs */

static uint64_t own, all;   /* seven bits per column, from the bottom up; the seventh stays empty */
static long nodes, budget;
static double deadline;
static int stopped;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static int wins(uint64_t discs) {
    static const int STEPS[] = {1, ROWS + 1, ROWS, ROWS + 2};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = discs & discs >> STEPS[i];
        if (pairs & pairs >> 2 * STEPS[i]) return 1;
    }
    return 0;
}

static uint64_t drop(uint64_t taken, int column) { /* the lowest free cell, or 0 */
    uint64_t bottom = (uint64_t)1 << column * (ROWS + 1);
    return (taken + bottom) & ~taken & ((bottom << ROWS) - bottom);
}

/* Return the value for the side to move, which has the discs `mine`: from -WON to WON. */
static int search(uint64_t mine, uint64_t taken, int depth, int low, int high) {
    if (++nodes > budget || ((nodes & 1023) == 0 && now() > deadline)) stopped = 1;
    if (stopped || depth == 0) return 0;
    int most = -WON - 1;
    for (int i = 0; i < COLUMNS; i++) {
        uint64_t disc = drop(taken, ORDER[i]);
        if (!disc) continue;
        int worth = wins(mine | disc) ? WON - 42 + depth
                                      : -search(taken ^ mine, taken | disc, depth - 1, -high, -(most > low ? most : low));
        if (worth > most) most = worth;
        if (most >= high) break;
    }
    return most < -WON ? 0 : most; /* no column is free: a draw */
}

static void read_position(const char *text) {
    own = all = 0;
    char mover = 'x';
    const char *blank = strchr(text, ' ');
    if (blank) mover = blank[1];
    for (int row = ROWS - 1; row >= 0; row--, text++) { /* the eighth character of a row is a slash or a blank */
        for (int column = 0; column < COLUMNS; column++, text++) {
            if (*text == '\0') return;
            if (*text == '.') continue;
            uint64_t bit = (uint64_t)1 << (column * (ROWS + 1) + row);
            all |= bit;
            if (*text == mover) own |= bit;
        }
    }
}

static long number_after(const char *line, const char *word, long otherwise) {
    const char *found = strstr(line, word);
    return found ? atol(found + strlen(word)) : otherwise;
}

static void go(const char *line) {
    long milliseconds = number_after(line, "movetime ", 2000), left = number_after(line, " time ", 0);
    if (left && left / 10 < milliseconds) milliseconds = left / 10;
    deadline = now() + milliseconds * 0.8 / 1000; /* the rest is for the transmission of request and answer */
    budget = number_after(line, "nodes ", 1000000000L);
    nodes = stopped = 0;
    int best = -1, value = 0;
    for (int i = 0; i < COLUMNS && best < 0; i++) {
        if (drop(all, ORDER[i])) best = ORDER[i];
    }
    for (int depth = 0; depth < 42 && !stopped && abs(value) < WON / 2; depth++) {
        int found = best, most = -WON - 1;
        for (int i = 0; i < COLUMNS && !stopped; i++) {
            uint64_t disc = drop(all, ORDER[i]);
            if (!disc) continue;
            int worth = wins(own | disc) ? WON : -search(all ^ own, all | disc, depth, -WON - 1, -most);
            if (!stopped && worth > most) {
                most = worth;
                found = ORDER[i];
            }
        }
        if (stopped) break; /* play the best column of the last complete depth */
        best = found;
        value = most;
        printf("info depth %d nodes %ld value %.3f pv %d\n", depth + 1, nodes, value / (double)(WON + 1), best + 1);
    }
    printf("bestmove %d\n", best + 1);
}

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (!strcmp(line, "uci")) printf("id name forza-c\nid author boardwire\nuciok\n");
        else if (!strcmp(line, "isready")) printf("readyok\n");
        else if (!strncmp(line, "position ", 9)) read_position(line + 9);
        else if (!strncmp(line, "go", 2)) go(line);
        else if (!strcmp(line, "quit")) break;
        fflush(stdout);
    }
    return 0;
}
