"use strict";

// Steps without loading the page anew: the same links, fetched, and the page's main part put in place.
(() => {
  const KEYS = {
    ArrowRight: "forward", j: "forward", ArrowLeft: "back", k: "back",
    ".": "next_finding", ",": "previous_finding", Home: "first", End: "last",
    "[": "previous_hand", "]": "next_hand",
    1: "seat0", 2: "seat1", 3: "seat2", 4: "seat3", h: "hide",
  };
  const main = document.getElementById("main");
  const said = document.createElement("p");
  said.className = "away";
  said.setAttribute("role", "status");
  document.body.append(said);

  let busy = false;
  let waiting = [];
  const MOST = 40;

  // Presses made while a step is fetched are made up for; a key held down leaves one behind at most.
  function later(name, held) {
    if (name && waiting.length < (held ? 1 : MOST)) {
      waiting.push(name);
    }
  }

  const link = (name) => main.querySelector(`a[data-nav="${name}"]`);

  // The list of actions keeps the current one in sight; the page itself is never scrolled.
  function settle() {
    const current = main.querySelector('ol.acts a[aria-current="step"]');
    const list = current && current.closest(".scroll");
    if (list) {
      const top = current.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
      list.scrollTop = Math.max(0, top - list.clientHeight / 2);
    }
    const help = main.querySelector("button[data-keys]");
    if (help) {
      help.hidden = false;
    }
  }

  function place(url, page) {
    const fresh = page.getElementById("main");
    const held = main.contains(document.activeElement) ? document.activeElement : null;
    const name = held && held.dataset.nav;
    const inBar = Boolean(held && held.closest(".bar"));
    const opened = Array.from(main.querySelectorAll("details"), (one) => one.open);
    main.replaceChildren(...fresh.childNodes);
    for (const [at, one] of main.querySelectorAll("details.wall").entries()) {
      one.open = opened[opened.length - 1 - at] || false;
    }
    document.title = page.title;
    const languages = document.querySelector("header.top nav");
    const others = page.querySelector("header.top nav");
    if (languages && others) {
      languages.replaceWith(others);
    }
    history.replaceState(null, "", url);
    if (held) {
      const again = name && main.querySelector(`${inBar ? ".bar" : ".steps, .views"} a[data-nav="${name}"], ${inBar ? ".bar" : ".views"} a[data-nav="${name}"]`);
      const current = held.hasAttribute("data-step") && main.querySelector('ol.acts a[aria-current="step"]');
      (again || current || main).focus({ preventScroll: true });
    }
    settle();
    const sentence = main.querySelector(".sentence");
    said.textContent = sentence ? sentence.textContent : "";
  }

  // Go where a link of this name leads; whether there is such a link, or a step on its way.
  function go(name, repeated) {
    if (busy) {
      later(name, repeated);
      return true;
    }
    const target = link(name);
    if (target) {
      follow(target.href);
    }
    return Boolean(target);
  }

  async function follow(url) {
    busy = true;
    try {
      const answer = await fetch(url, { headers: { Accept: "text/html" }, credentials: "same-origin" });
      if (!answer.ok) {
        throw new Error(String(answer.status));
      }
      place(answer.url, new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      location.assign(url);
      return;
    }
    busy = false;
    while (waiting.length && !busy) {
      const name = waiting.shift();
      let more = 0;
      while (waiting[0] === name && (name === "forward" || name === "back")) {
        waiting.shift();
        more += 1;
      }
      const target = link(name);
      if (target) {
        follow(further(target.href, name, more));
      }
    }
  }

  // The address of a step so many steps beyond: presses made meanwhile are made up for in one go.
  function further(url, name, more) {
    const number = (href) => Number(/\/steps\/(\d+)/.exec(href)[1]);
    const last = link("last");
    const step = name === "forward"
      ? Math.min(number(url) + more, last ? number(last.href) : number(url))
      : Math.max(number(url) - more, 0);
    return more ? url.replace(/\/steps\/\d+/, `/steps/${step}`) : url;
  }

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
      return;
    }
    const opener = event.target.closest("button[data-keys]");
    if (opener) {
      main.querySelector("dialog.keys").showModal();
      return;
    }
    const target = event.target.closest("a[data-nav], a[data-step], a[data-view]");
    if (target && main.contains(target)) {
      event.preventDefault();
      if (busy) {
        later(target.dataset.nav, false);
      } else {
        follow(target.href);
      }
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
      return;
    }
    const at = event.target instanceof Element ? event.target : document.body;
    if (at.closest("input, select, textarea, dialog, [contenteditable]")) {
      return;
    }
    // Inside a list the keys that scroll it stay its own.
    if (at.closest(".scroll") && (event.key === "Home" || event.key === "End")) {
      return;
    }
    if (event.key === "?") {
      event.preventDefault();
      main.querySelector("dialog.keys").showModal();
      return;
    }
    if (!Object.hasOwn(KEYS, event.key)) {
      return;
    }
    if (go(KEYS[event.key], event.repeat)) {
      event.preventDefault();
    }
  });

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
        go(x < 0 ? "forward" : "back", false);
      }
    }
  }, { passive: true });

  settle();
})();
