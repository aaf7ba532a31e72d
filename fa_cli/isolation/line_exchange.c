/* The usual exchange with a bot, compiled: see line_exchange.py, which says what everything means. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LATE = -1, UNASKED = -2, CLOSED = -3, ANSWERED = -4, READ = 65536 };
enum { BRIEF = 10 }; /* milliseconds: a shorter wait than two ticks of the system would set a timer of its own */

typedef struct {
    PyObject_HEAD
    int stdin_fd;
    struct pollfd outputs[2]; /* stdout and stderr */
    Py_ssize_t max_line;
} LineExchange;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)(time.tv_sec * 1000000000LL + time.tv_nsec) * 1e-9;
}

static int init(LineExchange *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"stdin", "stdout", "stderr", "max_line", NULL};
    int there, back, errors;
    Py_ssize_t max_line;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "iiin", names, &there, &back, &errors, &max_line)) return -1;
    self->stdin_fd = there;
    self->outputs[0] = (struct pollfd){.fd = back, .events = POLLIN};
    self->outputs[1] = (struct pollfd){.fd = errors, .events = POLLIN};
    self->max_line = max_line;
    return 0;
}

static PyObject *ignore_stderr(LineExchange *self, PyObject *unused) {
    (void)unused;
    self->outputs[1].fd = -1; /* poll skips it */
    Py_RETURN_NONE;
}

/* The result of `ask`; takes over the chunk. */
static PyObject *outcome(Py_ssize_t written, PyObject *chunk, double started, double ended) {
    return Py_BuildValue("nNdd", written, chunk ? chunk : Py_NewRef(Py_None), started, ended);
}

static PyObject *ask(LineExchange *self, PyObject *const *args, Py_ssize_t count) {
    struct pollfd outputs[2] = {self->outputs[0], self->outputs[1]};
    char read_bytes[READ];
    PyObject *chunk = NULL;
    if (count != 3 || !PyBytes_Check(args[0]))
        return PyErr_Format(PyExc_TypeError, "ask() takes a line as bytes, seconds and the latest time to begin");
    double wait = PyFloat_AsDouble(args[1]) * 1000;
    int milliseconds = (int)wait + (wait > (int)wait); /* rounded up */
    double latest = PyFloat_AsDouble(args[2]);
    if (PyErr_Occurred()) return NULL;
    if (poll(outputs, 2, 0) != 0) return outcome(UNASKED, NULL, 0.0, 0.0);
    double started = now();
    if (started > latest) return outcome(LATE, NULL, started, started);
    Py_ssize_t size = PyBytes_GET_SIZE(args[0]);
    ssize_t written = write(self->stdin_fd, PyBytes_AS_STRING(args[0]), size);
    if (written < 0) {
        if (errno != EAGAIN && errno != EINTR) return outcome(CLOSED, NULL, started, started);
        written = 0;
    }
    if (written == size) {
        /* most answers are there before another thread of Python would get the interpreter */
        int ready = poll(outputs, 2, milliseconds < BRIEF ? milliseconds : BRIEF);
        if (ready == 0 && milliseconds > BRIEF) {
            Py_BEGIN_ALLOW_THREADS
            ready = poll(outputs, 2, milliseconds - BRIEF);
            Py_END_ALLOW_THREADS
        }
        if (ready < 0 && PyErr_CheckSignals() < 0) return NULL;
        if (ready == 1 && outputs[0].revents == POLLIN) {
            ssize_t got = read(outputs[0].fd, read_bytes, READ);
            if (got >= 0) {
                chunk = PyBytes_FromStringAndSize(read_bytes, got);
                if (!chunk) return NULL;
                const char *newline = memchr(read_bytes, '\n', got);
                if (newline && newline + 1 == read_bytes + got && got <= self->max_line) written = ANSWERED;
            } else if (errno != EAGAIN && errno != EINTR) {
                return PyErr_SetFromErrno(PyExc_OSError);
            }
        }
    }
    return outcome(written, chunk, started, now());
}

static PyMethodDef methods[] = {
    {"ask", (PyCFunction)(void (*)(void))ask, METH_FASTCALL, NULL},
    {"ignore_stderr", (PyCFunction)ignore_stderr, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {{Py_tp_init, init}, {Py_tp_methods, methods}, {0, NULL}};

static PyType_Spec spec = {
    .name = "fa_cli.isolation.line_exchange.LineExchange",
    .basicsize = sizeof(LineExchange),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};

static int execute(PyObject *module) {
    PyObject *type = PyType_FromSpec(&spec);
    int failed = !type || PyModule_AddObjectRef(module, "LineExchange", type) < 0 ||
                 PyModule_AddIntConstant(module, "LATE", LATE) < 0 ||
                 PyModule_AddIntConstant(module, "UNASKED", UNASKED) < 0 ||
                 PyModule_AddIntConstant(module, "CLOSED", CLOSED) < 0 ||
                 PyModule_AddIntConstant(module, "ANSWERED", ANSWERED) < 0;
    Py_XDECREF(type);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "fa_cli.isolation.line_exchange", .m_slots = module_slots};

PyMODINIT_FUNC PyInit_line_exchange(void) { return PyModuleDef_Init(&module); }
