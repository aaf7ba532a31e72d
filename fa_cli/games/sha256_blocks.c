/* The blocks of a random stream (chance.py): SHA-256 of a short prefix and a block's number. And shuffling by them.
 *
 * hashlib takes five times as long to set up a hash as to compute it, and a deal needs dozens. A message here fits into
 * one block of SHA-256. Only for x86_64 processors with SHA instructions: elsewhere the import fails, and hashlib is as
 * fast as this would be.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#define BLOCK 64
#define DIGEST 32
#define NUMBER 8
#define MOST_ITEMS 256
#define MOST_PREFIX (BLOCK - 1 - 2 * NUMBER) /* after it: the block's number, one byte 0x80, the length in bits */

static void write_number(uint8_t *at, uint64_t number)
{
    for (int byte = NUMBER - 1; byte >= 0; byte--, number >>= 8)
        at[byte] = (uint8_t)number;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#include <immintrin.h>

static const uint32_t START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static int has_instructions(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3))
        return 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1);
}

/* The digest of a message that is one block, padding included (FIPS 180-4). The instructions keep the state as (a, b, e,
 * f) and (c, d, g, h). */
__attribute__((target("sha,sse4.1,ssse3"))) static void compress(const uint8_t *block, uint32_t *state)
{
    const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    const __m128i abef_before = _mm_set_epi32((int)START[0], (int)START[1], (int)START[4], (int)START[5]);
    const __m128i cdgh_before = _mm_set_epi32((int)START[2], (int)START[3], (int)START[6], (int)START[7]);
    __m128i abef = abef_before, cdgh = cdgh_before, w[16];
    for (int i = 0; i < 4; i++)
        w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + 16 * i)), order);
    for (int i = 4; i < 16; i++) {
        __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i - 4], w[i - 3]), _mm_alignr_epi8(w[i - 1], w[i - 2], 4));
        w[i] = _mm_sha256msg2_epu32(sum, w[i - 1]);
    }
    for (int i = 0; i < 16; i++) {
        __m128i four = _mm_add_epi32(w[i], _mm_loadu_si128((const __m128i *)(K + 4 * i)));
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, four);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(four, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
    _mm_storeu_si128((__m128i *)state, _mm_shuffle_epi32(_mm_unpackhi_epi64(cdgh, abef), 0x1b));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_shuffle_epi32(_mm_unpacklo_epi64(cdgh, abef), 0x1b));
}
#else
static int has_instructions(void)
{
    return 0;
}
static void compress(const uint8_t *block, uint32_t *state)
{
    (void)block, (void)state;
}
#endif

/* Write SHA-256(prefix || number as 8 bytes) for `count` numbers from `first` on. Returns 0, or -1 with an exception. */
static int write_blocks(Py_buffer *prefix, Py_ssize_t first, Py_ssize_t count, uint8_t *to)
{
    uint8_t block[BLOCK] = {0};
    uint32_t state[8];
    if (prefix->len > MOST_PREFIX || first < 0) {
        PyErr_Format(PyExc_ValueError, "a prefix has at most %d bytes, and blocks count from 0", MOST_PREFIX);
        return -1;
    }
    memcpy(block, prefix->buf, (size_t)prefix->len);
    block[prefix->len + NUMBER] = 0x80;
    write_number(block + BLOCK - NUMBER, 8 * (uint64_t)(prefix->len + NUMBER));
    for (Py_ssize_t number = 0; number < count; number++) {
        write_number(block + prefix->len, (uint64_t)first + (uint64_t)number);
        compress(block, state);
        for (int word = 0; word < 8; word++, to += 4) {
            to[0] = (uint8_t)(state[word] >> 24);
            to[1] = (uint8_t)(state[word] >> 16);
            to[2] = (uint8_t)(state[word] >> 8);
            to[3] = (uint8_t)state[word];
        }
    }
    return 0;
}

/* blocks(prefix, first, count) -> bytes */
static PyObject *blocks(PyObject *module, PyObject *arguments)
{
    (void)module;
    Py_buffer prefix;
    Py_ssize_t first, count;
    if (!PyArg_ParseTuple(arguments, "y*nn", &prefix, &first, &count))
        return NULL;
    PyObject *result = NULL;
    if (count < 0 || count > PY_SSIZE_T_MAX / DIGEST / 2)
        PyErr_SetString(PyExc_ValueError, "so many blocks cannot be computed");
    else
        result = PyBytes_FromStringAndSize(NULL, count * DIGEST);
    if (result != NULL && write_blocks(&prefix, first, count, (uint8_t *)PyBytes_AS_STRING(result)) < 0)
        Py_CLEAR(result);
    PyBuffer_Release(&prefix);
    return result;
}

static uint64_t read_number(const uint8_t *at)
{
    uint64_t number = 0;
    for (int byte = 0; byte < NUMBER; byte++)
        number = number << 8 | at[byte];
    return number;
}

/* shuffle(prefix, first, items) -> bool: shuffle the list with the words from block `first` on. False, with nothing
 * changed, if it has more than MOST_ITEMS, or if a word might be one that chance.py rejects. */
static PyObject *shuffle(PyObject *module, PyObject *arguments)
{
    (void)module;
    Py_buffer prefix;
    Py_ssize_t first;
    PyObject *items;
    uint8_t data[MOST_ITEMS * NUMBER];
    if (!PyArg_ParseTuple(arguments, "y*nO!", &prefix, &first, &PyList_Type, &items))
        return NULL;
    Py_ssize_t size = PyList_GET_SIZE(items), words = size > 0 ? size - 1 : 0;
    int failed = size <= MOST_ITEMS && write_blocks(&prefix, first, (words * NUMBER + DIGEST - 1) / DIGEST, data) < 0;
    PyBuffer_Release(&prefix);
    if (failed)
        return NULL;
    if (size > MOST_ITEMS)
        Py_RETURN_FALSE;
    for (Py_ssize_t word = 0; word < words; word++)
        if (read_number(data + word * NUMBER) >= UINT64_MAX - MOST_ITEMS)
            Py_RETURN_FALSE;
    for (Py_ssize_t word = 0; word < words; word++) {
        Py_ssize_t from = size - 1 - word, to = (Py_ssize_t)(read_number(data + word * NUMBER) % (uint64_t)(from + 1));
        PyObject *item = PyList_GET_ITEM(items, from);
        PyList_SET_ITEM(items, from, PyList_GET_ITEM(items, to));
        PyList_SET_ITEM(items, to, item);
    }
    Py_RETURN_TRUE;
}

static PyMethodDef METHODS[] = {
    {"blocks", blocks, METH_VARARGS, "Return SHA-256(prefix || number as 8 bytes) for `count` numbers from `first` on."},
    {"shuffle", shuffle, METH_VARARGS, "Shuffle a list as chance.py does, if that is simple, and return whether."},
    {NULL, NULL, 0, NULL}};
static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "sha256_blocks", NULL, 0, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_sha256_blocks(void)
{
    if (has_instructions())
        return PyModule_Create(&MODULE);
    PyErr_SetString(PyExc_ImportError, "this processor has no SHA instructions, or none that are used here");
    return NULL;
}
