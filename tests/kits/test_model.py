"""The protocol's schema as records, and these as types: optional and nullable fields, nested lists."""

from __future__ import annotations

import typing

import pytest

from fa_cli.kits.languages import LANGUAGES
from fa_cli.kits.model import (
    Anything,
    Field,
    Flag,
    Items,
    Keyed,
    Maybe,
    Named,
    Record,
    Some,
    Text,
    Whole,
    games,
    records,
)

from .test_kits import SCHEMA

NULL = {"type": "null"}
SMALL = {
    "$defs": {
        "Ready": {
            "properties": {"type": {"enum": ["ready"]}, "name": {"anyOf": [{"type": "string"}, NULL]}},
            "required": ["type"],
        },
        "Seen": {
            "description": "All of it.",
            "properties": {
                "type": {"enum": ["seen"]},
                "phase": {"enum": ["one", "two"], "description": "Which part."},
                "limit": {"type": "integer", "default": 7},
                "side": {"enum": ["a", "b"], "default": "a"},
                "id": {"type": "integer"},
                "over": {"type": "boolean"},
                "board": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "object",
                        "additionalProperties": {"$ref": "#/$defs/my-game.Plot"},
                    },
                },
                "sites": {
                    "type": "object",
                    "additionalProperties": {
                        "type": "array",
                        "items": {"anyOf": [{"$ref": "#/$defs/my-game.Plot"}, NULL]},
                    },
                },
                "deep": {
                    "type": "array",
                    "items": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
                },
                "lot": {"anyOf": [{"$ref": "#/$defs/my-game.Plot"}, NULL]},
                "any": {"anyOf": [{"$ref": "#/$defs/my-game.Plot"}, {"$ref": "#/$defs/Ready"}]},
                "options": {"type": "object"},
            },
            "required": ["type", "phase", "over", "board", "sites", "deep", "lot"],
        },
        "my-game.Plot": {
            "properties": {"owner": {"anyOf": [{"type": "integer"}, NULL], "default": None}},
            "required": [],
        },
        "my-game.Observation": {"properties": {}, "required": []},
    }
}
RECORDS = {record.name: record for record in records(SMALL)}
FIELDS = {field.name: field for field in RECORDS["Seen"].fields}


def test_records_come_after_those_that_they_are_made_of() -> None:
    assert [record.name for record in records(SMALL)] == ["Ready", "MyGamePlot", "Seen", "MyGameObservation"]
    assert games(SMALL) == ["my-game"]


def test_types() -> None:
    plot = Named("MyGamePlot")
    assert {name: field.type for name, field in FIELDS.items()} == {
        "type": Text(("seen",)),
        "phase": Text(("one", "two")),
        "limit": Whole(),
        "side": Text(("a", "b")),
        "id": Whole(),
        "over": Flag(),
        "board": Keyed(Keyed(plot)),
        "sites": Keyed(Items(Maybe(plot))),
        "deep": Items(Items(Items(Whole()))),
        "lot": Maybe(plot),
        "any": Some(("MyGamePlot", "Ready")),
        "options": Anything(),
    }


def test_what_may_be_missing_has_a_value_for_the_reader() -> None:
    assert FIELDS["id"].decoded_type == Maybe(Whole())  # no default: there may be none
    assert FIELDS["limit"].decoded_type == Whole() and FIELDS["limit"].default == 7
    assert RECORDS["MyGamePlot"].fields[0].decoded_type == Maybe(Whole())
    assert Field("legal", Items(Text()), False, None, "").decoded_type == Items(Text())  # empty


def test_a_constant_is_no_field_of_a_reader() -> None:
    assert FIELDS["type"].constant == "seen" and FIELDS["phase"].constant is None
    assert [field.name for field in RECORDS["Ready"].variable_fields] == ["name"]
    assert RECORDS["Ready"].from_bots and not RECORDS["Seen"].from_bots


# What stands in the types of each language for some of these fields.
WRITTEN = {
    "python": [
        "limit: NotRequired[int]",
        "sites: dict[str, list[MyGamePlot | None]]",
        "owner: NotRequired[int | None]",
    ],
    "javascript": [
        "{number} [limit]",
        "{Record<string, (MyGamePlot | null)[]>} sites",
        '{"one" | "two"} phase Which part.',
    ],
    "typescript": ["limit?: number;", "sites: Record<string, (MyGamePlot | null)[]>;", 'phase: "one" | "two";'],
    "rust": [
        'limit: json.get("limit").maybe(Json::whole).unwrap_or(7)',
        'side: json.get("side").maybe(Json::text).unwrap_or("a".to_string())',
        "pub sites: BTreeMap<String, Vec<Option<MyGamePlot>>>",
        'json.get("sites").table(|json| json.items(|json| json.maybe(MyGamePlot::decode)))',
        "pub struct MyGameObservation;",
    ],
    "go": [
        'Sites map[string][]*MyGamePlot `json:"sites"`',
        'plain{Limit: 7, Side: "a"}',
        'Id *int `json:"id,omitempty"`',
    ],
    "java": [
        'json.get("deep").items(each1 -> each1.items(each2 -> each2.items(Json::whole)))',
        'json.get("limit").whole(7)',
        "Map<String, List<MyGamePlot>> sites",
        "Integer id",
    ],
    "cpp": ["std::map<std::string, std::vector<std::optional<MyGamePlot>>> sites;", 'json.get("side").text("a")'],
    "c": [
        'static inline int seen_limit(seen of) {\n    return json_whole(json_field(of.json, "limit"), 7);',
        "static inline int seen_id(seen of, int otherwise)",
        "A table of lists of my_game_plot, or null.",
        "static inline my_game_plot seen_lot(seen of)",
    ],
}


@pytest.mark.parametrize("lang", WRITTEN)
def test_types_of_each_language(lang: str) -> None:
    write = LANGUAGES[lang].write
    assert write is not None
    text = write(records(SMALL), "About it.")
    assert [line for line in WRITTEN[lang] if line not in text] == []
    assert "All of it." in text and "About it." in text


def test_every_language_with_types_is_looked_at() -> None:
    assert set(WRITTEN) == {lang for lang, language in LANGUAGES.items() if language.write}


@pytest.mark.parametrize("lang", WRITTEN)
def test_no_line_is_too_long(lang: str) -> None:
    write = LANGUAGES[lang].write
    assert write is not None
    comments = [
        line for line in write(records(SCHEMA), "About it.").splitlines() if line.lstrip().startswith(("//", "*", "/*"))
    ]
    assert max((len(line) for line in comments), default=0) <= 120


def test_the_types_of_python_are_those_of_the_schema() -> None:
    """The generated Python has every record with its fields, and the same required ones."""
    write = LANGUAGES["python"].write
    assert write is not None
    text = write(records(SCHEMA), "About it.")
    made: dict[str, typing.Any] = {"__name__": "messages"}
    text = text.replace("from __future__ import annotations", "")  # with that a TypedDict does not know
    exec(compile(text, "messages.py", "exec", dont_inherit=True), made)
    for record in records(SCHEMA):
        assert _names(record) == (made[record.name].__required_keys__, made[record.name].__optional_keys__)


def _names(record: Record) -> tuple[frozenset[str], frozenset[str]]:
    required = frozenset(field.name for field in record.fields if field.required)
    return required, frozenset(field.name for field in record.fields) - required
