"use strict";

// Keys, clicks and fingers. Which key does what stands in the help of the page, and nowhere else.
(() => {
  const { main, doings } = hand;
  const GOES_ON = new Set(["play", "faster", "slower", "pause"]);
  const SCROLL = new Set(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", "Space"]);
  const keys = new Map();
  for (const one of main.querySelectorAll("dialog.keys kbd[data-key]")) {
    keys.set(one.dataset.key, one.dataset.does);
  }

  // Whatever the reader does ends the playing, but for what sets its speed.
  function perform(does, repeated) {
    if (!GOES_ON.has(does)) {
      doings.pause();
    }
    if (Object.hasOwn(doings, does)) {
      if (!repeated) {
        doings[does]();
      }
      return true;
    }
    return hand.go(does, repeated);
  }

  const named = ({ key, shiftKey }) =>
    key === " " ? "Space" : key.length === 1 ? key.toLowerCase() : (shiftKey ? "Shift+" : "") + key;

  // Whether something around an element scrolls up and down by itself.
  function scrolls(at) {
    for (let one = at; one && one !== main && main.contains(one); one = one.parentElement) {
      if (one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY)) {
        return true;
      }
    }
    return false;
  }

  // Keys that mean something where the focus is keep that meaning.
  function taken(at, key) {
    return Boolean(
      at.closest("input, select, textarea, dialog, [contenteditable]")
      || (key === "Space" && at.closest("button, summary"))
      || (SCROLL.has(key) && scrolls(at)),
    );
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
      return;
    }
    const at = event.target instanceof Element ? event.target : document.body;
    const key = named(event);
    if (keys.has(key) && !taken(at, key)) {
      event.preventDefault(); // where a key leads nowhere it does nothing, rather than scroll
      perform(keys.get(key), event.repeat);
    }
  });

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
      return;
    }
    const button = event.target.closest("button[data-do]");
    if (button) {
      perform(button.dataset.do, false);
      return;
    }
    const target = event.target.closest("a[data-nav], a[data-step], a[data-view]");
    if (target && main.contains(target)) {
      event.preventDefault();
      doings.pause();
      if (target.hasAttribute("href")) {
        hand.go(new URL(target.getAttribute("href"), location.href).href, false);
      }
    } else if (event.target.closest("svg.timeline")) {
      along(event.target.closest("svg.timeline"), event.clientX);
    }
  });

  // A click between the marks of the timeline goes to the step that stands there.
  const EDGE = 0.015;
  function along(line, x) {
    const box = line.getBoundingClientRect();
    const part = ((x - box.left) / box.width - EDGE) / (1 - 2 * EDGE);
    doings.pause();
    hand.go(hand.step(location.href, Math.round(Math.min(Math.max(part, 0), 1) * line.dataset.last)), false);
  }

  // A finger drawn sideways over the table steps; one drawn up or down scrolls the page.
  const FAR = 50;
  let finger = null;
  main.addEventListener("touchstart", (event) => {
    const alone = event.touches.length === 1 && event.target.closest(".table");
    finger = alone ? { x: event.touches[0].clientX, y: event.touches[0].clientY } : null;
  }, { passive: true });
  main.addEventListener("touchend", (event) => {
    if (finger) {
      const x = event.changedTouches[0].clientX - finger.x;
      const y = event.changedTouches[0].clientY - finger.y;
      finger = null;
      if (Math.abs(x) >= FAR && Math.abs(x) > 2 * Math.abs(y)) {
        perform(x < 0 ? "forward" : "back", false);
      }
    }
  }, { passive: true });
})();
