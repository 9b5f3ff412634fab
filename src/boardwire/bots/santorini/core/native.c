/* Python module around mortal.c: the search without powers (`bots/santorini/native.py` is its caller). */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "mortal.c"

#define ROOT_NUMBERS 10 /* b1, b2, b3, domes, w0, w1, w2, w3, code, won */
#define CAPSULE "boardwire.bots.santorini.core._native.Search"
#define NET_CAPSULE "boardwire.bots.santorini.core._native.Net"

static int read_state(const int32_t *from, State *to) {
    memset(to, 0, sizeof *to);
    for (int n = 0; n < 4; n++)
        if (from[n] < 0 || from[n] >= 1 << 25) return 0;
    for (int n = 4; n < 8; n++)
        if (from[n] < 0 || from[n] >= 25) return 0;
    if (from[8] < 0 || from[8] >= 1 << 15) return 0;
    to->b1 = from[0], to->b2 = from[1], to->b3 = from[2], to->domes = from[3];
    to->w0 = from[4], to->w1 = from[5], to->w2 = from[6], to->w3 = from[7];
    to->code = from[8], to->won = from[9];
    to->blocks = count(to->b1) + count(to->b2) + count(to->b3) + count(to->domes);
    return 1;
}

static Search *search_of(PyObject *capsule) { return PyCapsule_GetPointer(capsule, CAPSULE); }

static void destroy(PyObject *capsule) { search_free(search_of(capsule)); }

static PyObject *native_new(PyObject *self, PyObject *args) {
    int bits;
    if (!PyArg_ParseTuple(args, "i", &bits)) return NULL;
    if (bits < 1 || bits > 28) return PyErr_Format(PyExc_ValueError, "table of 2**%d entries: 1 to 28 are possible", bits);
    Search *q = search_new(bits);
    if (!q) return PyErr_NoMemory();
    PyObject *made = PyCapsule_New(q, CAPSULE, destroy);
    if (!made) search_free(q);
    return made;
}

static PyObject *native_use_net(PyObject *self, PyObject *args) {
    PyObject *capsule;
    Py_buffer weights;
    if (!PyArg_ParseTuple(args, "Oy*", &capsule, &weights)) return NULL;
    Search *q = search_of(capsule);
    int read = q && search_use(q, weights.buf, weights.len);
    PyBuffer_Release(&weights);
    if (!q) return NULL;
    if (!read) return PyErr_Format(PyExc_ValueError, "cannot use the net: invalid weights");
    Py_RETURN_NONE;
}

static int call_stop(void *data) {
    PyObject *said = PyObject_CallNoArgs(data);
    int stop = said ? PyObject_IsTrue(said) : 1;
    Py_XDECREF(said);
    return stop != 0; /* an exception stops the search, too */
}

static PyObject *native_think(PyObject *self, PyObject *args) {
    PyObject *capsule, *stop;
    Py_buffer roots;
    long long nodes;
    int side, depth;
    if (!PyArg_ParseTuple(args, "Oy*iLiO", &capsule, &roots, &side, &nodes, &depth, &stop)) return NULL;
    Search *q = search_of(capsule);
    State states[MAX_TURNS];
    int values[MAX_TURNS];
    Py_ssize_t size = roots.len / (Py_ssize_t)(ROOT_NUMBERS * sizeof(int32_t));
    int valid = size > 0 && size <= MAX_TURNS;
    for (Py_ssize_t n = 0; valid && n < size; n++) {
        int32_t numbers[ROOT_NUMBERS];
        memcpy(numbers, (const char *)roots.buf + n * sizeof numbers, sizeof numbers);
        valid = read_state(numbers, &states[n]);
    }
    PyBuffer_Release(&roots);
    if (!q) return NULL;
    if (!valid) return PyErr_Format(PyExc_ValueError, "%zd roots: 1 to %d valid states are possible", size, MAX_TURNS);
    q->stop = call_stop;
    q->stop_data = stop;
    int best = think(q, states, (int)size, side & 1, nodes, depth < MAX_PLIES ? depth : MAX_PLIES, values);
    if (PyErr_Occurred()) return NULL;
    PyObject *known = PyList_New(size);
    for (Py_ssize_t n = 0; known && n < size; n++) {
        PyObject *value = PyLong_FromLong(values[n]);
        if (!value) Py_CLEAR(known);
        else PyList_SET_ITEM(known, n, value);
    }
    return known ? Py_BuildValue("iLiN", best, (long long)q->nodes, q->depth, known) : NULL;
}

static PyObject *native_expected(PyObject *self, PyObject *args) {
    PyObject *capsule;
    Py_buffer state;
    int side;
    if (!PyArg_ParseTuple(args, "Oy*i", &capsule, &state, &side)) return NULL;
    Search *q = search_of(capsule);
    int32_t numbers[ROOT_NUMBERS];
    State s;
    int valid = state.len == sizeof numbers;
    if (valid) memcpy(numbers, state.buf, sizeof numbers);
    valid = valid && read_state(numbers, &s);
    PyBuffer_Release(&state);
    if (!q) return NULL;
    if (!valid) return PyErr_Format(PyExc_ValueError, "invalid state");
    return PyLong_FromLong(expected(q, &s, side & 1));
}

static void destroy_net(PyObject *capsule) { free(PyCapsule_GetPointer(capsule, NET_CAPSULE)); }

static PyObject *native_net(PyObject *self, PyObject *args) {
    Py_buffer weights;
    if (!PyArg_ParseTuple(args, "y*", &weights)) return NULL;
    Net *net = malloc(sizeof *net);
    int read = net && net_read(net, weights.buf, weights.len);
    PyBuffer_Release(&weights);
    PyObject *made = read ? PyCapsule_New(net, NET_CAPSULE, destroy_net) : NULL;
    if (!made) free(net);
    return net && !read ? PyErr_Format(PyExc_ValueError, "cannot use the net: invalid weights") : made ? made : PyErr_NoMemory();
}

/* Evaluate a state from scratch: the net, then b1, b2, b3, domes, w0, w1, w2, w3. A worker may be off the board. */
static PyObject *native_judge(PyObject *self, PyObject *const *args, Py_ssize_t count_of_args) {
    int32_t numbers[8];
    if (count_of_args != 9) return PyErr_Format(PyExc_TypeError, "a net and 8 numbers expected");
    Net *net = PyCapsule_GetPointer(args[0], NET_CAPSULE);
    if (!net) return NULL;
    for (int n = 0; n < 8; n++) {
        long number = PyLong_AsLong(args[n + 1]);
        if (number == -1 && PyErr_Occurred()) return NULL;
        if (number < 0 || number > (n < 4 ? (1 << SQUARES) - 1 : SQUARES))
            return PyErr_Format(PyExc_ValueError, "cannot evaluate: %ld is out of range", number);
        numbers[n] = (int32_t)number;
    }
    State s = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7], 0, 0, 0, 0};
    s.blocks = count(s.b1) + count(s.b2) + count(s.b3) + count(s.domes);
    Sums sums;
    begin_sums(net, &s, &sums);
    return PyLong_FromLong(judge(net, &sums, bucket_of(&s)));
}

static PyMethodDef METHODS[] = {
    {"net", native_net, METH_VARARGS, "Return a net with the given bytes of weights."},
    {"judge", (PyCFunction)(void (*)(void))native_judge, METH_FASTCALL, "Return the net's value of a state."},
    {"new", native_new, METH_VARARGS, "Return a search with a table of 2**bits entries."},
    {"use_net", native_use_net, METH_VARARGS, "Evaluate with a net, given as the bytes of its weights."},
    {"think", native_think, METH_VARARGS, "Search roots; return the best one's index, nodes, depth and the values."},
    {"expected", native_expected, METH_VARARGS, "Return the code of the table's best turn in a state, or -1."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_native", "Search of Santorini without powers.", -1, METHODS};

PyMODINIT_FUNC PyInit__native(void) {
    prepare();
    return PyModule_Create(&MODULE);
}
