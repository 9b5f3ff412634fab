/* Solver of Forza Quattro: the value of a board with perfect play, and a column that attains it.
 *
 * - Boards are numbered as in `search.py`: seven bits for a column, the lowest is the bottom cell, the seventh stays
 *   empty. `own` are the discs of the side to move, `taken` all discs.
 * - A score is (44 - n) / 2 if the side to move wins with the n-th disc on the board, the negative of that if it loses,
 *   and 0 for a draw: an earlier win scores more.
 * - Alpha-beta with null windows. A disc that lets the opponent win at once is never tried; discs that make the most
 *   threats come first; a table stores upper and lower bounds. Entries of earlier calls are ignored, so that the same
 *   board always takes the same nodes.
 *
 * It is optional (`bots/forza/solver.py`): without it `search.py` looks as far ahead as its nodes allow.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#if !defined(__GNUC__)
#error "native.c needs GCC or Clang; without them search.py is used alone"
#endif

#define COLUMNS 7
#define HEIGHT 7
#define CELLS 42
#define BOTTOM 0x0040810204081ull
#define BOARD (BOTTOM * 63)
#define COLUMN(column) (63ull << (column) * HEIGHT)
#define TABLE_BITS 21
#define STOP_CHECK_MASK 4095
#define ABORTED 100
#define WORST (-22)

/* An entry is key << 15 | bound, and age in the low 8 bits; a bound is 1 to 63 for upper, 64 to 127 for lower ones. */
static uint64_t *table;
static int table_bits = TABLE_BITS;
static unsigned age;

typedef struct {
    int64_t nodes, limit;
    int stopped;
    PyObject *stop;
    int order[COLUMNS];
} Solver;

static uint64_t completing(uint64_t own, uint64_t taken) {
    uint64_t found = own << 1 & own << 2 & own << 3;
    for (int step = HEIGHT - 1; step <= HEIGHT + 1; step++) {
        uint64_t near = own << step & own << 2 * step;
        found |= near & own << 3 * step;
        found |= near & own >> step;
        near = own >> step & own >> 2 * step;
        found |= near & own << step;
        found |= near & own >> 3 * step;
    }
    return found & (BOARD ^ taken);
}

static inline uint64_t places(uint64_t taken) { return (taken + BOTTOM) & BOARD; }

static inline uint64_t *slot(uint64_t key) { return &table[(key * 0x9E3779B97F4A7C15ull) >> (64 - table_bits)]; }

#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__POPCNT__)
#define COUNTED __attribute__((target_clones("popcnt", "default")))
#else
#define COUNTED
#endif

/* The score of a board whose side to move cannot win at once, within a window; ABORTED if the search was stopped. */
COUNTED static int score_of(Solver *q, uint64_t own, uint64_t taken, int count, int alpha, int beta) {
    if ((++q->nodes & STOP_CHECK_MASK) == 0) {
        PyObject *said = q->nodes < q->limit ? PyObject_CallNoArgs(q->stop) : NULL;
        if (!said || PyObject_IsTrue(said)) q->stopped = 1;
        Py_XDECREF(said);
    }
    if (q->stopped) return ABORTED;
    uint64_t foe = own ^ taken, free = places(taken), threats = completing(foe, taken), forced = threats & free;
    if (forced) {
        if (forced & (forced - 1)) return -(42 - count) / 2;
        free = forced;
    }
    free &= ~(threats >> 1);
    if (!free) return -(42 - count) / 2;
    if (count >= CELLS - 2) return 0;
    int least = -(40 - count) / 2, most = (41 - count) / 2;
    if (alpha < least && (alpha = least) >= beta) return alpha;
    uint64_t key = own + taken + BOTTOM, *entry = slot(key), kept = *entry;
    if (kept >> 15 == key && (kept & 255) == age) {
        int bound = kept >> 8 & 127;
        if (bound >= 64) {
            if (alpha < bound - 96 && (alpha = bound - 96) >= beta) return alpha;
        } else if (bound - 32 < most) most = bound - 32;
    }
    if (beta > most && (beta = most) <= alpha) return beta;
    uint64_t discs[COLUMNS];
    int ranks[COLUMNS], n = 0;
    for (int k = 0; k < COLUMNS; k++) {
        uint64_t disc = free & COLUMN(q->order[k]);
        if (!disc) continue;
        int rank = __builtin_popcountll(completing(own | disc, taken | disc)), at = n++;
        for (; at > 0 && ranks[at - 1] < rank; at--) ranks[at] = ranks[at - 1], discs[at] = discs[at - 1];
        ranks[at] = rank, discs[at] = disc;
    }
    for (int k = 0; k < n; k++) {
        int found = score_of(q, foe, taken | discs[k], count + 1, -beta, -alpha);
        if (q->stopped) return ABORTED;
        if (-found >= beta) {
            *entry = key << 15 | (uint64_t)(-found + 96) << 8 | age;
            return -found;
        }
        if (-found > alpha) alpha = -found;
    }
    *entry = key << 15 | (uint64_t)(alpha + 32) << 8 | age;
    return alpha;
}

/* The score of any board that is not won, by halving the interval of scores. */
static int solved(Solver *q, uint64_t own, uint64_t taken, int count, int low, int high) {
    if (completing(own, taken) & places(taken)) return (43 - count) / 2;
    if (count >= CELLS) return 0;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (middle <= 0 && low / 2 < middle) middle = low / 2;
        else if (middle >= 0 && high / 2 > middle) middle = high / 2;
        int found = score_of(q, own, taken, count, middle, middle + 1);
        if (q->stopped) return ABORTED;
        if (found <= middle) high = found;
        else low = found;
    }
    return low;
}

/* A column that attains the best score, or -1 if the search was stopped. */
static int column_of(Solver *q, uint64_t own, uint64_t taken, int count, int best, int is_exact) {
    for (int k = 0; k < COLUMNS; k++) {
        uint64_t disc = places(taken) & COLUMN(q->order[k]);
        if (!disc) continue;
        if (completing(own, taken) & disc) return q->order[k];
        /* only whether the disc attains the score is of interest */
        int score = -solved(q, own ^ taken, taken | disc, count + 1, -best, -best + 1);
        if (q->stopped) return -1;
        if (score >= best || (!is_exact && best < 0)) return q->order[k];
    }
    return -1;
}

static PyObject *native_solve(PyObject *self, PyObject *args) {
    unsigned long long own, taken;
    long long nodes;
    int weak = 0, keep = 0;
    Solver q = {0};
    if (!PyArg_ParseTuple(args, "KK(iiiiiii)LO|pp", &own, &taken, &q.order[0], &q.order[1], &q.order[2], &q.order[3],
                          &q.order[4], &q.order[5], &q.order[6], &nodes, &q.stop, &weak, &keep))
        return NULL;
    int count = __builtin_popcountll(taken);
    for (int k = 0; k < COLUMNS; k++)
        if (q.order[k] < 0 || q.order[k] >= COLUMNS) return PyErr_Format(PyExc_ValueError, "there is no column %d", q.order[k]);
    if (own & ~taken || taken & ~BOARD || taken == BOARD) return PyErr_Format(PyExc_ValueError, "invalid board");
    if (!table && !(table = PyMem_RawCalloc((size_t)1 << table_bits, sizeof *table))) return PyErr_NoMemory();
    if (!keep || !age) age = age % 255 + 1;
    if (age == 1 && !keep) memset(table, 0, sizeof *table << table_bits);
    q.limit = nodes;
    /* First who wins; then, if there is time, how soon. */
    int best = solved(&q, own, taken, count, -1, 1), is_exact = 0;
    best = best > 0 ? 1 : best < 0 ? -1 : 0;
    int column = q.stopped ? -1 : column_of(&q, own, taken, count, best, 0);
    if (!weak && !q.stopped) {
        int low = best > 0 ? 1 : -(42 - count) / 2, high = best > 0 ? (43 - count) / 2 : -1;
        int exact = best ? solved(&q, own, taken, count, low, high) : 0;
        int sooner = q.stopped ? -1 : column_of(&q, own, taken, count, exact, 1);
        if (sooner >= 0) column = sooner, best = exact, is_exact = 1;
    }
    if (PyErr_Occurred()) return NULL;
    return Py_BuildValue("iiOL", column, best, is_exact ? Py_True : Py_False, (long long)q.nodes);
}

static PyObject *native_resize(PyObject *self, PyObject *args) {
    int bits;
    if (!PyArg_ParseTuple(args, "i", &bits)) return NULL;
    if (bits < 10 || bits > 30) return PyErr_Format(PyExc_ValueError, "table of 2**%d entries: 10 to 30 are possible", bits);
    PyMem_RawFree(table);
    table = NULL;
    table_bits = bits;
    age = 0;
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"resize", native_resize, METH_VARARGS, "Use an empty table of 2**bits entries."},
    {"solve", native_solve, METH_VARARGS, "Return a best column (-1: stopped), the score, whether it is exact or only its sign is, and the nodes."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_native", "Solver of Forza Quattro.", -1, METHODS};

PyMODINIT_FUNC PyInit__native(void) { return PyModule_Create(&MODULE); }
