// Writes replay/web/static/tiles.svg, the faces of the tiles as symbols of one file.
//
// The art is FluffyStuff's, CC0 1.0 (public domain): https://github.com/FluffyStuff/riichi-mahjong-tiles,
// taken from the npm package riichi-mahjong-tiles 0.1.0 (MIT). The white dragon's frame, the back and the lock
// are drawn here and are CC0 1.0 as well. It is run by hand, in an empty folder, when the art is to change:
//
//   npm install riichi-mahjong-tiles@0.1.0 react@19 react-dom@19 svgo@3
//   cp …/.ci/tiles.mjs . && node tiles.mjs …/replay/web/static/tiles.svg

import { writeFileSync } from "node:fs";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import * as art from "riichi-mahjong-tiles";
import { optimize } from "svgo";

const SUITS = { m: "Man", p: "Pin", s: "Sou" };
const HONOURS = ["Ton", "Nan", "Shaa", "Pei", "Chun", "Hatsu"];
const BOX = "0 0 300 400";

const CREDIT = "Tiles by FluffyStuff (github.com/FluffyStuff/riichi-mahjong-tiles), CC0 1.0; made by .ci/tiles.mjs";

const OURS = {
  z7: [BOX, '<rect x="40" y="50" width="220" height="300" rx="16" fill="none" stroke="#1a3f8f" stroke-width="22"/>'],
  back: [BOX, '<path fill="#2f6b4f" d="M0 0h300v400H0z"/><path fill="none" stroke="#8fc7a8" stroke-width="12" d="M38 38h224v324H38z"/><path fill="none" stroke="#8fc7a8" stroke-width="12" d="m150 90 72 110-72 110-72-110z"/>'],
  lock: ["0 0 16 16", '<path fill="none" stroke="currentColor" stroke-width="2" d="M5 8V5a3 3 0 0 1 6 0v3"/><rect x="3" y="7.5" width="10" height="7" rx="1.2" fill="currentColor"/>'],
};

// A tile is drawn 20 to 60 px wide: whole units of 300 are finer than what is seen.
const small = (id) => ({
  multipass: true,
  floatPrecision: 0,
  plugins: [
    "convertStyleToAttrs",
    { name: "preset-default", params: { overrides: { convertTransform: { floatPrecision: 3, transformPrecision: 4 } } } },
    { name: "prefixIds", params: { prefix: id, delim: "-" } },
  ],
});

const DEFAULTS = / (?:fill-opacity|stroke-opacity|opacity)="1"| fill-rule="(?:evenodd|nonzero)"| stroke="none"(?: stroke-[a-z]+="[^"]*")*/g;

function drawn(id, name) {
  const shapes = renderToStaticMarkup(createElement(art[name])).replace(/^<svg[^>]*>|<\/svg>$/g, "");
  const whole = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="${BOX}">${shapes}</svg>`;
  return optimize(whole, small(id)).data.replace(/^<svg[^>]*>|<\/svg>$/g, "").replaceAll("xlink:href", "href").replace(DEFAULTS, "");
}

const symbol = (id, box, shapes) => `<symbol id="${id}" viewBox="${box}">${shapes}</symbol>\n`;

let symbols = "";
for (const [suit, name] of Object.entries(SUITS)) {
  for (let rank = 1; rank <= 9; rank += 1) {
    symbols += symbol(`${suit}${rank}`, BOX, drawn(`${suit}${rank}`, `Regular${name}${rank}`));
  }
}
HONOURS.forEach((name, at) => {
  symbols += symbol(`z${at + 1}`, BOX, drawn(`z${at + 1}`, `Regular${name}`));
});
for (const [id, [box, shapes]] of Object.entries(OURS)) {
  symbols += symbol(id, box, shapes);
}
writeFileSync(process.argv[2], `<svg xmlns="http://www.w3.org/2000/svg"><!-- ${CREDIT} -->\n${symbols}</svg>\n`);
