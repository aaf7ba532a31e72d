"""The report page: sections with charts, each chart followed by tables with the same numbers."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import msgspec

from ..printing.text import printable
from .drawing import STYLE
from .page import asset, html_page, nav
from .report_charts import Chart


class Link(NamedTuple):
    """A cell that leads to a page beside the report."""

    text: str
    address: str


class Table(NamedTuple):
    """A table as texts."""

    caption: str
    headings: Sequence[str]
    right: Sequence[bool]
    """By column: whether its cells are aligned to the right."""
    rows: Sequence[Sequence[str | Link]]
    notes: Sequence[str] = ()
    keys: int = 1
    """The number of columns that name a row, from the left."""


class Section(NamedTuple):
    """A part of the report."""

    id: str
    heading: str
    paragraphs: Sequence[str]
    charts: Sequence[Chart] = ()
    tables: Sequence[Table] = ()
    is_folded: bool = False
    """Whether the tables are shown when they are asked for: for long ones."""
    to_copy: str = ""
    """A text to paste elsewhere."""
    legend: str = ""
    """How to read the charts, if there are any."""


def report_page(
    title: str,
    winner: str,
    summary: Sequence[str],
    sections: Sequence[Section],
    links: Sequence[tuple[str, str]] = (),
) -> str:
    """The page. All texts are plain: they are escaped, and characters that could deceive become codes.

    `winner` says who won: the browser's tab and previews of links show it. `links`: as in `nav`.
    """
    charts = [chart for section in sections for chart in section.charts]
    numbers = {id(chart): number for number, chart in enumerate(charts)}
    body = nav(links) + asset("report.html").format(
        title=_text(title),
        summary="".join(f"<p>{_text(line)}</p>\n" for line in summary),
        contents="".join(f'<li><a href="#{section.id}">{_text(section.heading)}</a></li>' for section in sections),
        sections="".join(_section(section, numbers) for section in sections),
    )
    style = STYLE + asset("report.css") + (asset("neighbours.css") if links else "")
    texts = printable(f"{winner} - {title}"), printable(" ".join(summary))
    return html_page(*texts, body, style, asset("report.js"), {"data": msgspec.json.encode(charts)})


def _section(section: Section, numbers: dict[int, int]) -> str:
    charts = [_figure(numbers[id(chart)], chart) for chart in section.charts]
    tables = list(map(_table, section.tables))
    legend = [section.legend] if section.legend and charts else []
    if section.is_folded:
        text = "".join(tables)
        tables = [f"<details><summary>Table: {_text(section.heading.lower())}</summary>\n{text}</details>\n"]
    return (
        f'<section id="{section.id}" aria-labelledby="{section.id}-heading">\n'
        f'<h2 id="{section.id}-heading">{_text(section.heading)}</h2>\n'
        + "".join(f"<p>{_text(line)}</p>\n" for line in (*section.paragraphs, *legend))
        + "".join(_paired(charts, tables))
        + (_to_copy(section) if section.to_copy else "")
        + "</section>\n"
    )


def _paired(charts: Sequence[str], tables: Sequence[str]) -> list[str]:
    """Each chart with its table, where there are as many of both; else the charts, then the tables."""
    if len(charts) == len(tables):
        return [part for pair in zip(charts, tables, strict=True) for part in pair]
    return [*charts, *tables]


def _figure(number: int, chart: Chart) -> str:
    """An empty figure, which the script fills."""
    caption = f"<figcaption>{_text(chart.title)}</figcaption>"
    return f'<figure>{caption}<div class="chart" data-chart="{number}"></div></figure>\n'


def _table(table: Table) -> str:
    head = "".join(
        f'<th scope="col"{_right(is_right)}>{_text(heading)}</th>'
        for heading, is_right in zip(table.headings, table.right, strict=True)
    )
    body = "".join(f"<tr>{_cells(table, row)}</tr>\n" for row in table.rows)
    notes = "".join(f'<p class="note">{_text(note)}</p>\n' for note in table.notes)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="Table: {_text(table.caption)}">\n'
        f"<table><caption>{_text(table.caption)}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{body}</tbody></table>\n</div>\n{notes}"
    )


def _cells(table: Table, row: Sequence[str | Link]) -> str:
    return "".join(
        f'<th scope="row">{_cell(cell)}</th>' if place < table.keys else f"<td{_right(is_right)}>{_cell(cell)}</td>"
        for place, (cell, is_right) in enumerate(zip(row, table.right, strict=True))
    )


def _cell(cell: str | Link) -> str:
    if isinstance(cell, Link):
        return f'<a href="{escape(cell.address)}">{_text(cell.text)}</a>'
    return _text(cell)


def _right(is_right: bool) -> str:
    return ' class="r"' if is_right else ""


def _to_copy(section: Section) -> str:
    label = _text(section.heading)
    return (
        f'<textarea id="{section.id}-text" readonly rows="12" aria-label="{label}">'
        f"{escape(section.to_copy)}</textarea>\n"
        f'<p><button type="button" data-copy="{section.id}-text">Copy</button> <span role="status"></span></p>\n'
    )


def _text(text: str) -> str:
    return escape(printable(text))
