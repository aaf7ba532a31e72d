/* JSON read where it stands: a value is a pointer to its first character, and nothing is copied. Whatever is asked of
   NULL is NULL, 0 or false, so that json_field(json_field(seen, "auction"), "high") needs no checks in between. Names
   and texts are compared as they are written; those of the protocol have no escapes in them. */
#ifndef JSON_H
#define JSON_H

#include <stdlib.h>
#include <string.h>

typedef const char *Json;

static inline Json json_blank(Json at) { return at + strspn(at, " \t\r\n"); }

static inline Json json_skip_text(Json at) {
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1]) at++;
    return *at ? at + 1 : at;
}

/* What follows a value. */
static inline Json json_skip(Json at) {
    int depth = 0;
    do {
        if (*at == '"')
            at = json_skip_text(at);
        else if (*at == '{' || *at == '[')
            depth++, at++;
        else if (*at == '}' || *at == ']')
            depth--, at++;
        else
            at += depth ? 1 : strcspn(at, ",:]} \t\r\n");
    } while (depth > 0 && *at);
    return json_blank(at);
}

/* The first item of a list, or the first name of a table; NULL if there is none. */
static inline Json json_first(Json list) {
    if (!list || (*list != '[' && *list != '{')) return NULL;
    list = json_blank(list + 1);
    return *list && *list != ']' && *list != '}' ? list : NULL;
}

/* The value that belongs to a name of a table. */
static inline Json json_value(Json name) {
    Json colon = name ? json_skip(name) : "";
    return *colon == ':' ? json_blank(colon + 1) : NULL;
}

/* The item of a list, or the value of a table, after this one; the name of the latter comes before it. */
static inline Json json_next(Json value) {
    Json comma = value ? json_skip(value) : "";
    return *comma == ',' ? json_blank(comma + 1) : NULL;
}

static inline Json json_item(Json list, int place) {
    Json at = json_first(list);
    while (at && place-- > 0) at = json_next(at);
    return at;
}

static inline int json_count(Json list) {
    int count = 0;
    for (Json at = json_first(list); at; at = json_next(at)) count++;
    return count;
}

/* Whether it is this text. */
static inline int json_is(Json text, const char *word) {
    size_t length = strlen(word);
    return text && *text == '"' && !strncmp(text + 1, word, length) && text[length + 1] == '"';
}

static inline Json json_field(Json table, const char *name) {
    Json at = table && *table == '{' ? json_first(table) : NULL;
    while (at && !json_is(at, name)) at = json_next(json_value(at));
    return at ? json_value(at) : NULL;
}

static inline int json_is_null(Json value) { return !value || *value == 'n'; }
static inline int json_whole(Json value, int otherwise) { return json_is_null(value) ? otherwise : atoi(value); }
static inline int json_flag(Json value) { return value && *value == 't'; }

/* A text copied out, cut to the space there is. */
static inline void json_copy(Json text, char *into, size_t space) {
    size_t used = 0;
    if (text && *text == '"')
        for (text++; *text && *text != '"' && used + 1 < space; text++) into[used++] = *text;
    into[used] = 0;
}

#endif
