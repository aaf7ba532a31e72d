/* Lines of decisions as bytes, compiled: see decision_lines.py, which says what everything means. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

enum { MOST_PARTS = 9, DIGITS = 18 };

typedef struct {
    const char *text;
    Py_ssize_t size;
} Part;

static PyObject *join(const Part *parts, int count) {
    Py_ssize_t size = 0;
    for (int part = 0; part < count; part++) size += parts[part].size;
    PyObject *joined = PyBytes_FromStringAndSize(NULL, size);
    if (!joined) return NULL;
    char *out = PyBytes_AS_STRING(joined);
    for (int part = 0; part < count; part++) {
        memcpy(out, parts[part].text, parts[part].size);
        out += parts[part].size;
    }
    return joined;
}

/* The size of the array's text, or -1 with an exception. With `out`, the text is written there, too. */
static Py_ssize_t write_array(PyObject *texts, PyObject *legal, char *out) {
    Py_ssize_t count = PySequence_Fast_GET_SIZE(legal), known = PySequence_Fast_GET_SIZE(texts), size = 1;
    if (out) out[0] = '[';
    for (Py_ssize_t index = 0; index < count; index++) {
        Py_ssize_t action = PyLong_AsSsize_t(PySequence_Fast_GET_ITEM(legal, index));
        if (action < 0 || action >= known) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_IndexError, "no text has the number of this action");
            return -1;
        }
        PyObject *text = PySequence_Fast_GET_ITEM(texts, action);
        if (!PyBytes_Check(text)) {
            PyErr_SetString(PyExc_TypeError, "texts are bytes");
            return -1;
        }
        if (index) {
            if (out) out[size] = ',';
            size++;
        }
        if (out) memcpy(out + size, PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text));
        size += PyBytes_GET_SIZE(text);
    }
    if (out) out[size] = ']';
    return size + 1;
}

static PyObject *legal_json(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "legal_json() takes texts and numbers of actions");
        return NULL;
    }
    PyObject *texts = PySequence_Fast(args[0], "texts are a sequence"), *joined = NULL;
    PyObject *legal = texts ? PySequence_Fast(args[1], "legal actions are a sequence") : NULL;
    Py_ssize_t size = legal ? write_array(texts, legal, NULL) : -1;
    if (size >= 0 && (joined = PyBytes_FromStringAndSize(NULL, size)))
        write_array(texts, legal, PyBytes_AS_STRING(joined));
    Py_XDECREF(texts);
    Py_XDECREF(legal);
    return joined;
}

static PyObject *decide_line(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const char *const names[] = {NULL, NULL, ",\"legal\":", ",\"events\":", ",\"observation\":"};
    char head[64];
    Part parts[MOST_PARTS];
    int used = 0;
    (void)module;
    if (count != 5) {
        PyErr_SetString(PyExc_TypeError, "decide_line() takes a number, the clock, and three fields");
        return NULL;
    }
    long long number = PyLong_AsLongLong(args[0]);
    if (number == -1 && PyErr_Occurred()) return NULL;
    int size = PyOS_snprintf(head, sizeof head, "{\"type\":\"decide\",\"id\":%lld,\"clock\":", number);
    parts[used++] = (Part){head, size};
    for (int field = 1; field < 5; field++) {
        if (args[field] == Py_None && field > 1) continue;
        if (!PyBytes_Check(args[field])) {
            PyErr_SetString(PyExc_TypeError, "fields are bytes");
            return NULL;
        }
        if (names[field]) parts[used++] = (Part){names[field], (Py_ssize_t)strlen(names[field])};
        parts[used++] = (Part){PyBytes_AS_STRING(args[field]), PyBytes_GET_SIZE(args[field])};
    }
    parts[used++] = (Part){"}\n", 2};
    return join(parts, used);
}

/* Whether the text begins here; moves behind it, and behind a blank if one may follow and does. */
static int skip(const char **at, const char *text, int blank) {
    size_t size = strlen(text);
    if (strncmp(*at, text, size) != 0) return 0; /* bytes objects end with a zero */
    *at += size;
    if (blank && **at == ' ') ++*at;
    return 1;
}

/* Whether `"id":` and this number are here; moves behind them. */
static int skip_id(const char **at, long long number) {
    long long id = 0;
    int digits = 0;
    if (!skip(at, "\"id\":", 1)) return 0;
    const char *first = *at;
    for (; **at >= '0' && **at <= '9' && digits < DIGITS; ++*at, ++digits) id = 10 * id + (**at - '0');
    return digits && (*first != '0' || digits == 1) && id == number;
}

static PyObject *plain_action(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    (void)module;
    if (count != 2 || !PyBytes_Check(args[0])) {
        PyErr_SetString(PyExc_TypeError, "plain_action() takes a line as bytes, and a number");
        return NULL;
    }
    long long number = PyLong_AsLongLong(args[1]);
    if (number == -1 && PyErr_Occurred()) return NULL;
    const char *at = PyBytes_AS_STRING(args[0]), *end = at + PyBytes_GET_SIZE(args[0]);
    if (!skip(&at, "{", 0)) Py_RETURN_NONE;
    int has_id = strncmp(at, "\"id\"", 4) == 0;
    if (has_id && (!skip_id(&at, number) || !skip(&at, ",", 1))) Py_RETURN_NONE;
    if (!skip(&at, "\"action\":", 1) || !skip(&at, "\"", 0)) Py_RETURN_NONE;
    const char *action = at;
    while (*at >= ' ' && *at <= '~' && *at != '"' && *at != '\\') at++;
    Py_ssize_t size = at - action;
    if (!skip(&at, "\"", 0)) Py_RETURN_NONE;
    if (!has_id && *at == ',' && (!skip(&at, ",", 1) || !skip_id(&at, number))) Py_RETURN_NONE;
    if (!skip(&at, "}\n", 0) || at != end) Py_RETURN_NONE;
    return PyUnicode_DecodeASCII(action, size, NULL);
}

static PyMethodDef methods[] = {
    {"legal_json", (PyCFunction)(void (*)(void))legal_json, METH_FASTCALL, NULL},
    {"decide_line", (PyCFunction)(void (*)(void))decide_line, METH_FASTCALL, NULL},
    {"plain_action", (PyCFunction)(void (*)(void))plain_action, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "fa_cli.protocol.decision_lines", .m_methods = methods};

PyMODINIT_FUNC PyInit_decision_lines(void) { return PyModuleDef_Init(&module); }
