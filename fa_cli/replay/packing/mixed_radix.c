/* Decisions as digits of numbers in mixed radix, compiled: see mixed_radix.py, which says what everything means. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>

enum { BLOCK_BYTES = 8 };

/* A block of decisions. Its product may be 2**64: then `product` is 0. */
typedef struct {
    uint64_t number, product;
} Block;

/* Add a decision between two or more actions; returns 0 if the block has no room for it. */
static int add(Block *block, uint64_t index, uint64_t size) {
    uint64_t most = UINT64_MAX / size + (UINT64_MAX % size == size - 1); /* 2**64 / size */
    if (!block->product || block->product > most) return 0;
    block->number += index * block->product;
    block->product *= size;
    return 1;
}

/* Write all blocks; returns the place behind them, or NULL with an exception. */
static char *write_blocks(char *out, PyObject *indexes, PyObject *sizes) {
    Block block = {0, 1};
    for (Py_ssize_t place = 0; place < PySequence_Fast_GET_SIZE(sizes); place++) {
        uint64_t index = PyLong_AsUnsignedLongLong(PySequence_Fast_GET_ITEM(indexes, place));
        uint64_t size = PyLong_AsUnsignedLongLong(PySequence_Fast_GET_ITEM(sizes, place));
        if (PyErr_Occurred()) return NULL;
        if (index >= size) {
            PyErr_Format(PyExc_ValueError, "index %llu of %llu", index, size);
            return NULL;
        }
        if (size == 1 || add(&block, index, size)) continue;
        for (int byte = 0; byte < BLOCK_BYTES; byte++) *out++ = (char)(block.number >> 8 * byte & 255);
        block = (Block){0, 1};
        add(&block, index, size);
    }
    for (; block.number; block.number >>= 8) *out++ = (char)(block.number & 255);
    return out;
}

static PyObject *packed(PyObject *indexes, PyObject *sizes) {
    Py_ssize_t count = PySequence_Fast_GET_SIZE(sizes);
    if (PySequence_Fast_GET_SIZE(indexes) != count) {
        PyErr_SetString(PyExc_ValueError, "each index needs a size");
        return NULL;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, BLOCK_BYTES * (count + 1));
    if (!bytes) return NULL;
    char *end = write_blocks(PyBytes_AS_STRING(bytes), indexes, sizes);
    if (end) _PyBytes_Resize(&bytes, end - PyBytes_AS_STRING(bytes));
    else Py_CLEAR(bytes);
    return bytes;
}

static PyObject *pack(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    PyObject *indexes, *sizes = NULL, *bytes = NULL;
    (void)module;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "pack() takes indexes and sizes");
        return NULL;
    }
    indexes = PySequence_Fast(args[0], "indexes are a sequence");
    if (indexes) sizes = PySequence_Fast(args[1], "sizes are a sequence");
    if (sizes) bytes = packed(indexes, sizes);
    Py_XDECREF(indexes);
    Py_XDECREF(sizes);
    return bytes;
}

static PyMethodDef methods[] = {
    {"pack", (PyCFunction)(void (*)(void))pack, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module) { return PyModule_AddIntConstant(module, "BLOCK_BYTES", BLOCK_BYTES); }

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "fa_cli.replay.packing.mixed_radix",
    .m_methods = methods,
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit_mixed_radix(void) { return PyModuleDef_Init(&module); }
