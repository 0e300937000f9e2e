// What makes the desk quick. All of it works without: each page is complete, and each deed is a plain form.
import { Chessground } from "./chessground.js";

// What is told of the page itself, to be read out as well.
const news = document.getElementById("news");
function tell(text, link) {
  news.textContent = text;
  if (!link) return;
  const to = document.createElement("a");
  to.href = "";
  to.textContent = link;
  news.append(" ", to);
}

if (news && window.EventSource) {
  // browsers keep few connections to one host: a page that nobody sees has none
  let events;
  let lost = false;
  const listen = () => {
    events?.close();
    if (document.hidden) return;
    events = new EventSource("/events");
    events.addEventListener("changed", renew);
    events.addEventListener("open", () => {
      if (lost) renew();
      lost = false;
    });
    events.addEventListener("error", () => {
      lost = true;
      if (events.readyState === EventSource.CONNECTING) {
        tell("The desk does not answer. This page waits for it.");
      } else outside();
    });
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) renew();
    listen();
  });
  addEventListener("pagehide", () => events?.close());
  listen();
}

// The board of the page, if it has one.
let ground;

// Whoever is typing or has chosen something is not disturbed: he is told instead.
async function renew() {
  const fields = [...document.querySelectorAll("main input:not([type=hidden]), main textarea, main select")];
  const changed = (field) =>
    field.type === "checkbox"
      ? field.checked !== field.defaultChecked
      : field.tagName === "SELECT"
        ? field.selectedIndex > 0 && ![...field.options].some((option) => option.selected && option.defaultSelected)
        : field.value !== field.defaultValue;
  const moving = ground && (ground.state.selected || ground.state.draggable.current);
  if (moving || fields.some((field) => changed(field) || field === document.activeElement)) {
    tell("The record has changed.", "Show it as it is now");
    return;
  }
  const answer = await fetch(location.href).catch(() => undefined);
  if (answer?.status === 403) outside();
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const main = page.getElementById("main");
  if (!main) return;
  document.getElementById("main").replaceWith(main);
  document.title = page.title;
  tell("This page shows what is new.");
  board();
}

// A desk that was started anew knows no session of before: nobody else can have kept one either.
function outside() {
  tell("This session is over: the desk was started anew, or you left it. Open it again with: amici desk");
}

function board() {
  const box = document.getElementById("board");
  ground = undefined;
  if (!box) return;
  const list = document.getElementById("pick");
  const form = document.getElementById("play");
  const options = list ? [...list.options].filter((option) => option.value) : [];
  const dests = new Map();
  for (const option of options) {
    const { from, to } = option.dataset;
    dests.set(from, [...(dests.get(from) ?? []), to]);
  }
  const place = document.createElement("div");
  box.classList.add("live");
  box.append(place);
  const animation = { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches };
  const { show, newest } = walking(box, ({ fen, last, stands }) => {
    const mine = stands && options.length > 0;
    const position = {
      fen,
      lastMove: last,
      turnColor: fen.split(" ")[1] === "w" ? "white" : "black",
      movable: {
        free: false,
        color: mine ? box.dataset.side : undefined,
        dests: mine ? dests : new Map(),
        events: { after: moved },
      },
    };
    if (ground) ground.set(position);
    else {
      const drawable = { enabled: false };
      const premovable = { enabled: false };
      ground = Chessground(place, { ...position, orientation: box.dataset.side, coordinates: false, animation, drawable, premovable });
    }
  });

  function moved(from, to) {
    const found = options.filter((option) => option.dataset.from === from && option.dataset.to === to);
    const choices = document.getElementById("promotion");
    choices.replaceChildren();
    choices.hidden = found.length < 2;
    if (found.length > 1) {
      choices.append("Promote to ");
      for (const option of found) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = option.dataset.promotes;
        button.addEventListener("click", () => choose(option));
        choices.append(button, " ");
      }
      choices.querySelector("button").focus();
    } else if (found.length === 1) choose(found[0]);
  }

  function choose(option) {
    named(option).focus();
  }

  function named(option) {
    document.getElementById("move").value = "";
    option.selected = true;
    const button = form.querySelector("button.main");
    button.textContent = `Make the draft: ${option.textContent.split(" · ").slice(0, 2).join(", ")}`;
    document.getElementById("when").textContent = option.textContent;
    return button;
  }

  list?.addEventListener("change", () => {
    show(newest, false);
    const option = list.selectedOptions[0];
    if (!option.value) return;
    ground.move(option.dataset.from, option.dataset.to);
    named(option);
  });
}

board();
