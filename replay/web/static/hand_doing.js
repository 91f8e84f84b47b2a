"use strict";

// What the script can do beside following links: play by itself, copy the address, step by the wheel, list the keys.
hand.doings = (() => {
  const SPEEDS = [0.5, 1, 2, 4];
  const TOLD = 6000;
  const HOLD = { "": 800, claim: 1200, win: 3000 };
  const { main } = hand;
  const own = main.querySelector("[data-own]");
  const told = own.querySelector("[data-told]");
  const button = (name) => own.querySelector(`[data-do="${name}"]`);
  const walk = () => main.querySelector(".walk");
  let at = SPEEDS.indexOf(1);
  let timer = 0;
  let hush = 0;
  let playing = false;

  function press(name, on) {
    button(name).setAttribute("aria-pressed", String(on));
  }

  // What is told lies over other things, so it goes again.
  function tell(text) {
    told.textContent = text;
    clearTimeout(hush);
    hush = setTimeout(() => { told.textContent = ""; }, TOLD);
  }

  // The step now shown stays as long as what it shows takes.
  function wait() {
    clearTimeout(timer);
    if (playing) {
      timer = setTimeout(() => hand.go("forward", true) || pause(), HOLD[walk().dataset.hold] / SPEEDS[at]);
    }
  }

  function pause() {
    const was = playing;
    playing = false;
    clearTimeout(timer);
    press("play", false);
    if (was) {
      tell(told.dataset.stopped);
    }
    return was;
  }

  function play() {
    if (pause()) {
      return;
    }
    playing = true;
    press("play", true);
    tell(told.dataset.playing.replace("#", SPEEDS[at]));
    wait();
  }

  function change(by) {
    at = Math.min(Math.max(at + by, 0), SPEEDS.length - 1);
    own.querySelector("[data-speed]").textContent = `${SPEEDS[at]}×`;
    wait();
  }

  hand.placed.push(() => {
    const over = walk().hasAttribute("data-found") || !main.querySelector('a[data-nav="forward"][href]');
    if (playing && over) {
      pause();
    } else {
      wait();
    }
  });
  document.addEventListener("visibilitychange", () => document.hidden && pause());

  async function copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      tell(told.dataset.copied);
    } catch {
      tell(told.dataset.uncopied);
    }
  }

  // The wheel steps only while the reader has switched it on, and only over the table.
  const TURN = 40;
  let turned = 0;
  function turn(event) {
    if (!event.target.closest(".table") || event.ctrlKey) {
      return;
    }
    event.preventDefault();
    turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
    if (Math.abs(turned) >= TURN) {
      pause();
      hand.go(turned > 0 ? "forward" : "back", true);
      turned = 0;
    }
  }

  function wheel() {
    const on = button("wheel").getAttribute("aria-pressed") !== "true";
    press("wheel", on);
    if (on) {
      main.addEventListener("wheel", turn, { passive: false });
    } else {
      main.removeEventListener("wheel", turn);
    }
  }

  function close() {
    pause();
    for (const one of main.querySelectorAll("details[open]")) {
      one.open = false;
    }
  }

  own.hidden = false;
  return {
    play,
    pause,
    copy,
    wheel,
    close,
    faster: () => change(1),
    slower: () => change(-1),
    help: () => main.querySelector("dialog.keys").showModal(),
  };
})();
