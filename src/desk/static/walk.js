// Going through the positions of a game by links, by keys and by the wheel on the board.
"use strict";

// `draw` shows a position: its FEN, the squares of the ply before it, that ply in words, and whether it is the one that stands. Gives
// the place of that one, and what shows another.
function walking(box, draw) {
  const newest = Number(box.dataset.plies);
  const stops = box.dataset.placed.split("\n").map((line, at) => {
    const [fen, squares, said, from] = line.split("|");
    const last = squares ? [squares.slice(0, 2), squares.slice(2, 4)] : undefined;
    return { fen, last, said, before: from ? Number(from) : undefined, stands: at === newest };
  });
  let at = Number(box.dataset.at);

  function steps() {
    const on = stops.findIndex((stop) => stop.before === at);
    return { first: 0, back: stops[at].before ?? 0, on: on < 0 ? at : on, last: newest };
  }

  function show(place, tell = true) {
    at = place;
    draw(stops[at]);
    if (tell) document.getElementById("when").textContent = stops[at].said;
    for (const link of document.querySelectorAll("[data-ply]")) {
      if (Number(link.dataset.ply) === at) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    const to = steps();
    for (const link of document.querySelectorAll("[data-to]")) link.dataset.place = to[link.dataset.to];
  }

  const walk = (to) => show(steps()[to]);
  const follow = (link, place) => {
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      show(place());
    });
  };
  for (const link of document.querySelectorAll("[data-to]")) follow(link, () => Number(link.dataset.place));
  // a ply of the record has more to tell than its position, where the page can be asked for it
  for (const link of document.querySelectorAll("[data-ply]")) {
    const place = Number(link.dataset.ply);
    if (place > newest || link.hash) follow(link, () => place);
  }
  // a turn of the wheel on the board is a ply; what a finger on a pad sends is summed up to one
  let turned = 0;
  box.addEventListener("wheel", (event) => {
    if (event.ctrlKey) return;
    event.preventDefault();
    turned += event.deltaY;
    if (Math.abs(turned) < 60) return;
    walk(turned > 0 ? "on" : "back");
    turned = 0;
  }, { passive: false });
  document.onkeydown = (event) => {
    const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
    const typing = event.target.closest("input, textarea, select");
    if (typing || event.altKey || event.ctrlKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    walk(keys[event.key]);
  };
  show(at, false);
  return { newest, show };
}
