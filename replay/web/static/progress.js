"use strict";

// Asks how far the audit is: soon at first, then ever more seldom, and not while nobody looks.
const waiting = document.querySelector("[data-progress]");
if (waiting) {
  const FIRST = 400;
  const said = waiting.querySelector("[data-said]");
  const bar = waiting.querySelector("progress");
  let pause = FIRST;

  const look = async () => {
    if (document.hidden) return later();
    try {
      const answer = await fetch(waiting.dataset.progress, { headers: { Accept: "application/json" } });
      if (answer.ok) {
        const state = await answer.json();
        if (state.state !== "waiting") return location.reload();
        if (said.textContent !== state.text) {
          said.textContent = state.text;
          pause = FIRST;
        }
        if (state.documents) {
          bar.max = state.documents;
          bar.value = state.done;
        }
      }
    } catch {
      // The service may be restarting; the next look will tell.
    }
    return later();
  };
  const later = () => {
    setTimeout(look, pause);
    pause = Math.min(pause * 1.3, 10000);
  };
  later();
}
