/* Lines of decisions as bytes, compiled: see decision_lines.py, which says what everything means. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

enum { FOUND = 128, FIELDS = 5, DIGITS = 18, MOST_DIGITS = 20 };

typedef struct {
    const char *text;
    Py_ssize_t size;
} Part;

#define PART(text) {text, sizeof text - 1}

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

/* The value of a small number; -1 for any other object. */
static Py_ssize_t small(PyObject *number) {
    if (!PyLong_CheckExact(number)) return -1;
#if PY_VERSION_HEX >= 0x030C0000
    PyLongObject *value = (PyLongObject *)number;
    return PyUnstable_Long_IsCompact(value) ? PyUnstable_Long_CompactValue(value) : -1;
#else
    Py_ssize_t digits = Py_SIZE(number);
    return digits == 1 ? (Py_ssize_t)((PyLongObject *)number)->ob_digit[0] : digits == 0 ? 0 : -1;
#endif
}

/* The legal actions: their numbers, and the texts of all actions by number. */
typedef struct {
    PyObject *texts, *legal;
    PyObject **text_items, **legal_items;
    Py_ssize_t known, count;
} Choices;

static void close_choices(Choices *choices) {
    Py_XDECREF(choices->texts);
    Py_XDECREF(choices->legal);
}

/* Whether both are sequences; else an exception is set. */
static int open_choices(Choices *choices, PyObject *texts, PyObject *legal) {
    choices->legal = NULL;
    choices->texts = PySequence_Fast(texts, "texts are a sequence");
    if (choices->texts) choices->legal = PySequence_Fast(legal, "legal actions are a sequence");
    if (!choices->legal) {
        close_choices(choices);
        return 0;
    }
    choices->text_items = PySequence_Fast_ITEMS(choices->texts);
    choices->known = PySequence_Fast_GET_SIZE(choices->texts);
    choices->legal_items = PySequence_Fast_ITEMS(choices->legal);
    choices->count = PySequence_Fast_GET_SIZE(choices->legal);
    return 1;
}

/* The text of a legal action, borrowed; NULL with an exception. */
static inline PyObject *text_of(const Choices *choices, Py_ssize_t index) {
    Py_ssize_t action = small(choices->legal_items[index]);
    if (action < 0 || action >= choices->known)
        return PyErr_Format(PyExc_IndexError, "no text has the number of this action");
    PyObject *text = choices->text_items[action];
    return PyBytes_Check(text) ? text : PyErr_Format(PyExc_TypeError, "texts are bytes");
}

/* Join the texts as a JSON array. */
static PyObject *array(const Choices *choices) {
    PyObject *found[FOUND]; /* the first texts, which need not be looked up twice */
    Py_ssize_t size = choices->count ? 1 : 2;
    for (Py_ssize_t index = 0; index < choices->count; index++) {
        PyObject *text = text_of(choices, index);
        if (!text) return NULL;
        if (index < FOUND) found[index] = text;
        size += PyBytes_GET_SIZE(text) + 1;
    }
    PyObject *joined = PyBytes_FromStringAndSize(NULL, size);
    if (!joined) return NULL;
    char *out = PyBytes_AS_STRING(joined);
    *out++ = '[';
    for (Py_ssize_t index = 0; index < choices->count; index++) {
        PyObject *text = index < FOUND ? found[index] : text_of(choices, index);
        memcpy(out, PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text));
        out += PyBytes_GET_SIZE(text);
        *out++ = ',';
    }
    PyBytes_AS_STRING(joined)[size - 1] = ']';
    return joined;
}

static PyObject *legal_json(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    Choices choices;
    (void)module;
    if (count != 2) return PyErr_Format(PyExc_TypeError, "legal_json() takes texts and numbers of actions");
    if (!open_choices(&choices, args[0], args[1])) return NULL;
    PyObject *joined = array(&choices);
    close_choices(&choices);
    return joined;
}

/* The index of the legal action with this text; -1 if there is none, -2 with an exception. */
static Py_ssize_t find(const Choices *choices, const char *action, Py_ssize_t size) {
    for (Py_ssize_t index = 0; index < choices->count; index++) {
        PyObject *text = text_of(choices, index);
        if (!text) return -2;
        if (PyBytes_GET_SIZE(text) == size + 2 && memcmp(PyBytes_AS_STRING(text) + 1, action, size) == 0) return index;
    }
    return -1;
}

static PyObject *place_of(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    Choices choices;
    Py_ssize_t size;
    (void)module;
    if (count != 3 || !PyUnicode_Check(args[2]))
        return PyErr_Format(PyExc_TypeError, "place_of() takes texts and numbers of actions, and an action");
    if (!PyUnicode_IS_ASCII(args[2])) return PyLong_FromLong(-1);
    const char *action = PyUnicode_AsUTF8AndSize(args[2], &size);
    if (!action || !open_choices(&choices, args[0], args[1])) return NULL;
    Py_ssize_t index = find(&choices, action, size);
    close_choices(&choices);
    return index < -1 ? NULL : PyLong_FromSsize_t(index);
}

/* The number's digits; they end where `end` points, and begin where the result does. */
static char *digits_before(char *end, unsigned long long number) {
    do *--end = (char)('0' + number % 10);
    while (number /= 10);
    return end;
}

static PyObject *decide_line(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    static const Part names[] = {PART("{\"type\":\"decide\",\"id\":"), PART(",\"clock\":"), PART(",\"legal\":"),
                                 PART(",\"events\":"), PART(",\"observation\":")};
    char digits[MOST_DIGITS];
    Part parts[2 * FIELDS + 1];
    int used = 0;
    (void)module;
    if (count != FIELDS)
        return PyErr_Format(PyExc_TypeError, "decide_line() takes a number, the clock, and three fields");
    unsigned long long number = PyLong_AsUnsignedLongLong(args[0]);
    if (PyErr_Occurred()) return NULL;
    char *first = digits_before(digits + MOST_DIGITS, number);
    parts[used++] = names[0];
    parts[used++] = (Part){first, digits + MOST_DIGITS - first};
    for (int field = 1; field < FIELDS; field++) {
        if (args[field] == Py_None && field > 1) continue;
        if (!PyBytes_Check(args[field])) return PyErr_Format(PyExc_TypeError, "fields are bytes");
        parts[used++] = names[field];
        parts[used++] = (Part){PyBytes_AS_STRING(args[field]), PyBytes_GET_SIZE(args[field])};
    }
    parts[used++] = (Part)PART("}\n");
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
    if (count != 2 || !PyBytes_Check(args[0]))
        return PyErr_Format(PyExc_TypeError, "plain_action() takes a line as bytes, and a number");
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
    {"place_of", (PyCFunction)(void (*)(void))place_of, METH_FASTCALL, NULL},
    {"decide_line", (PyCFunction)(void (*)(void))decide_line, METH_FASTCALL, NULL},
    {"plain_action", (PyCFunction)(void (*)(void))plain_action, METH_FASTCALL, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "fa_cli.protocol.decision_lines", .m_methods = methods};

PyMODINIT_FUNC PyInit_decision_lines(void) { return PyModuleDef_Init(&module); }
