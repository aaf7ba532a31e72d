import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** JSON, as much of it as the protocol needs: what is asked of a value that is not there is 0, "", false or nothing. */
final class Json {
    private static final Json NULL = new Json(null);

    /** A String, Double, Boolean, List of Json, Map of Json, or null. */
    private final Object value;

    private Json(Object value) {
        this.value = value;
    }

    /** The value of a line. Throws IllegalArgumentException if it is no JSON. */
    static Json parse(String line) {
        return new Reader(line).value();
    }

    /** The field of an object; null if it is not there. */
    Json get(String name) {
        return value instanceof Map<?, ?> fields && fields.get(name) instanceof Json field ? field : NULL;
    }

    String text() {
        return text("");
    }

    String text(String otherwise) {
        return value instanceof String text ? text : otherwise;
    }

    int whole() {
        return whole(0);
    }

    int whole(int otherwise) {
        return value instanceof Double number ? number.intValue() : otherwise;
    }

    boolean flag() {
        return Boolean.TRUE.equals(value);
    }

    /** Each item of a list, read by a function. */
    <T> List<T> items(Function<Json, T> read) {
        List<T> all = new ArrayList<>();
        if (value instanceof List<?> items) {
            for (Object item : items) all.add(read.apply((Json) item));
        }
        return all;
    }

    /** Each value of an object, read by a function, by its name. */
    <T> Map<String, T> table(Function<Json, T> read) {
        Map<String, T> all = new TreeMap<>();
        if (value instanceof Map<?, ?> fields) {
            fields.forEach((name, field) -> all.put((String) name, read.apply((Json) field)));
        }
        return all;
    }

    /** The value, read by a function; null if it is null or not there. */
    <T> T maybe(Function<Json, T> read) {
        return value == null ? null : read.apply(this);
    }

    /** A text as JSON writes it. */
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            if (letter == '"' || letter == '\\') quoted.append('\\');
            if (letter < ' ') quoted.append(String.format("\\u%04x", (int) letter));
            else quoted.append(letter);
        }
        return quoted.append('"').toString();
    }

    /** A list of texts as JSON writes it. */
    static String quote(List<String> texts) {
        return texts.stream().map(Json::quote).collect(Collectors.joining(",", "[", "]"));
    }

    private static final class Reader {
        private final String line;
        private int at = 0;

        Reader(String line) {
            this.line = line;
        }

        Json value() {
            switch (next()) {
                case '{':
                    return new Json(object());
                case '[':
                    return new Json(list());
                case '"':
                    return new Json(text());
                case 't':
                    return word("true", true);
                case 'f':
                    return word("false", false);
                case 'n':
                    return word("null", null);
                default:
                    return new Json(number());
            }
        }

        /** The next character that is no blank; it is still to be read. */
        private char next() {
            while (at < line.length() && line.charAt(at) <= ' ') at++;
            if (at >= line.length()) throw new IllegalArgumentException("no JSON: it ends too soon");
            return line.charAt(at);
        }

        private boolean comes(char wanted) {
            if (next() != wanted) return false;
            at++;
            return true;
        }

        private void expect(char wanted) {
            if (!comes(wanted)) throw new IllegalArgumentException("no JSON: there is no " + wanted + " at " + at);
        }

        private Json word(String wanted, Boolean value) {
            if (!line.startsWith(wanted, at)) throw new IllegalArgumentException("no JSON at " + at);
            at += wanted.length();
            return new Json(value);
        }

        private Double number() {
            int from = at;
            while (at < line.length() && "+-.eE0123456789".indexOf(line.charAt(at)) >= 0) at++;
            return Double.valueOf(line.substring(from, at));
        }

        private String text() {
            StringBuilder found = new StringBuilder();
            expect('"');
            while (at < line.length() && line.charAt(at) != '"') {
                char letter = line.charAt(at++);
                found.append(letter == '\\' ? escaped() : letter);
            }
            expect('"');
            return found.toString();
        }

        private char escaped() {
            char letter = line.charAt(at++);
            switch (letter) {
                case 'b':
                    return '\b';
                case 'f':
                    return '\f';
                case 'n':
                    return '\n';
                case 'r':
                    return '\r';
                case 't':
                    return '\t';
                case 'u':
                    at += 4;
                    return (char) Integer.parseInt(line.substring(at - 4, at), 16);
                default:
                    return letter;
            }
        }

        private List<Json> list() {
            List<Json> items = new ArrayList<>();
            expect('[');
            if (comes(']')) return items;
            do items.add(value());
            while (comes(','));
            expect(']');
            return items;
        }

        private Map<String, Json> object() {
            Map<String, Json> fields = new TreeMap<>();
            expect('{');
            if (comes('}')) return fields;
            do {
                next();
                String name = text();
                expect(':');
                fields.put(name, value());
            } while (comes(','));
            expect('}');
            return fields;
        }
    }
}
