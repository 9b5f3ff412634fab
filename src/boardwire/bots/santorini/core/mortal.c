/* The search without powers in C, with the same results as `search.py` and `net.py` at the same number of nodes.
 *
 * - It is an optional twin: where it cannot be compiled, the Python sources do the same work more slowly. Change both;
 *   `tests/bots/santorini/test_native.py` compares them node by node.
 * - Turns are generated in the order of `turns.mortal_turns`, ranked alike, and the table replaces entries alike.
 * - The evaluation after a turn is computed from the sums before it without storing new ones (`judge_after`): most nodes
 *   are leaves. Sums are stored only for states that are searched further.
 * - It uses no Python: `native.c` is the module around it, `training/selfplay.c` plays with it.
 */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if !defined(__GNUC__)
#error "mortal.c needs GCC or Clang; without them the Python sources are used"
#endif

/* Loops over the hidden layer are compiled for AVX2, too, where the loader can choose. */
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__AVX2__)
#define WIDE __attribute__((target_clones("avx2", "default")))
#else
#define WIDE
#endif

#define SQUARES 25
#define CONTENTS 13
#define INPUTS (SQUARES * CONTENTS)
#define HIDDEN 256
#define BUCKETS 8
#define BUCKET_BLOCKS 4
#define FULL 255
#define MAX_OUTPUT_WEIGHT 127 /* times 255 it fits 16 bits */
#define MAX_OUTPUT_TOTAL 33000 /* of a bucket's weights without sign: times 255 * 255 it stays below 2**31 */
#define VALUE_FACTOR 605
#define VALUE_SHIFT 24
#define NET_BYTES (2 * (INPUTS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN) + 4 * BUCKETS)

#define WIN 30000
#define PROVED 29000
#define MAX_PLIES 60
#define MAX_TURNS 136
#define STOP_CHECK_MASK 255
#define ASPIRATION 35
#define SURPLUS 25
#define SURPLUS_DEPTH 6
#define HISTORY_LIMIT_BITS 12
#define MAX_BONUS 1600
#define KILLER_RANK 500
#define FIRST_RANK 1000000
#define REDUCTION_DEPTHS 64
#define CODES 32768

enum { EXACT, AT_LEAST, AT_MOST };

typedef struct {
    uint32_t b1, b2, b3, domes;
    uint8_t w0, w1, w2, w3;
    uint16_t code;
    uint8_t blocks; /* on the board, domes included */
    int8_t won;
    int32_t rank;
} State;

typedef struct {
    int16_t rows[INPUTS][HIDDEN];
    int16_t bias[HIDDEN];
    int16_t out[BUCKETS][2][HIDDEN]; /* the mover's point of view, the other's */
    int32_t base[BUCKETS];
    int16_t leave[2][SQUARES][4][HIDDEN]; /* difference when an own or a foe's worker leaves a square, by height */
    int16_t build[SQUARES][4][HIDDEN];    /* difference when a block is built */
} Net;

typedef struct {
    int16_t side[2][HIDDEN];
} Sums;

typedef struct {
    uint64_t key;
    int16_t value;
    uint16_t code;
    uint32_t age;
    int8_t depth;
    uint8_t bound;
    uint8_t way;
} Entry;

typedef struct {
    Net *net;
    Entry *table;
    uint64_t mask;
    uint32_t age;
    int64_t nodes, limit;
    int depth;
    int (*stop)(void *);
    void *stop_data;
    int stopped;
    int side; /* of the states at even plies */
    int twins, way_count, way, ways[8];
    uint16_t killers[2 * MAX_PLIES + 8];
    int32_t history[2][CODES];
    int reductions[REDUCTION_DEPTHS][MAX_TURNS];
    State pools[MAX_PLIES + 4][MAX_TURNS];
    Sums sums[MAX_PLIES + 4];
} Search;

static uint32_t NEAR[SQUARES];
static uint8_t SEEN[8][SQUARES];
static uint32_t SEEN_ROWS[8][5][32];

static void prepare(void) {
    for (int one = 0; one < SQUARES; one++) {
        NEAR[one] = 0;
        for (int other = 0; other < SQUARES; other++)
            if (other != one && abs(one / 5 - other / 5) <= 1 && abs(one % 5 - other % 5) <= 1) NEAR[one] |= 1u << other;
    }
    for (int way = 0; way < 8; way++) {
        for (int square = 0; square < SQUARES; square++) {
            int row = square / 5, column = square % 5;
            for (int n = 0; n < way % 4; n++) {
                int before = row;
                row = column, column = 4 - before;
            }
            SEEN[way][square] = row * 5 + (way >= 4 ? 4 - column : column);
        }
        for (int row = 0; row < 5; row++)
            for (int set = 0; set < 32; set++) {
                SEEN_ROWS[way][row][set] = 0;
                for (int at = 0; at < 5; at++)
                    if (set >> at & 1) SEEN_ROWS[way][row][set] |= 1u << SEEN[way][row * 5 + at];
            }
    }
}

/* States */

static inline int count(uint32_t set) { return __builtin_popcount(set); }

static inline int level(const State *s, int at) { return (s->b1 >> at & 1) + (s->b2 >> at & 1) + (s->b3 >> at & 1); }

static inline uint32_t workers(const State *s) { return 1u << s->w0 | 1u << s->w1 | 1u << s->w2 | 1u << s->w3; }

static inline uint32_t winning(const State *s, int one, int other) {
    uint32_t open = s->b3 & ~(s->domes | workers(s));
    if (!open) return 0;
    uint32_t ready = s->b2 & ~s->b3, found = 0;
    if (ready >> one & 1) found = NEAR[one] & open;
    if (ready >> other & 1) found |= NEAR[other] & open;
    return found;
}

/* The squares where the side to move can win by its next step, and those where the other side could. */
static inline uint32_t wins(const State *s) { return winning(s, s->w0, s->w1); }
static inline uint32_t threats(const State *s) { return winning(s, s->w2, s->w3); }

static int is_stuck(const State *s) {
    uint32_t taken = s->domes | workers(s);
    for (int n = 0; n < 2; n++) {
        int from = n ? s->w1 : s->w0;
        uint32_t high = s->b2 >> from & 1 ? 0 : s->b1 >> from & 1 ? s->b3 : s->b2;
        if (NEAR[from] & ~(taken | high)) return 0;
    }
    return 1;
}

/* Generate the turns that do not win at once, as `turns.mortal_turns` does. */
static int generate(const State *s, State *pool, uint32_t must, int safe) {
    uint32_t b1 = s->b1, b2 = s->b2, b3 = s->b3, domes = s->domes;
    uint32_t taken = domes | workers(s), gifts = 0;
    int w2 = s->w2, w3 = s->w3, n = 0;
    if (safe) {
        uint32_t ready = b2 & ~b3;
        if (ready >> w2 & 1) gifts = NEAR[w2];
        if (ready >> w3 & 1) gifts |= NEAR[w3];
        gifts &= ready;
    }
    for (int worker = 0; worker < 2; worker++) {
        int from = worker ? s->w1 : s->w0, mate = worker ? s->w0 : s->w1, low = level(s, from);
        uint32_t bit = 1u << from, high = b2 & bit ? 0 : b1 & bit ? b3 : b2;
        uint32_t reach = NEAR[from] & ~(taken | high);
        if (low == 2) reach &= ~b3;
        for (; reach; reach &= reach - 1) {
            int to = __builtin_ctz(reach);
            uint32_t spots = NEAR[to] & ~((taken ^ bit) | 1u << to);
            if (must && !(must >> to & 1)) spots &= must;
            spots &= ~gifts;
            int gain = level(s, to), rank = 64 * (gain - low) + 16 * gain;
            if (NEAR[to] >> w2 & 1 && NEAR[to] >> w3 & 1) rank += 4;
            for (; spots; spots &= spots - 1) {
                int at = __builtin_ctz(spots);
                uint32_t build = 1u << at;
                State *t = &pool[n++];
                t->w0 = w2, t->w1 = w3;
                t->w2 = worker ? mate : to, t->w3 = worker ? to : mate;
                t->b1 = b1, t->b2 = b2, t->b3 = b3, t->domes = domes;
                if (b3 & build) t->domes |= build, t->rank = rank - 8;
                else if (b2 & build) t->b3 |= build, t->rank = rank + (gain == 2 ? 24 : 4);
                else if (b1 & build) t->b2 |= build, t->rank = rank + (gain >= 1 ? 12 : 0);
                else t->b1 |= build, t->rank = rank + 2;
                t->code = from << 10 | to << 5 | at;
                t->blocks = s->blocks + 1;
                t->won = 0;
            }
        }
    }
    return n;
}

/* Evaluation without a net (`evaluation.worth`) */

static const int CENTRE[SQUARES] = {0, 4, 6, 4, 0, 4, 12, 15, 12, 4, 6, 15, 20, 15, 6, 4, 12, 15, 12, 4, 0, 4, 6, 4, 0};

static int standing(const State *s, int at, uint32_t closed) {
    uint32_t near = NEAR[at] & ~closed, bit = 1u << at;
    if (s->b3 & bit) return 70 + 5 * count(near) + CENTRE[at];
    if (s->b2 & bit) return 110 + 40 * count(near & s->b3) + 14 * count(near & s->b2) + 5 * count(near) + CENTRE[at];
    if (s->b1 & bit) {
        near &= ~s->b3;
        return 45 + 30 * count(near & s->b2) + 4 * count(near & s->b1) + 5 * count(near) + CENTRE[at];
    }
    near &= ~s->b2;
    return 14 * count(near & s->b1) + 5 * count(near) + CENTRE[at];
}

static int worth(const State *s) {
    uint32_t closed = s->domes | workers(s);
    return standing(s, s->w0, closed) + standing(s, s->w1, closed) - standing(s, s->w2, closed) -
           standing(s, s->w3, closed) + 20;
}

/* The net (`net.py`) */

static int content(const State *s, int at, uint32_t own, uint32_t foe) {
    if (s->domes >> at & 1) return 4;
    return level(s, at) + (own >> at & 1 ? 5 : foe >> at & 1 ? 9 : 0);
}

WIDE static void begin_sums(const Net *net, const State *s, Sums *to) {
    uint32_t one = 1u << s->w0 | 1u << s->w1, other = 1u << s->w2 | 1u << s->w3;
    for (int k = 0; k < 2; k++) {
        memcpy(to->side[k], net->bias, sizeof net->bias);
        for (int at = 0; at < SQUARES; at++) {
            const int16_t *row = net->rows[at * CONTENTS + content(s, at, k ? other : one, k ? one : other)];
            for (int i = 0; i < HIDDEN; i++) to->side[k][i] += row[i];
        }
    }
}

WIDE static void follow_sums(const Net *net, const Sums *old, const State *before, int code, Sums *to) {
    int from = code >> 10, dest = code >> 5 & 31, at = code & 31;
    const int16_t *restrict built = net->build[at][level(before, at)];
    for (int k = 0; k < 2; k++) {
        const int16_t *restrict sums = old->side[k];
        const int16_t *restrict left = net->leave[k][from][level(before, from)];
        const int16_t *restrict entered = net->leave[k][dest][level(before, dest)];
        int16_t *restrict made = to->side[1 - k];
        for (int i = 0; i < HIDDEN; i++) made[i] = sums[i] + left[i] - entered[i] + built[i];
    }
}

static inline int bucket_of(const State *s) {
    return s->blocks < BUCKETS * BUCKET_BLOCKS ? s->blocks / BUCKET_BLOCKS : BUCKETS - 1;
}

static inline int value_of(const Net *net, int32_t sum, int bucket) {
    return (int)(((int64_t)sum + net->base[bucket]) * VALUE_FACTOR >> VALUE_SHIFT);
}

static inline int16_t clipped(int16_t value) { return value < 0 ? 0 : value > FULL ? FULL : value; }

WIDE static int judge(const Net *net, const Sums *sums, int bucket) {
    int32_t sum = 0;
    for (int k = 0; k < 2; k++) {
        const int16_t *restrict from = sums->side[k], *restrict weights = net->out[bucket][k];
        for (int i = 0; i < HIDDEN; i++) {
            int16_t value = clipped(from[i]);
            sum += (int32_t)(int16_t)(value * weights[i]) * value;
        }
    }
    return value_of(net, sum, bucket);
}

/* Return the value after a turn, for the side to move then. */
WIDE static int judge_after(const Net *net, const Sums *old, const State *before, int code, int bucket) {
    int from = code >> 10, dest = code >> 5 & 31, at = code & 31;
    const int16_t *restrict built = net->build[at][level(before, at)];
    int32_t sum = 0;
    for (int k = 0; k < 2; k++) {
        const int16_t *restrict sums = old->side[k];
        const int16_t *restrict left = net->leave[k][from][level(before, from)];
        const int16_t *restrict entered = net->leave[k][dest][level(before, dest)];
        const int16_t *restrict weights = net->out[bucket][1 - k];
        for (int i = 0; i < HIDDEN; i++) {
            int16_t value = clipped(sums[i] + left[i] - entered[i] + built[i]);
            sum += (int32_t)(int16_t)(value * weights[i]) * value;
        }
    }
    return value_of(net, sum, bucket);
}

static int16_t read_short(const unsigned char *at) { return (int16_t)(at[0] | at[1] << 8); }

/* Read weights in the format of `net.NET_BYTES`; return whether they are valid. */
static int net_read(Net *net, const unsigned char *data, size_t size) {
    if (size != NET_BYTES) return 0;
    int16_t *shorts = (int16_t *)net->rows;
    for (size_t n = 0; n < (NET_BYTES - sizeof net->base) / 2; n++, data += 2) {
        int16_t *to = n < INPUTS * HIDDEN               ? &shorts[n]
                      : n < INPUTS * HIDDEN + HIDDEN    ? &net->bias[n - INPUTS * HIDDEN]
                                                        : &((int16_t *)net->out)[n - INPUTS * HIDDEN - HIDDEN];
        *to = read_short(data);
        if (n >= INPUTS * HIDDEN + HIDDEN && abs(*to) > MAX_OUTPUT_WEIGHT) return 0;
    }
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        int total = 0;
        for (int n = 0; n < 2 * HIDDEN; n++) total += abs(net->out[bucket][n / HIDDEN][n % HIDDEN]);
        if (total > MAX_OUTPUT_TOTAL) return 0;
    }
    for (int n = 0; n < BUCKETS; n++, data += 4)
        net->base[n] = (int32_t)(data[0] | data[1] << 8 | data[2] << 16 | (uint32_t)data[3] << 24);
    for (int at = 0; at < SQUARES; at++)
        for (int height = 0; height < 4; height++)
            for (int i = 0; i < HIDDEN; i++) {
                int16_t (*row)[HIDDEN] = &net->rows[at * CONTENTS];
                net->leave[0][at][height][i] = row[height][i] - row[5 + height][i];
                net->leave[1][at][height][i] = row[height][i] - row[9 + height][i];
                net->build[at][height][i] = row[height + 1][i] - row[height][i];
            }
    return 1;
}

/* Keys (`state.key`, `symmetry`) */

static uint32_t turned(int way, uint32_t set) {
    return SEEN_ROWS[way][0][set & 31] | SEEN_ROWS[way][1][set >> 5 & 31] | SEEN_ROWS[way][2][set >> 10 & 31] |
           SEEN_ROWS[way][3][set >> 15 & 31] | SEEN_ROWS[way][4][set >> 20 & 31];
}

static uint64_t key_of(const State *s, int way, int side) {
    const uint8_t *seen = SEEN[way];
    uint64_t mine = 1u << seen[s->w0] | 1u << seen[s->w1], theirs = 1u << seen[s->w2] | 1u << seen[s->w3];
    uint64_t b1 = s->b1, b2 = s->b2, b3 = s->b3, domes = s->domes;
    if (way) b1 = turned(way, b1), b2 = turned(way, b2), b3 = turned(way, b3), domes = turned(way, domes);
    uint64_t mixed = b1 * 0x9E3779B97 ^ b2 * 0xD6E8FEB87 ^ b3 * 0xB87359CA9 ^ domes * 0xE5667B19D ^
                     mine * 0xC2B2AE3D3 ^ theirs * 0xA7D4EB2F7;
    return (mixed ^ mixed >> 29) + (uint64_t)side * 0x2545F491;
}

static uint64_t table_key(Search *q, const State *s, int side) {
    uint64_t key = key_of(s, 0, side);
    q->way = 0;
    for (int n = 0; n < q->way_count; n++) {
        uint64_t other = key_of(s, q->ways[n], side);
        if (other < key) key = other, q->way = q->ways[n];
    }
    return key;
}

static inline Entry *entry_of(Search *q, uint64_t key) { return &q->table[(key ^ key >> 31) & q->mask]; }

/* The search (`search.Search`) */

static int search(Search *q, const State *before, const State *s, int depth, int alpha, int beta, int ply);

static void score(int32_t *place, int bonus) { *place += bonus - (*place * abs(bonus) >> HISTORY_LIMIT_BITS); }

static void refuted(Search *q, int side, const State *pool, int k, int depth, int ply) {
    int bonus = depth * depth * 16, code = pool[k].code;
    if (bonus > MAX_BONUS) bonus = MAX_BONUS;
    score(&q->history[side][code], bonus);
    for (int n = 0; n < k; n++) score(&q->history[side][pool[n].code], -(bonus >> 1));
    if (q->killers[2 * ply] != code) {
        q->killers[2 * ply + 1] = q->killers[2 * ply];
        q->killers[2 * ply] = code;
    }
}

static void select_turn(State *pool, int k, int n) {
    int top = k;
    for (int j = k + 1; j < n; j++)
        if (pool[j].rank > pool[top].rank) top = j;
    if (top != k) {
        State kept = pool[top];
        pool[top] = pool[k];
        pool[k] = kept;
    }
}

static int reply(Search *q, const State *s, const State *t, int k, int depth, int alpha, int beta, int ply) {
    if (k == 0) return -search(q, s, t, depth - 1, -beta, -alpha, ply + 1);
    int less = 0;
    if (depth >= 3) {
        less = q->reductions[depth < REDUCTION_DEPTHS ? depth : REDUCTION_DEPTHS - 1][k];
        if (less > depth - 2) less = depth - 2;
    }
    int value = -search(q, s, t, depth - 1 - less, -alpha - 1, -alpha, ply + 1);
    if (value > alpha && less) value = -search(q, s, t, depth - 1, -alpha - 1, -alpha, ply + 1);
    if (value > alpha && value < beta) value = -search(q, s, t, depth - 1, -beta, -alpha, ply + 1);
    return value;
}

static int loop(Search *q, const State *s, int n, int depth, int alpha, int beta, int ply, uint64_t key, int way, int first) {
    State *pool = q->pools[ply];
    int side = q->side ^ (ply & 1), one = q->killers[2 * ply], other = q->killers[2 * ply + 1];
    for (int k = 0; k < n; k++) {
        State *t = &pool[k];
        if (t->code == first) {
            t->rank = FIRST_RANK;
            continue;
        }
        if (t->code == one || t->code == other) t->rank += KILLER_RANK;
        t->rank += q->history[side][t->code] >> 1;
    }
    int best = -WIN - 1, chosen = 0, start = alpha;
    for (int k = 0; k < n; k++) {
        select_turn(pool, k, n);
        int value = reply(q, s, &pool[k], k, depth, alpha, beta, ply);
        if (q->stopped) return 0;
        if (value > best) {
            best = value;
            chosen = pool[k].code;
            if (value > alpha) {
                alpha = value;
                if (alpha >= beta) {
                    refuted(q, side, pool, k, depth, ply);
                    break;
                }
            }
        }
    }
    Entry *entry = entry_of(q, key);
    entry->key = key;
    entry->age = q->age;
    entry->depth = depth;
    entry->value = best > PROVED ? best + ply : best < -PROVED ? best - ply : best;
    entry->bound = best <= start ? AT_MOST : best >= beta ? AT_LEAST : EXACT;
    entry->code = chosen;
    entry->way = way;
    return best;
}

static int lost(const State *s, int ply) { return is_stuck(s) ? -(WIN - ply) : -(WIN - ply - 2); }

static int search(Search *q, const State *before, const State *s, int depth, int alpha, int beta, int ply) {
    q->nodes++;
    if ((q->nodes & STOP_CHECK_MASK) == 0 && (q->nodes >= q->limit || (q->stop && q->stop(q->stop_data)))) q->stopped = 1;
    if (q->stopped) return 0;
    if (wins(s)) return WIN - ply - 1;
    uint32_t must = threats(s);
    if (must & (must - 1) && !(s->b3 >> s->w0 & 1) && !(s->b3 >> s->w1 & 1)) return lost(s, ply);
    if (depth <= 0 && !must) {
        if (is_stuck(s)) return -(WIN - ply);
        if (!q->net) return worth(s);
        if (before) return judge_after(q->net, &q->sums[ply - 1], before, s->code, bucket_of(s));
        begin_sums(q->net, s, &q->sums[ply]);
        return judge(q->net, &q->sums[ply], bucket_of(s));
    }
    if (ply >= MAX_PLIES) return worth(s);
    uint64_t key = table_key(q, s, q->side ^ (ply & 1));
    int way = q->way, first = -1;
    const Entry *entry = entry_of(q, key);
    if (entry->key == key && entry->age == q->age) {
        if (entry->way == way) first = entry->code;
        int seen = entry->value;
        if (entry->depth >= depth || seen > PROVED || seen < -PROVED) {
            seen += seen > PROVED ? -ply : seen < -PROVED ? ply : 0;
            if (entry->bound == EXACT || (entry->bound == AT_LEAST && seen >= beta) ||
                (entry->bound == AT_MOST && seen <= alpha))
                return seen;
        }
    }
    int value;
    if (q->net) {
        if (before) follow_sums(q->net, &q->sums[ply - 1], before, s->code, &q->sums[ply]);
        else begin_sums(q->net, s, &q->sums[ply]);
        value = judge(q->net, &q->sums[ply], bucket_of(s));
    } else value = worth(s);
    if (!must && beta - alpha == 1 && beta > -PROVED && beta < PROVED && depth <= SURPLUS_DEPTH &&
        value - SURPLUS * depth >= beta)
        return value;
    int n = generate(s, q->pools[ply], must, 1);
    if (n == 0) return lost(s, ply);
    return loop(q, s, n, must ? depth + 1 : depth, alpha, beta, ply, key, way, first);
}

static void to_front(int *order, int at) {
    int chosen = order[at];
    for (; at > 0; at--) order[at] = order[at - 1];
    order[0] = chosen;
}

static int search_roots(Search *q, const State *roots, int size, int *order, int *known, int depth, int low, int high) {
    int alpha = low, best = -WIN - 1;
    for (int n = 0; n < size; n++) {
        int chosen = order[n], value;
        const State *s = &roots[chosen];
        if (s->won) value = s->won * (WIN - 1);
        else if (n == 0 || alpha <= -WIN) value = -search(q, NULL, s, depth - 1, -high, -alpha, 1);
        else {
            value = -search(q, NULL, s, depth - 1, -alpha - 1, -alpha, 1);
            if (value > alpha && !q->stopped) value = -search(q, NULL, s, depth - 1, -high, -alpha, 1);
        }
        if (q->stopped) {
            if (-WIN <= best && best < -PROVED) { /* what was tried is lost, but the rest may not be */
                while (n < size && known[order[n]] < -PROVED) n++;
                if (n < size) to_front(order, n);
            }
            return best;
        }
        if (n == 0 || value > alpha || value < known[chosen]) known[chosen] = value;
        if (value > best) {
            best = value;
            if (value > alpha || n == 0) to_front(order, n);
        }
        if (value > alpha) {
            alpha = value;
            if (alpha >= high) break;
        }
    }
    return best;
}

static int compare_keys(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

/* Find the symmetries that map the roots to themselves. */
static void find_ways(Search *q, const State *roots, int size) {
    uint64_t keys[MAX_TURNS];
    for (int n = 0; n < size; n++) keys[n] = key_of(&roots[n], 0, 0);
    qsort(keys, size, sizeof *keys, compare_keys);
    for (int way = 1; way < 8; way++) {
        int same = 1;
        for (int n = 0; n < size && same; n++) {
            uint64_t key = key_of(&roots[n], way, 0);
            same = bsearch(&key, keys, size, sizeof key, compare_keys) != NULL;
        }
        if (same) q->ways[q->way_count++] = way;
    }
}

/* Search the states after the turns to choose from, whose mover is `side`; return the index of the best. */
static int think(Search *q, const State *roots, int size, int side, int64_t nodes, int depth, int *known) {
    int order[MAX_TURNS], value = 0;
    q->nodes = 0, q->depth = 0, q->limit = nodes, q->stopped = 0, q->way_count = 0;
    q->age++;
    q->side = side;
    memset(q->history, 0, sizeof q->history);
    memset(q->killers, 0, sizeof q->killers);
    for (int n = 0; n < size; n++) order[n] = n, known[n] = 0;
    if (q->twins) find_ways(q, roots, size);
    for (int target = 1; target <= depth && !q->stopped; target++) {
        int window = target > 3 ? ASPIRATION : WIN + 1, low = value - window, high = value + window;
        for (;;) {
            int found = search_roots(q, roots, size, order, known, target, low, high);
            if (q->stopped) break;
            if (found <= low && low > -WIN) window *= 4, low = found - window;
            else if (found >= high && high < WIN) window *= 4, high = found + window;
            else {
                value = found;
                q->depth = target;
                break;
            }
        }
        if (value > PROVED || value < -PROVED || size == 1) break;
    }
    return order[0];
}

/* Return the code of the table's best turn in a state, or -1. */
static int expected(Search *q, const State *s, int side) {
    uint64_t key = table_key(q, s, side);
    const Entry *entry = entry_of(q, key);
    if (entry->key != key || entry->age != q->age || entry->bound == AT_MOST || entry->way != q->way) return -1;
    return entry->code;
}

/* Evaluate with a net from now on; return whether its weights are valid. */
static int search_use(Search *q, const unsigned char *weights, size_t size) {
    if (!q->net) q->net = malloc(sizeof *q->net);
    return q->net && net_read(q->net, weights, size);
}

static void search_free(Search *q) {
    if (!q) return;
    free(q->net);
    free(q->table);
    free(q);
}

static Search *search_new(int bits) {
    prepare();
    Search *q = calloc(1, sizeof *q);
    if (!q) return NULL;
    q->table = calloc((size_t)1 << bits, sizeof *q->table);
    if (!q->table) {
        search_free(q);
        return NULL;
    }
    q->mask = ((uint64_t)1 << bits) - 1;
    q->twins = 1;
    for (int depth = 3; depth < REDUCTION_DEPTHS; depth++)
        for (int k = 2; k < MAX_TURNS; k++) q->reductions[depth][k] = (int)(0.5 + log(depth) * log(k) / 2.25);
    return q;
}
