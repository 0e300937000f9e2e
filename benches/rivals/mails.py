"""The rival of amici: mails with a table of the whole game, read with `email`, checked with `chess`, stored with `sqlite3`.

    mails.py prepare DATABASE GAMES     a new database; a line of GAMES is an address, a tabulator and the moves
    mails.py take DATABASE FOLDER       takes in every mail of the folder, prints the seconds without those of the start
    mails.py read FILE                  only reads the mail and plays its moves

It knows one layout, no dates, no clocks, no doubts, and writes no letter. Each mail is one transaction, as durable as SQLite makes it.
"""

import email
import email.policy
import pathlib
import re
import sqlite3
import sys
import time
import zlib

import chess

ROW = re.compile(r"\s*\d+\s*[.)]?\s")
MOVE = re.compile(r"(?<![\d.\-/])[1-8]{4}[1-4]?(?![\d.\-/])")
PIECES = {"1": chess.QUEEN, "2": chess.ROOK, "3": chess.BISHOP, "4": chess.KNIGHT}

SCHEMA = """
    CREATE TABLE games (id INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE) STRICT;
    CREATE TABLE moves (game INTEGER NOT NULL REFERENCES games, ply INTEGER NOT NULL, numeric TEXT NOT NULL, PRIMARY KEY (game, ply)) STRICT;
    CREATE TABLE mails (id INTEGER PRIMARY KEY, message_id TEXT NOT NULL UNIQUE, game INTEGER NOT NULL REFERENCES games, raw BLOB NOT NULL) STRICT;
"""


def played(numeric):
    square = lambda at: chess.square(int(numeric[at]) - 1, int(numeric[at + 1]) - 1)
    return chess.Move(square(0), square(2), PIECES.get(numeric[4:]))


def on(board, numeric):
    """The move on this board: a piece that promotes is a queen unless the mail says otherwise."""
    move = played(numeric)
    if move not in board.legal_moves and move.promotion is None:
        move.promotion = chess.QUEEN
    if move not in board.legal_moves:
        raise ValueError(f"{numeric} is not legal")
    board.push(move)


def read(raw):
    message = email.message_from_bytes(raw, policy=email.policy.default)
    text = message.get_body(("plain",)).get_content()
    moves = [move for row in text.splitlines() if ROW.match(row) for move in MOVE.findall(row)]
    return message["From"].addresses[0].addr_spec, message["Message-ID"], moves


def prepare(database, games):
    with sqlite3.connect(database) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(SCHEMA)
        for number, line in enumerate(open(games), 1):
            address, moves = line.rstrip("\n").split("\t")
            db.execute("INSERT INTO games VALUES (?, ?)", (number, address))
            rows = [(number, ply, move) for ply, move in enumerate(moves.split(), 1)]
            db.executemany("INSERT INTO moves VALUES (?, ?, ?)", rows)


def take(database, folder):
    db = sqlite3.connect(database, isolation_level=None)
    db.execute("PRAGMA synchronous = FULL")
    for path in sorted(pathlib.Path(folder).iterdir()):
        raw = path.read_bytes()
        address, message_id, moves = read(raw)
        db.execute("BEGIN IMMEDIATE")
        (game,) = db.execute("SELECT id FROM games WHERE address = ?", (address,)).fetchone()
        known = [move for (move,) in db.execute("SELECT numeric FROM moves WHERE game = ? ORDER BY ply", (game,))]
        if moves[: len(known)] != known or len(moves) != len(known) + 1:
            raise ValueError(f"{path}: {moves} does not go on from {known}")
        board = chess.Board()
        for move in moves:
            on(board, move)
        db.execute("INSERT INTO mails (message_id, game, raw) VALUES (?, ?, ?)", (message_id, game, zlib.compress(raw)))
        db.execute("INSERT INTO moves VALUES (?, ?, ?)", (game, len(moves), moves[-1]))
        db.execute("COMMIT")


def main(command, *paths):
    if command == "read":
        address, _, moves = read(pathlib.Path(paths[0]).read_bytes())
        board = chess.Board()
        for move in moves:
            on(board, move)
        print(address, len(moves), board.fen())
        return
    start = time.perf_counter()
    {"prepare": prepare, "take": take}[command](*paths)
    print(time.perf_counter() - start)


main(*sys.argv[1:])
