/* Fit of the Santorini net to samples of self-play, by Adam.
 *
 * - A sample has 50 active inputs of 650, so the sums are made row by row instead of by a matrix product: about a
 *   million samples a second on one core.
 * - Every sample is turned or mirrored at random each time it is used.
 * - The target of a sample is the search's value as a probability for one part, and the result for the rest.
 */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQUARES 25
#define CONTENTS 13
#define INPUTS (SQUARES * CONTENTS)
#define HIDDEN 256
#define BUCKETS 8
#define BUCKET_BLOCKS 4
#define BATCH 4096
#define HELD_BACK 50 /* one sample in so many is not learned: the last ones */
#define FULL 255
#define OUTPUT_UNIT 64
#define MAX_WEIGHT 1.96f /* keeps sums in 16 bits and output weights below 127 / 64 */
#define DECAY 0.01f
#define LAST_RATE 1e-5f

typedef struct {
    uint32_t b1, b2, b3, domes;
    uint8_t w[4];
    int16_t value;
    int8_t result;
    uint8_t blocks;
} Sample;

typedef struct {
    float rows[INPUTS][HIDDEN], out[BUCKETS][2][HIDDEN], bias[HIDDEN], base[BUCKETS];
} Weights;

#define CLIPPED (INPUTS * HIDDEN + BUCKETS * 2 * HIDDEN) /* numbers at the front of Weights that are kept small */

static Weights net, slope, mean, square;
static uint8_t SEEN[8][SQUARES];
static uint64_t luck;

static uint64_t draw(void) {
    luck ^= luck << 13, luck ^= luck >> 7, luck ^= luck << 17;
    return luck * 0x2545F4914F6CDD1Dull >> 16;
}

static float uniform(void) { return (draw() & 0xffffff) / 16777216.f; }
static float normal(void) { return sqrtf(-2 * logf(uniform() + 1e-7f)) * cosf(6.2831853f * uniform()); }
static float clipped(float value) { return value < 0 ? 0 : value > 1 ? 1 : value; }
static double sigmoid(double value) { return 1 / (1 + exp(-value)); }
static double loss_of(double judged, double target) {
    return (judged > 0 ? judged : 0) + log1p(exp(-fabs(judged))) - target * judged;
}

static int bucket_of(const Sample *s) {
    return s->blocks < BUCKETS * BUCKET_BLOCKS ? s->blocks / BUCKET_BLOCKS : BUCKETS - 1;
}

static void find_inputs(const Sample *s, int way, int (*to)[SQUARES]) {
    for (int at = 0; at < SQUARES; at++) {
        int height = (s->b1 >> at & 1) + (s->b2 >> at & 1) + (s->b3 >> at & 1);
        int mine = s->domes >> at & 1 ? 4 : height, theirs = mine;
        if (at == s->w[0] || at == s->w[1]) mine = 5 + height, theirs = 9 + height;
        if (at == s->w[2] || at == s->w[3]) mine = 9 + height, theirs = 5 + height;
        to[0][at] = SEEN[way][at] * CONTENTS + mine;
        to[1][at] = SEEN[way][at] * CONTENTS + theirs;
    }
}

static float forward(const Sample *s, int way, int (*inputs)[SQUARES], float (*hidden)[HIDDEN]) {
    int bucket = bucket_of(s);
    float judged = net.base[bucket];
    find_inputs(s, way, inputs);
    for (int k = 0; k < 2; k++) {
        float *restrict sums = hidden[k], total = 0;
        const float *restrict out = net.out[bucket][k];
        memcpy(sums, net.bias, sizeof net.bias);
        for (int n = 0; n < SQUARES; n++) {
            const float *restrict row = net.rows[inputs[k][n]];
            for (int i = 0; i < HIDDEN; i++) sums[i] += row[i];
        }
        for (int i = 0; i < HIDDEN; i++) total += clipped(sums[i]) * clipped(sums[i]) * out[i];
        judged += total;
    }
    return judged;
}

static void backward(const Sample *s, int (*inputs)[SQUARES], float (*hidden)[HIDDEN], float wrong) {
    int bucket = bucket_of(s);
    slope.base[bucket] += wrong;
    for (int k = 0; k < 2; k++) {
        float *restrict sums = hidden[k], *restrict out_slope = slope.out[bucket][k];
        const float *restrict out = net.out[bucket][k];
        for (int i = 0; i < HIDDEN; i++) {
            float value = clipped(sums[i]);
            out_slope[i] += wrong * value * value;
            sums[i] = sums[i] > 0 && sums[i] < 1 ? 2 * wrong * out[i] * value : 0;
            slope.bias[i] += sums[i];
        }
        for (int n = 0; n < SQUARES; n++) {
            float *restrict row = slope.rows[inputs[k][n]];
            for (int i = 0; i < HIDDEN; i++) row[i] += sums[i];
        }
    }
}

static void step(float rate, int steps, float count) {
    float first = 1 - powf(0.9f, steps), second = 1 - powf(0.999f, steps);
    float *w = (float *)&net, *d = (float *)&slope, *m = (float *)&mean, *v = (float *)&square;
    for (size_t i = 0; i < sizeof net / sizeof *w; i++) {
        float by = d[i] / count;
        d[i] = 0;
        m[i] = 0.9f * m[i] + 0.1f * by;
        v[i] = 0.999f * v[i] + 0.001f * by * by;
        w[i] -= rate * (m[i] / first) / (sqrtf(v[i] / second) + 1e-8f);
        if (i < CLIPPED) {
            w[i] *= 1 - rate * DECAY;
            w[i] = w[i] > MAX_WEIGHT ? MAX_WEIGHT : w[i] < -MAX_WEIGHT ? -MAX_WEIGHT : w[i];
        }
    }
}

static void begin(void) {
    memset(&net, 0, sizeof net), memset(&slope, 0, sizeof slope);
    memset(&mean, 0, sizeof mean), memset(&square, 0, sizeof square);
    for (int n = 0; n < INPUTS; n++)
        for (int i = 0; i < HIDDEN; i++) net.rows[n][i] = 0.08f * normal();
    for (int i = 0; i < HIDDEN; i++) {
        net.bias[i] = 0.3f;
        for (int k = 0; k < 2; k++) {
            float drawn = 0.1f * normal();
            for (int bucket = 0; bucket < BUCKETS; bucket++) net.out[bucket][k][i] = drawn;
        }
    }
    for (int way = 0; way < 8; way++)
        for (int at = 0; at < SQUARES; at++) {
            int row = at / 5, column = at % 5;
            for (int n = 0; n < way % 4; n++) {
                int before = row;
                row = column, column = 4 - before;
            }
            SEEN[way][at] = row * 5 + (way >= 4 ? 4 - column : column);
        }
}

/* Find the value of the search that means log-odds of 1: the one that foretells results best. */
static double find_scale(const Sample *samples, long count) {
    double best = INFINITY, found = 0;
    for (double scale = 40; scale < 900; scale *= 1.08) {
        double loss = 0;
        for (long n = 0; n < count; n += 7) loss += loss_of(samples[n].value / scale, samples[n].result > 0);
        if (loss < best) best = loss, found = scale;
    }
    return found;
}

static unsigned char *write_number(unsigned char *to, int32_t number, int bytes) {
    for (int n = 0; n < bytes; n++) *to++ = (uint32_t)number >> 8 * n & 255;
    return to;
}

static void write_weights(unsigned char *to) {
    for (int n = 0; n < INPUTS; n++)
        for (int i = 0; i < HIDDEN; i++) to = write_number(to, lrintf(net.rows[n][i] * FULL), 2);
    for (int i = 0; i < HIDDEN; i++) to = write_number(to, lrintf(net.bias[i] * FULL), 2);
    for (int n = 0; n < BUCKETS * 2; n++)
        for (int i = 0; i < HIDDEN; i++) to = write_number(to, lrintf(net.out[n / 2][n % 2][i] * OUTPUT_UNIT), 2);
    for (int n = 0; n < BUCKETS; n++) to = write_number(to, lrintf(net.base[n] * FULL * FULL * OUTPUT_UNIT), 4);
}

/* Fit a net and write its weights in the format of `net.NET_BYTES`. `figures` gets the scale, the loss of the last
 * epoch, and the losses of samples held back against their targets and against results. Return 0, or -1 without memory. */
int fit(const Sample *samples, long count, int epochs, double share, double rate, uint64_t seed, unsigned char *weights,
        double *figures) {
    static float hidden[2][HIDDEN];
    int inputs[2][SQUARES];
    long held = count / HELD_BACK, learned = count - held, done = 0;
    long steps = (learned + BATCH - 1) / BATCH * epochs;
    uint32_t *order = malloc(learned * sizeof *order);
    if (!order) return -1;
    luck = seed * 0x9E3779B97F4A7C15ull + 1;
    begin();
    double scale = figures[0] = find_scale(samples, count);
    for (long n = 0; n < learned; n++) order[n] = n;
    for (int epoch = 0; epoch < epochs; epoch++) {
        double loss = 0;
        for (long last = learned - 1; last > 0; last--) {
            long other = draw() % (last + 1);
            uint32_t kept = order[last];
            order[last] = order[other], order[other] = kept;
        }
        for (long from = 0; from < learned; from += BATCH) {
            long size = learned - from < BATCH ? learned - from : BATCH;
            for (long n = 0; n < size; n++) {
                const Sample *s = &samples[order[from + n]];
                double target = share * sigmoid(s->value / scale) + (1 - share) * (s->result > 0);
                float judged = forward(s, draw() & 7, inputs, hidden);
                loss += loss_of(judged, target);
                backward(s, inputs, hidden, sigmoid(judged) - target);
            }
            done++;
            step(LAST_RATE + (rate - LAST_RATE) * 0.5 * (1 + cos(3.14159265 * done / steps)), done, size);
        }
        figures[1] = loss / learned;
    }
    figures[2] = figures[3] = 0;
    for (long n = learned; n < count; n++) {
        const Sample *s = &samples[n];
        double target = share * sigmoid(s->value / scale) + (1 - share) * (s->result > 0);
        float judged = forward(s, 0, inputs, hidden);
        figures[2] += loss_of(judged, target) / held;
        figures[3] += loss_of(judged, s->result > 0) / held;
    }
    write_weights(weights);
    free(order);
    return 0;
}
