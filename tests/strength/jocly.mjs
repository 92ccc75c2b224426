// Jocly's own player of Rollerball as a UCI engine: `node jocly.mjs FOLDER`, where FOLDER has the package jocly in node_modules.
//
// Jocly's rooks stop where they go sideways against the flow, which is Carom's rule switch `clockwise-sideways`. It thinks for as long as
// `go movetime` says; its limit is in whole steps of 0.1 s, so a little longer.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import path from "node:path";

const jocly = createRequire(path.resolve(process.argv[2], "index.js"))("jocly");
const START = "2rbp2/2rkp2/2***2/2***2/2***2/2PKR2/2PBR2 w - 0 1";
// Types of kings: one that has not come clockwise past its first square, and one that has.
const KINGS = { home: 8, round: 9 };

const match = await jocly.createMatch("rollerball-chess");
const { game } = match;
const level = { ...game.config.model.levels.find(({ name }) => name === "fast") };

const say = (line) => process.stdout.write(`${line}\n`);

/** A move as UCI writes it. */
const written = (move) => {
  const { geometry, pieceTypes } = game.cbVar;
  // A king that comes round is "promoted", too.
  const made = move.pr === undefined || pieceTypes[move.pr].isKing ? "" : pieceTypes[move.pr].abbrev.toLowerCase();
  return geometry.PosName(move.f) + geometry.PosName(move.t) + made;
};

/** Sets a position up: Carom's FEN, whose third field says which kings have come round. */
function setUp(fen) {
  const [board, turn, marks, quiet] = fen.split(" ");
  const importing = game.Import;
  game.Import = function (...given) {
    const read = importing.apply(this, given);
    for (const piece of read.initial?.pieces ?? []) {
      piece.t = Number(piece.t);
      if (game.cbVar.pieceTypes[piece.t].isKing) piece.t = marks.includes(piece.s === 1 ? "K" : "k") ? KINGS.round : KINGS.home;
    }
    return read;
  };
  try {
    game.Load({ initialBoard: `${board.replaceAll("***", "3").replace(/\d+/g, digits)} ${turn} - - ${quiet ?? 0} 1`, playedMoves: [] });
  } finally {
    game.Import = importing;
  }
}

/** `232` is seven squares. */
const digits = (text) => String([...text].reduce((sum, digit) => sum + Number(digit), 0));

function moves() {
  const { mBoard } = game;
  if (!mBoard.mMoves?.length) mBoard.GenerateMoves(game);
  return mBoard.mMoves;
}

async function position(words) {
  const at = words.indexOf("moves");
  setUp(words[0] === "fen" ? words.slice(1, at < 0 ? undefined : at).join(" ") : START);
  for (const word of at < 0 ? [] : words.slice(at + 1)) {
    const move = moves().find((own) => written(own) === word);
    if (!move) throw new Error(`Jocly has no move ${word}`);
    await match.applyMove(move);
  }
}

async function go(words) {
  const time = Number(words[words.indexOf("movetime") + 1]);
  const { move } = await match.machineSearch({ level: { ...level, maxDuration: time / 1000 }, threaded: false });
  say(`bestmove ${written(move)}`);
}

for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...words] = line.trim().split(/\s+/);
  if (command === "uci") {
    say("id name Jocly");
    say("option name UCI_Variant type combo default rollerball var rollerball");
    say("option name clockwise-sideways type check default true");
    say("uciok");
  } else if (command === "isready") say("readyok");
  else if (command === "position") await position(words);
  else if (command === "go") await go(words);
  else if (command === "quit") process.exit(0);
}
