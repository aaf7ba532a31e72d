"""Java records, decoded from the kit's small `Json` class."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import Anything, Field, Flag, Items, Keyed, Maybe, Named, Record, Some, Text, Type, Whole, camel, wrapped
from ..model import about as about_field


def write(records: Sequence[Record], about: str) -> str:
    """The file `Messages.java`: several records, none of them public, may stand in one file."""
    imports = [f"import java.util.{name};" for name in ("List", "Map", "StringJoiner", "function.Function")]
    head = [*wrapped(about, "// "), "", *imports]
    return "\n".join([*head, *(line for record in records for line in _record(record))]) + "\n"


def name_of(kind: Type, boxed: bool = False) -> str:
    """A type as Java writes it; `boxed` where null may stand for it."""
    match kind:
        case Text():
            return "String"
        case Whole():
            return "Integer" if boxed else "int"
        case Flag():
            return "Boolean" if boxed else "boolean"
        case Items(of):
            return f"List<{name_of(of, boxed=True)}>"
        case Keyed(of):
            return f"Map<String, {name_of(of, boxed=True)}>"
        case Named(name):
            return name
        case Maybe(of):
            return name_of(of, boxed=True)
        case Some() | Anything():
            return "Json"


def _record(record: Record) -> list[str]:
    parts = [f"{name_of(field.decoded_type)} {camel(field.name)}" for field in record.variable_fields]
    one_line = f"record {record.name}({', '.join(parts)}) {{"
    head = [one_line] if len(one_line) <= 120 else [f"record {record.name}(", *_listed(parts), ") {"]
    code = _encode(record) if record.from_bots else _decode(record)
    return ["", "/**", *wrapped(record.doc, " * "), *_parameters(record), " */", *head, *code, "}"]


def _parameters(record: Record) -> list[str]:
    documented = [(field, _about(field)) for field in record.variable_fields]
    lines = [line for field, doc in documented if doc for line in wrapped(f"@param {camel(field.name)} {doc}", " * ")]
    return [" *", *lines] if lines else []


def _about(field: Field) -> str:
    empty = "null where there is none." if isinstance(field.decoded_type, Maybe) else ""
    return " ".join(part for part in (about_field(field), empty) if part)


def _listed(parts: Sequence[str]) -> list[str]:
    return [f"        {part}{',' if number < len(parts) else ''}" for number, part in enumerate(parts, 1)]


def _decode(record: Record) -> list[str]:
    values = _listed([_value(field) for field in record.variable_fields])
    made = [f"        return new {record.name}(", *(f"    {line}" for line in values)] if values else []
    made = [*made[:-1], f"{made[-1]});"] if made else [f"        return new {record.name}();"]
    return [f"    static {record.name} decode(Json json) {{", *made, "    }"]


def _value(field: Field) -> str:
    json = f'json.get("{field.name}")'
    match field.type, field.default:
        case Whole(), int(default) if default:
            return f"{json}.whole({default})"
        case Text(), str(default) if default:
            return f'{json}.text("{default}")'
    return _read(field.decoded_type, json)


def _read(kind: Type, json: str, depth: int = 1) -> str:
    match kind:
        case Text():
            return f"{json}.text()"
        case Whole():
            return f"{json}.whole()"
        case Flag():
            return f"{json}.flag()"
        case Items(of):
            return f"{json}.items({_reader(of, depth)})"
        case Keyed(of):
            return f"{json}.table({_reader(of, depth)})"
        case Maybe(of):
            return f"{json}.maybe({_reader(of, depth)})"
        case Named(name):
            return f"{name}.decode({json})"
        case Some() | Anything():
            return json


def _reader(kind: Type, depth: int) -> str:
    """A function that decodes a type. The parameter's name differs at each depth, as nested lambdas require."""
    match kind:
        case Text():
            return "Json::text"
        case Whole():
            return "Json::whole"
        case Flag():
            return "Json::flag"
        case Named(name):
            return f"{name}::decode"
        case Some() | Anything():
            return "Function.identity()"
        case Items() | Keyed() | Maybe():
            each = f"each{depth}"
            return f"{each} -> {_read(kind, each, depth + 1)}"


def _encode(record: Record) -> list[str]:
    """The method that encodes a record; it omits fields without a value."""
    lines = ["    String encode() {", '        StringJoiner fields = new StringJoiner(",", "{", "}");']
    for field in record.fields:
        name = camel(field.name)
        if field.constant is not None:
            lines.append(f'        fields.add("\\"{field.name}\\":\\"{field.constant}\\"");')
        elif isinstance(field.decoded_type, Maybe):
            lines += [f"        if ({name} != null) {{", f"            {_add(field)}", "        }"]
        else:
            lines.append(f"        {_add(field)}")
    return [*lines, "        return fields.toString();", "    }"]


def _add(field: Field) -> str:
    kind, name = (
        field.decoded_type.of if isinstance(field.decoded_type, Maybe) else field.decoded_type,
        camel(field.name),
    )
    text = f"Json.quote({name})" if isinstance(kind, Text | Items) else name
    return f'fields.add("\\"{field.name}\\":" + {text});'
