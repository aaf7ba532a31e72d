/* What a worker publishes of its progress, compiled: see progress.py, which says what everything means. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

enum { MOVES, SEAT, SECONDS, KEPT, REVOKED, CELLS };

typedef struct {
    PyObject_HEAD
    Py_buffer shared;
    volatile double *cells;
} Progress;

static int init(Progress *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"", NULL}; /* positional only */
    Py_buffer shared;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "w*", names, &shared)) return -1;
    if (shared.len < (Py_ssize_t)(CELLS * sizeof(double))) {
        PyBuffer_Release(&shared);
        PyErr_SetString(PyExc_ValueError, "too few cells");
        return -1;
    }
    PyBuffer_Release(&self->shared); /* those of an earlier call */
    self->shared = shared;
    self->cells = shared.buf;
    return 0;
}

static void deallocate(Progress *self) {
    PyTypeObject *type = Py_TYPE(self);
    PyBuffer_Release(&self->shared);
    type->tp_free(self);
    Py_DECREF(type);
}

static PyObject *wait(Progress *self, PyObject *const *args, Py_ssize_t count) {
    if (count != 2 || !self->cells) {
        PyErr_SetString(PyExc_TypeError, "wait() takes a seat and seconds");
        return NULL;
    }
    double seat = PyFloat_AsDouble(args[0]), seconds = PyFloat_AsDouble(args[1]);
    if (PyErr_Occurred()) return NULL;
    self->cells[SEAT] = seat;
    self->cells[SECONDS] = seconds;
    self->cells[MOVES] += 1.0;
    Py_RETURN_NONE;
}

static PyObject *is_revoked(Progress *self, PyObject *number) {
    double task = PyFloat_AsDouble(number);
    if (PyErr_Occurred()) return NULL;
    if (!self->cells) Py_RETURN_FALSE;
    double revoked = self->cells[REVOKED]; /* first: it is written last, so that the other number is there as well */
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return PyBool_FromLong(self->cells[KEPT] < task && task <= revoked);
}

static PyMethodDef methods[] = {
    {"wait", (PyCFunction)(void (*)(void))wait, METH_FASTCALL, NULL},
    {"is_revoked", (PyCFunction)is_revoked, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_init, init}, {Py_tp_dealloc, deallocate}, {Py_tp_methods, methods}, {0, NULL}};

static PyType_Spec spec = {
    .name = "fa_cli.tournament.running.progress.Progress",
    .basicsize = sizeof(Progress),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};

static int execute(PyObject *module) {
    static const struct {
        const char *name;
        int value;
    } constants[] = {{"MOVES", MOVES}, {"SEAT", SEAT},       {"SECONDS", SECONDS},
                     {"KEPT", KEPT},   {"REVOKED", REVOKED}, {"CELLS", CELLS}};
    PyObject *type = PyType_FromSpec(&spec);
    int failed = !type || PyModule_AddObjectRef(module, "Progress", type) < 0;
    Py_XDECREF(type);
    for (size_t item = 0; item < sizeof constants / sizeof *constants; item++)
        failed = failed || PyModule_AddIntConstant(module, constants[item].name, constants[item].value) < 0;
    return failed ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "fa_cli.tournament.running.progress", .m_slots = module_slots};

PyMODINIT_FUNC PyInit_progress(void) { return PyModuleDef_Init(&module); }
