"use strict";

// Steps without loading the page anew: the same links, fetched, and the page changed only where the two differ.
const hand = (() => {
  const main = document.getElementById("main");
  const said = document.createElement("p");
  said.className = "away";
  said.setAttribute("role", "status");
  document.body.append(said);

  const KEPT = 24;
  const pages = new Map();
  const placed = [];

  const plain = (url) => url.replace(/#.*$/, "");
  const link = (name) => main.querySelector(`a[data-nav~="${name}"][href]`);

  // Pages by address; the one asked for longest ago goes first.
  function page(address) {
    const url = plain(address);
    const known = pages.get(url);
    const asked = known || fetched(url);
    pages.delete(url);
    pages.set(url, asked);
    if (pages.size > KEPT) {
      pages.delete(pages.keys().next().value);
    }
    return asked;
  }

  function fetched(url) {
    const asked = (async () => {
      const answer = await fetch(url, { headers: { Accept: "text/html" }, credentials: "same-origin" });
      if (!answer.ok) {
        throw new Error(String(answer.status));
      }
      return new DOMParser().parseFromString(await answer.text(), "text/html");
    })();
    asked.catch(() => pages.delete(url));
    return asked;
  }

  // The neighbouring steps are there before they are asked for.
  function ahead() {
    for (const name of ["forward", "back"]) {
      const target = link(name);
      if (target) {
        page(target.href).catch(() => {});
      }
    }
  }

  // What the script owns, and what the reader has opened, a step leaves alone.
  const leave = {
    beforeNodeMorphed: (old) => !(old instanceof Element && old.hasAttribute("data-own")),
    beforeAttributeUpdated: (name) => name !== "open",
  };

  // The list of actions keeps the current one in sight; the page itself is never scrolled.
  function settle() {
    const current = main.querySelector('ol.acts a[aria-current="step"], ol.paid .here');
    const list = current && current.closest(".scroll");
    if (list) {
      const top = current.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
      list.scrollTop = Math.max(0, top - list.clientHeight / 2);
    }
  }

  function place(url, fresh) {
    const held = main.contains(document.activeElement);
    Idiomorph.morph(main, fresh.getElementById("main"), { callbacks: leave });
    const languages = document.querySelector("header.top nav");
    if (languages) {
      Idiomorph.morph(languages, fresh.querySelector("header.top nav"));
    }
    if (document.title !== fresh.title) {
      document.title = fresh.title;
    }
    history.replaceState(null, "", plain(url));
    if (held && (!main.contains(document.activeElement) || document.activeElement.matches("a:not([href])"))) {
      main.focus({ preventScroll: true });
    }
    settle();
    show(new URL(url, location.href).hash);
    said.textContent = main.querySelector(".sentence").textContent;
    for (const each of placed) {
      each();
    }
  }

  // What a link names is brought into sight, if it is not.
  function show(hash) {
    const target = hash && document.getElementById(hash.slice(1));
    if (target) {
      const top = target.getBoundingClientRect().top;
      if (top < 0 || top > innerHeight - 100) {
        target.scrollIntoView();
      }
    }
  }

  let busy = false;
  let waiting = [];
  const MOST = 40;

  // Presses made while a step is fetched are made up for; a key held down leaves one behind at most.
  function later(name, held) {
    if (name && waiting.length < (held ? 1 : MOST)) {
      waiting.push(name);
    }
  }

  const way = (names) => (names.includes("/") ? { href: names } : names.split(" ").map(link).find(Boolean));

  // Go to an address, or where the first link of these names leads; whether there is such a link, or a step on its way.
  function go(names, repeated) {
    if (busy) {
      later(names, repeated);
      return true;
    }
    const target = way(names);
    if (target) {
      follow(target.href);
    }
    return Boolean(target);
  }

  async function follow(url) {
    busy = true;
    try {
      place(url, await page(url));
    } catch {
      location.assign(url);
      return;
    }
    busy = false;
    while (waiting.length && !busy) {
      const names = waiting.shift();
      let more = 0;
      while (waiting[0] === names && (names === "forward" || names === "back")) {
        waiting.shift();
        more += 1;
      }
      const target = way(names);
      if (target) {
        follow(further(target.href, names, more));
      }
    }
    if (!busy) {
      ahead();
    }
  }

  const number = (url) => Number(/\/steps\/(\d+)/.exec(url)[1]);
  const step = (url, there) => url.replace(/\/steps\/\d+/, `/steps/${there}`);

  // The address of a step so many steps beyond: presses made meanwhile are made up for in one go.
  function further(url, name, more) {
    if (!more) {
      return url;
    }
    const last = link("last");
    const most = last ? number(last.href) : number(url);
    return step(url, name === "forward" ? Math.min(number(url) + more, most) : Math.max(number(url) - more, 0));
  }

  settle();
  addEventListener("load", ahead);
  return { main, placed, go, step };
})();
