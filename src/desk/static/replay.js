// The board of a page that is a file: drawn with the pieces that the page has.
{
  const box = document.getElementById("board");
  const drawing = box?.querySelector("svg");
  const step = 45;
  const roles = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
  // file and rank, both from 0, as they lie in the drawing
  const place = (file, rank) =>
    box.dataset.side === "white" ? { x: file * step, y: (7 - rank) * step } : { x: (7 - file) * step, y: rank * step };
  const add = (kind, { x, y }, more) => {
    const shape = document.createElementNS(drawing.namespaceURI, kind);
    for (const [name, value] of Object.entries({ x, y, ...more })) shape.setAttribute(name, value);
    drawing.append(shape);
  };
  const draw = ({ fen, last, said }) => {
    for (const old of drawing.querySelectorAll("use, .last")) old.remove();
    for (const square of last ?? []) {
      add("rect", place(square.charCodeAt(0) - 97, Number(square[1]) - 1), { class: "last", width: step, height: step });
    }
    fen.split(" ")[0].split("/").forEach((row, index) => {
      let file = 0;
      for (const sign of row) {
        const role = roles[sign.toLowerCase()];
        if (role) {
          const color = sign === sign.toLowerCase() ? "black" : "white";
          add("use", place(file, 7 - index), { href: `#${color}-${role}` });
        }
        file += role ? 1 : Number(sign);
      }
    });
    drawing.setAttribute("aria-label", `Board: ${said}`);
  };
  if (drawing) {
    walking(box, draw);
    for (const nav of document.querySelectorAll(".walk")) nav.hidden = false;
  }
}
