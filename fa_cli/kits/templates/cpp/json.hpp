// JSON, as much of it as the protocol needs: what is asked of a value that is not there is 0, "", false or nothing.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

class Json {
public:
    // The value of a line. Throws std::runtime_error if it is no JSON.
    static Json parse(const std::string& line) {
        const char* at = line.c_str();
        return value(at);
    }

    // The field of an object; null if it is not there.
    const Json& get(const std::string& name) const {
        static const Json nothing;
        auto found = fields_.find(name);
        return found == fields_.end() ? nothing : found->second;
    }

    bool is_null() const { return kind_ == Kind::null; }
    std::string text(const std::string& otherwise = "") const { return is_null() ? otherwise : text_; }
    int whole(int otherwise = 0) const { return is_null() ? otherwise : static_cast<int>(number_); }
    bool flag() const { return number_ != 0; }

    // Each item of a list, read by a function.
    template <class Read>
    auto items(Read read) const -> std::vector<decltype(read(std::declval<const Json&>()))> {
        std::vector<decltype(read(*this))> all;
        for (const Json& item : items_) all.push_back(read(item));
        return all;
    }

    // Each value of an object, read by a function, by its name.
    template <class Read>
    auto table(Read read) const -> std::map<std::string, decltype(read(std::declval<const Json&>()))> {
        std::map<std::string, decltype(read(*this))> all;
        for (const auto& [name, field] : fields_) all[name] = read(field);
        return all;
    }

    // The value, read by a function, unless it is null or not there.
    template <class Read>
    auto maybe(Read read) const -> std::optional<decltype(read(std::declval<const Json&>()))> {
        if (is_null()) return std::nullopt;
        return read(*this);
    }

private:
    enum class Kind { null, flag, number, text, list, object };

    Kind kind_ = Kind::null;
    double number_ = 0;
    std::string text_;
    std::vector<Json> items_;
    std::map<std::string, Json> fields_;

    static void blank(const char*& at) {
        while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') at++;
    }

    // Whether this comes next, blanks aside; if so, it is behind us.
    static bool comes(const char*& at, char wanted) {
        blank(at);
        if (*at != wanted) return false;
        at++;
        return true;
    }

    static void expect(const char*& at, char wanted) {
        if (!comes(at, wanted)) throw std::runtime_error(std::string("no JSON: there is no ") + wanted);
    }

    static Json value(const char*& at) {
        Json read;
        blank(at);
        switch (*at) {
            case '{': read.object(at); break;
            case '[': read.list(at); break;
            case '"':
                read.kind_ = Kind::text;
                read.text_ = quoted(at);
                break;
            case 'n': word(at, "null"); break;
            case 't':
                word(at, "true");
                read.number_ = 1;
                read.kind_ = Kind::flag;
                break;
            case 'f':
                word(at, "false");
                read.kind_ = Kind::flag;
                break;
            default: {
                char* end = nullptr;
                read.kind_ = Kind::number;
                read.number_ = std::strtod(at, &end);
                if (end == at) throw std::runtime_error("no JSON: there is no value");
                at = end;
            }
        }
        return read;
    }

    static void word(const char*& at, const char* wanted) {
        for (; *wanted; wanted++, at++)
            if (*at != *wanted) throw std::runtime_error("no JSON: there is no value");
    }

    void object(const char*& at) {
        kind_ = Kind::object;
        expect(at, '{');
        if (comes(at, '}')) return;
        do {
            blank(at);
            std::string name = quoted(at);
            expect(at, ':');
            fields_[name] = value(at);
        } while (comes(at, ','));
        expect(at, '}');
    }

    void list(const char*& at) {
        kind_ = Kind::list;
        expect(at, '[');
        if (comes(at, ']')) return;
        do items_.push_back(value(at));
        while (comes(at, ','));
        expect(at, ']');
    }

    static std::string quoted(const char*& at) {
        std::string found;
        expect(at, '"');
        for (; *at != '"'; at++) {
            if (!*at) throw std::runtime_error("no JSON: a text has no end");
            if (*at == '\\')
                found += escaped(++at);
            else
                found += *at;
        }
        at++;
        return found;
    }

    // Leaves `at` on the last character of what it reads.
    static std::string escaped(const char*& at) {
        switch (*at) {
            case '\0': throw std::runtime_error("no JSON: a text has no end");
            case 'b': return "\b";
            case 'f': return "\f";
            case 'n': return "\n";
            case 'r': return "\r";
            case 't': return "\t";
            case 'u': break;
            default: return std::string(1, *at);
        }
        unsigned long code = hex(at);
        if (code >= 0xd800 && code < 0xdc00 && at[1] == '\\' && at[2] == 'u') {  // what does not fit into one
            at += 2;
            code = 0x10000 + ((code - 0xd800) << 10) + (hex(at) - 0xdc00);
        }
        return utf8(code);
    }

    static unsigned long hex(const char*& at) {
        std::string digits;
        for (int digit = 0; digit < 4; digit++) {
            if (!*++at) throw std::runtime_error("no JSON: a text has no end");
            digits += *at;
        }
        return std::strtoul(digits.c_str(), nullptr, 16);
    }

    static std::string utf8(unsigned long code) {
        if (code < 0x80) return std::string(1, static_cast<char>(code));
        std::string bytes;
        int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        bytes += static_cast<char>((0xf00 >> more & 0xff) | (code >> 6 * more));
        while (more--) bytes += static_cast<char>(0x80 | (code >> 6 * more & 0x3f));
        return bytes;
    }
};

// Texts joined by commas.
inline std::string join(const std::vector<std::string>& texts) {
    std::string joined;
    for (const std::string& text : texts) joined += (joined.empty() ? "" : ",") + text;
    return joined;
}

// A text as JSON writes it.
inline std::string quote(const std::string& text) {
    std::string quoted = "\"";
    for (char letter : text) {
        if (letter == '"' || letter == '\\') quoted += '\\';
        if (static_cast<unsigned char>(letter) < ' ') {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", letter);
            quoted += code;
        } else {
            quoted += letter;
        }
    }
    return quoted + "\"";
}

// A list of texts as JSON writes it.
inline std::string quote(const std::vector<std::string>& texts) {
    std::vector<std::string> quoted;
    for (const std::string& text : texts) quoted.push_back(quote(text));
    return "[" + join(quoted) + "]";
}
