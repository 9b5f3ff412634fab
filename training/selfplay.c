/* Self-play of Santorini without powers: samples for learning, and matches that compare two players.
 *
 * Matches begin with workers on random squares except the corners, and a few random turns that do not lose at once.
 * In a comparison every start is played twice, with sides changed. All luck comes from the seed.
 */

#include <stdio.h>
#include <time.h>

#include "mortal.c"

#define MAX_SAMPLES 400
#define SAMPLE_OPENING 8     /* random turns before samples, at most */
#define COMPARED_OPENING 5   /* random turns before a comparison, at most */
#define RANDOM_TURN_PERCENT 5 /* turns of samples that are random, so that matches differ */

typedef struct {
    uint32_t b1, b2, b3, domes;
    uint8_t w[4];
    int16_t value;  /* of the search, for the side to move */
    int8_t result;  /* 1: the side to move won, -1: it lost */
    uint8_t blocks;
} Sample;

static uint64_t luck;

static uint64_t draw(void) {
    luck ^= luck << 13, luck ^= luck >> 7, luck ^= luck << 17;
    return luck * 0x2545F4914F6CDD1Dull >> 16;
}

static void sow(uint64_t seed) {
    luck = seed * 0x9E3779B97F4A7C15ull + 1;
    for (int n = 0; n < 10; n++) draw();
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

/* Write all turns in random order; those that win at once have `won`. */
static int all_turns(const State *s, State *to) {
    int n = 0;
    for (int worker = 0; worker < 2; worker++) {
        int from = worker ? s->w1 : s->w0;
        uint32_t open = winning(s, from, from);
        for (; open; open &= open - 1) {
            to[n] = *s;
            to[n].code = from << 10 | __builtin_ctz(open) << 5;
            to[n++].won = 1;
        }
    }
    n += generate(s, to + n, 0, 0);
    for (int last = n - 1; last > 0; last--) {
        int other = draw() % (last + 1);
        State kept = to[last];
        to[last] = to[other], to[other] = kept;
    }
    return n;
}

static int is_quiet(const State *s) { return !wins(s) && !threats(s) && !is_stuck(s); }

static State opening(int most) {
    for (;;) {
        State s = {0}, found[MAX_TURNS];
        uint8_t at[4];
        for (int n = 0; n < 4; n++) {
            int taken = 1;
            while (taken) {
                at[n] = draw() % SQUARES;
                taken = at[n] == 0 || at[n] == 4 || at[n] == 20 || at[n] == 24;
                for (int other = 0; other < n; other++) taken |= at[other] == at[n];
            }
        }
        s.w0 = at[0], s.w1 = at[1], s.w2 = at[2], s.w3 = at[3];
        int left = draw() % (most + 1);
        for (; left > 0; left--) {
            int count = all_turns(&s, found), safe = 0;
            for (int n = 0; n < count; n++)
                if (!found[n].won && !wins(&found[n])) found[safe++] = found[n];
            if (!safe) break;
            s = found[draw() % safe];
        }
        if (left == 0 && is_quiet(&s)) return s;
    }
}

static Search *player(const unsigned char *weights, int bits) {
    Search *q = search_new(bits);
    if (q && weights && !search_use(q, weights, NET_BYTES)) {
        search_free(q);
        return NULL;
    }
    return q;
}

/* Play matches for `seconds` of processor time and append their samples to a file; return their number, or -1. */
long play_samples(const unsigned char *weights, int nodes, double seconds, uint64_t seed, const char *path) {
    static Sample samples[MAX_SAMPLES];
    static int sides[MAX_SAMPLES];
    Search *q = player(weights, 15);
    FILE *file = fopen(path, "ab");
    long total = 0;
    if (!q || !file) return -1;
    sow(seed);
    for (double until = processor_seconds() + seconds; processor_seconds() < until;) {
        State s = opening(SAMPLE_OPENING), roots[MAX_TURNS];
        int side = 0, winner, count = 0, known[MAX_TURNS];
        for (;;) {
            int n = all_turns(&s, roots);
            winner = 1 - side;
            if (!n) break;
            int best = think(q, roots, n, side, nodes / 2 + draw() % nodes, MAX_PLIES - 2, known), value = known[best];
            if (value > PROVED || value < -PROVED) {
                winner = value > 0 ? side : 1 - side;
                break;
            }
            if (is_quiet(&s) && count < MAX_SAMPLES) {
                samples[count] = (Sample){s.b1, s.b2, s.b3, s.domes, {s.w0, s.w1, s.w2, s.w3}, value, 0, s.blocks};
                sides[count++] = side;
            }
            if (draw() % 100 < RANDOM_TURN_PERCENT) {
                int safe[MAX_TURNS], choices = 0;
                for (int k = 0; k < n; k++)
                    if (!wins(&roots[k])) safe[choices++] = k;
                if (choices) best = safe[draw() % choices];
            }
            s = roots[best];
            side = 1 - side;
        }
        for (int n = 0; n < count; n++) samples[n].result = sides[n] == winner ? 1 : -1;
        if (fwrite(samples, sizeof(Sample), count, file) != (size_t)count) total = -1;
        if (total < 0) break;
        total += count;
    }
    search_free(q);
    return fclose(file) ? -1 : total;
}

static double turn_ends;

static int is_late(void *nothing) { return processor_seconds() > turn_ends; }

/* Play pairs of matches; `pairs` counts those in which the first player won none, one or both. A turn has `nodes`, or
 * `seconds` of processor time if they are positive. Return 0, or -1 if a player's weights are invalid. */
int play_pairs(const unsigned char *one, const unsigned char *other, int64_t nodes, double seconds, int count,
               uint64_t seed, int *pairs) {
    Search *players[2] = {player(one, 18), player(other, 18)};
    int failed = !players[0] || !players[1];
    sow(seed);
    for (int pair = 0; pair < count && !failed; pair++) {
        State start = opening(COMPARED_OPENING), roots[MAX_TURNS];
        int won = 0, known[MAX_TURNS];
        for (int first = 0; first < 2; first++) {
            State s = start;
            for (int side = first;; side = 1 - side) {
                int n = all_turns(&s, roots);
                if (!n) {
                    won += side == 1;
                    break;
                }
                Search *q = players[side];
                q->stop = seconds > 0 ? is_late : NULL;
                turn_ends = processor_seconds() + seconds;
                s = roots[think(q, roots, n, side, seconds > 0 ? INT64_MAX : nodes, MAX_PLIES - 2, known)];
                if (s.won) {
                    won += side == 0;
                    break;
                }
            }
        }
        pairs[won]++;
    }
    search_free(players[0]);
    search_free(players[1]);
    return failed ? -1 : 0;
}
