/* Codes symbols with probabilities learnt from those before, compiled: symbol_coder.py says what everything means. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <string.h>

enum { CHUNK = 256, MOST_SIZE = 48, MOST_BYTES = 3, GAIN = 2, GAIN_AFTER = 8 };
enum { LIMBS = CHUNK * MOST_BYTES / 4 + 1 };

typedef struct {
    PyObject_HEAD
    int size, previous;
    uint32_t sum, weights[MOST_SIZE], sums_after[MOST_SIZE], after[MOST_SIZE][MOST_SIZE];
} SymbolCoder;

/* The part of a symbol in the sum of all weights. */
typedef struct {
    uint32_t before, weight, total;
} Share;

/* A whole number, the lowest limb first. */
typedef struct {
    int used;
    uint32_t limbs[LIMBS];
} Number;

static int init(SymbolCoder *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"", NULL}; /* positional only */
    int size;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "i", names, &size)) return -1;
    if (size < 1 || size > MOST_SIZE) {
        PyErr_Format(PyExc_ValueError, "%d symbols", size);
        return -1;
    }
    self->size = size;
    self->previous = 0;
    self->sum = 0;
    memset(self->sums_after, 0, sizeof self->sums_after);
    memset(self->after, 0, sizeof self->after);
    for (int symbol = 0; symbol < size; symbol++)
        self->sum += self->weights[symbol] = symbol == 0 ? 2 : symbol == 1 ? 8 : 1;
    return 0;
}

static uint32_t weight_of(const SymbolCoder *self, int symbol) {
    return self->weights[symbol] + self->after[self->previous][symbol];
}

static uint32_t total_of(const SymbolCoder *self) { return self->sum + self->sums_after[self->previous]; }

static void count(SymbolCoder *self, int symbol) {
    self->weights[symbol] += GAIN;
    self->sum += GAIN;
    self->after[self->previous][symbol] += GAIN_AFTER;
    self->sums_after[self->previous] += GAIN_AFTER;
    self->previous = symbol;
}

static Share share_of(const SymbolCoder *self, int symbol) {
    Share share = {0, weight_of(self, symbol), total_of(self)};
    for (int lower = 0; lower < symbol; lower++) share.before += weight_of(self, lower);
    return share;
}

/* Divide the number by the divisor; returns the remainder. */
static uint32_t divide(Number *number, uint32_t divisor) {
    uint64_t rest = 0;
    for (int limb = number->used - 1; limb >= 0; limb--) {
        rest = rest << 32 | number->limbs[limb];
        number->limbs[limb] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (number->used && !number->limbs[number->used - 1]) number->used--;
    return (uint32_t)rest;
}

/* Multiply the number, and add to it. */
static void multiply(Number *number, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (int limb = 0; limb < number->used; limb++) {
        carry += (uint64_t)number->limbs[limb] * factor;
        number->limbs[limb] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) number->limbs[number->used++] = (uint32_t)carry;
}

static PyObject *pack(SymbolCoder *self, PyObject *symbols) {
    Share shares[CHUNK];
    Number number = {0};
    unsigned char bytes[sizeof number.limbs];
    Py_ssize_t size = 0;
    if (!PyBytes_Check(symbols)) {
        PyErr_SetString(PyExc_TypeError, "symbols are bytes");
        return NULL;
    }
    const unsigned char *all = (const unsigned char *)PyBytes_AS_STRING(symbols);
    Py_ssize_t length = PyBytes_GET_SIZE(symbols);
    int wrong = length > CHUNK;
    for (Py_ssize_t at = 0; at < length && !wrong; at++) wrong = all[at] >= self->size;
    if (wrong) {
        PyErr_SetString(PyExc_ValueError, "too many symbols, or too large");
        return NULL;
    }
    for (Py_ssize_t at = 0; at < length; at++) {
        shares[at] = share_of(self, all[at]);
        count(self, all[at]);
    }
    while (length--) {
        uint32_t rest = divide(&number, shares[length].weight);
        multiply(&number, shares[length].total, rest + shares[length].before);
    }
    for (int limb = 0; limb < number.used; limb++)
        for (int byte = 0; byte < 4; byte++) bytes[size++] = number.limbs[limb] >> 8 * byte & 255;
    while (size && !bytes[size - 1]) size--;
    return PyBytes_FromStringAndSize((const char *)bytes, size);
}

/* Read a number; returns 0 if it is longer than any that holds symbols. */
static int read_number(Number *number, const unsigned char *bytes, Py_ssize_t size) {
    while (size && !bytes[size - 1]) size--;
    if (size > (Py_ssize_t)sizeof number->limbs) return 0;
    number->used = (int)((size + 3) / 4);
    for (Py_ssize_t at = 0; at < size; at++) number->limbs[at / 4] |= (uint32_t)bytes[at] << 8 * (at % 4);
    return 1;
}

static PyObject *unpack(SymbolCoder *self, PyObject *const *args, Py_ssize_t args_count) {
    unsigned char symbols[CHUNK];
    Number number = {0};
    if (args_count != 2 || !PyBytes_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "unpack() takes a number as bytes, and how many symbols it holds");
        return NULL;
    }
    long symbol_count = PyLong_AsLong(args[1]);
    if (symbol_count == -1 && PyErr_Occurred()) return NULL;
    if (symbol_count > CHUNK) {
        PyErr_SetString(PyExc_ValueError, "too many symbols");
        return NULL;
    }
    int whole = read_number(&number, (const unsigned char *)PyBytes_AS_STRING(args[0]), PyBytes_GET_SIZE(args[0]));
    for (long at = 0; whole && at < symbol_count; at++) {
        uint32_t rest = divide(&number, total_of(self));
        int symbol = 0;
        for (; rest >= weight_of(self, symbol); symbol++) rest -= weight_of(self, symbol);
        multiply(&number, weight_of(self, symbol), rest);
        count(self, symbol);
        symbols[at] = (unsigned char)symbol;
    }
    if (!whole || number.used) {
        PyErr_SetString(PyExc_ValueError, "the number holds more symbols");
        return NULL;
    }
    return PyBytes_FromStringAndSize((const char *)symbols, symbol_count < 0 ? 0 : symbol_count);
}

static PyMethodDef methods[] = {
    {"pack", (PyCFunction)pack, METH_O, NULL},
    {"unpack", (PyCFunction)(void (*)(void))unpack, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_init, init}, {Py_tp_methods, methods}, {0, NULL}};

static PyType_Spec spec = {
    .name = "fa_cli.replay.packing.symbol_coder.SymbolCoder",
    .basicsize = sizeof(SymbolCoder),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};

static int execute(PyObject *module) {
    PyObject *type = PyType_FromSpec(&spec);
    int failed = !type || PyModule_AddObjectRef(module, "SymbolCoder", type) < 0 ||
                 PyModule_AddIntConstant(module, "MOST_SIZE", MOST_SIZE) < 0 ||
                 PyModule_AddIntConstant(module, "MOST_BYTES", MOST_BYTES) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "fa_cli.replay.packing.symbol_coder", .m_slots = module_slots};

PyMODINIT_FUNC PyInit_symbol_coder(void) { return PyModuleDef_Init(&module); }
