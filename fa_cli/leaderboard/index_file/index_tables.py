"""The tables of the index: rows read from the logs, and values computed from these rows.

`logs`, `settings`, `bots`, `results` and `fault_details` are read from the logs; `verified` has how far each log was
verified. `root`, `seals` and `chunks` seal the rows of all others, see `seals.py`. All other tables are computed: sums
over blocks, ratings, and the rows of leaderboards. `scope` is the id of a log, or 0 for all tournaments.

Each table is a single tree sorted by its key, without further ones for other columns or constraints: whoever reads a
table for its seal has seen everything that a query can find.
"""

from __future__ import annotations

VERSION = 13
"""Increase it when the tables change or the same logs give other values; older indexes are then rebuilt."""
APPLICATION = 0x6661
"""SQLite's `application_id` of index files."""

TABLES = """
CREATE TABLE root (id INTEGER PRIMARY KEY, owner BLOB NOT NULL, seal BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE seals (
    name TEXT NOT NULL, scope INTEGER NOT NULL, position INTEGER NOT NULL, seal BLOB NOT NULL,
    PRIMARY KEY (name, scope, position)
) WITHOUT ROWID;
CREATE TABLE chunks (
    log INTEGER NOT NULL, first INTEGER NOT NULL, after INTEGER NOT NULL, seal BLOB NOT NULL, PRIMARY KEY (log, first)
) WITHOUT ROWID;
CREATE TABLE logs (
    id INTEGER PRIMARY KEY,
    name BLOB NOT NULL,
    started TEXT,
    inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL,
    complete INTEGER NOT NULL,
    games INTEGER NOT NULL, end INTEGER NOT NULL, tag BLOB NOT NULL,
    block_games INTEGER NOT NULL, block_end INTEGER NOT NULL, block_tag BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE verified (
    name BLOB PRIMARY KEY, games INTEGER NOT NULL, end INTEGER NOT NULL, tag BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE bots (id INTEGER PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE settings (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, side TEXT NOT NULL, variant TEXT NOT NULL, players INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE results (
    log INTEGER NOT NULL, game_index INTEGER NOT NULL, seat INTEGER NOT NULL,
    block INTEGER NOT NULL, stratum INTEGER NOT NULL, setting INTEGER NOT NULL, bot INTEGER NOT NULL,
    rank INTEGER NOT NULL, points INTEGER NOT NULL, win INTEGER NOT NULL, half_ranks INTEGER NOT NULL,
    decisions INTEGER NOT NULL, time_us INTEGER NOT NULL, fault TEXT, fault_ply INTEGER,
    PRIMARY KEY (log, game_index, seat)
) WITHOUT ROWID;
CREATE TABLE fault_details (
    log INTEGER NOT NULL, bot INTEGER NOT NULL, detail TEXT, stderr TEXT, PRIMARY KEY (log, bot)
) WITHOUT ROWID;

CREATE TABLE summed (
    log INTEGER NOT NULL, kind TEXT NOT NULL, games INTEGER NOT NULL, PRIMARY KEY (log, kind)
) WITHOUT ROWID;
CREATE TABLE games (
    log INTEGER NOT NULL, setting INTEGER NOT NULL, games INTEGER NOT NULL, PRIMARY KEY (log, setting)
) WITHOUT ROWID;
CREATE TABLE seat_counts (
    log INTEGER NOT NULL, setting INTEGER NOT NULL, bot INTEGER NOT NULL, seat INTEGER NOT NULL, games INTEGER NOT NULL,
    PRIMARY KEY (log, setting, bot, seat)
) WITHOUT ROWID;
CREATE TABLE block_sums (
    scope INTEGER NOT NULL, kind TEXT NOT NULL, bot INTEGER NOT NULL, seat INTEGER NOT NULL,
    setting INTEGER NOT NULL, stratum INTEGER NOT NULL, first INTEGER NOT NULL,
    blocks INTEGER NOT NULL, size INTEGER NOT NULL, size_size INTEGER NOT NULL,
    win REAL NOT NULL, win_win REAL NOT NULL, win_size REAL NOT NULL,
    points REAL NOT NULL, points_points REAL NOT NULL, points_size REAL NOT NULL,
    ranks REAL NOT NULL, ranks_ranks REAL NOT NULL, ranks_size REAL NOT NULL,
    size_3 REAL NOT NULL, points_3 REAL NOT NULL, points_2_size REAL NOT NULL, points_size_2 REAL NOT NULL,
    faults INTEGER NOT NULL, suspended INTEGER NOT NULL, decisions REAL NOT NULL, time_us REAL NOT NULL,
    PRIMARY KEY (scope, kind, bot, seat, setting, stratum)
) WITHOUT ROWID;
CREATE TABLE comparisons (
    log INTEGER NOT NULL, setting INTEGER NOT NULL, totals BLOB NOT NULL, loose BLOB NOT NULL,
    PRIMARY KEY (log, setting)
) WITHOUT ROWID;
CREATE TABLE meetings (
    log INTEGER NOT NULL, setting INTEGER NOT NULL, meetings BLOB NOT NULL, PRIMARY KEY (log, setting)
) WITHOUT ROWID;
CREATE TABLE fit_sums (
    log INTEGER NOT NULL, setting INTEGER NOT NULL, pairs BLOB NOT NULL, shared BLOB NOT NULL, is_late INTEGER NOT NULL,
    PRIMARY KEY (log, setting, is_late)
) WITHOUT ROWID;
CREATE TABLE stale (
    scope INTEGER NOT NULL, kind TEXT NOT NULL, bot INTEGER NOT NULL, PRIMARY KEY (scope, kind, bot)
) WITHOUT ROWID;
CREATE TABLE parts (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, apart TEXT NOT NULL, label TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE standings (
    scope INTEGER NOT NULL, part INTEGER NOT NULL, bot INTEGER NOT NULL,
    games INTEGER NOT NULL, wins REAL NOT NULL, wins_low REAL NOT NULL, wins_high REAL NOT NULL,
    points REAL NOT NULL, points_low REAL, points_high REAL,
    mean_rank REAL NOT NULL, mean_rank_low REAL NOT NULL, mean_rank_high REAL NOT NULL,
    faults INTEGER NOT NULL, suspended INTEGER NOT NULL, ms REAL, caveats TEXT NOT NULL,
    PRIMARY KEY (scope, part, bot)
) WITHOUT ROWID;
CREATE TABLE strengths (
    scope INTEGER NOT NULL, part INTEGER NOT NULL, bot INTEGER NOT NULL,
    strength REAL NOT NULL, low REAL, high REAL,
    rank INTEGER, first_rank INTEGER, last_rank INTEGER, group_number INTEGER NOT NULL,
    PRIMARY KEY (scope, part, bot)
) WITHOUT ROWID;
CREATE TABLE fits (
    scope INTEGER NOT NULL, part INTEGER NOT NULL, fit TEXT NOT NULL, PRIMARY KEY (scope, part)
) WITHOUT ROWID;
CREATE TABLE rated (
    scope INTEGER NOT NULL, kind TEXT NOT NULL, position INTEGER NOT NULL, log INTEGER NOT NULL, games INTEGER NOT NULL,
    PRIMARY KEY (scope, kind, position)
) WITHOUT ROWID;
CREATE TABLE ratings (
    scope INTEGER NOT NULL, kind TEXT NOT NULL, part INTEGER NOT NULL, bot INTEGER NOT NULL,
    mu REAL NOT NULL, sigma REAL NOT NULL, PRIMARY KEY (scope, part, bot)
) WITHOUT ROWID;
CREATE TABLE rating_history (
    scope INTEGER NOT NULL, kind TEXT NOT NULL, position INTEGER NOT NULL, part INTEGER NOT NULL, bot INTEGER NOT NULL,
    mu REAL NOT NULL, sigma REAL NOT NULL, PRIMARY KEY (scope, position, kind, part, bot)
) WITHOUT ROWID;
"""
