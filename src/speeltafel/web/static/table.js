// One table in one browser: swaps finished HTML in, keeps where you were, glides what moved. Everything works without it too.

document.documentElement.classList.add("scripted");
const live = () => document.getElementById("live");
const away = document.getElementById("away");
const said = document.getElementById("said"); // read out to those who do not see what changed
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// What is where, and what the reader has open or in focus.

const places = () => new Map([...document.querySelectorAll("[data-glide]")].map(part => [part.dataset.glide, part.getBoundingClientRect()]));

function nameOf(part) {
  if (!part || part === document.body || !live().contains(part)) return null;
  if (part.id) return `#${CSS.escape(part.id)}`;
  if (part.name) return `${part.localName}[name="${CSS.escape(part.name)}"][value="${CSS.escape(part.value)}"]`;
  if (part.dataset.key) return `[data-key="${CSS.escape(part.dataset.key)}"]`;
  if (part.getAttribute("href")) return `a[href="${CSS.escape(part.getAttribute("href"))}"]`;
  return null;
}

function glide(before) {
  for (const part of document.querySelectorAll("[data-glide]")) {
    const from = before.get(part.dataset.glide);
    const to = part.getBoundingClientRect();
    if (!from || !from.width || !to.width) {
      if (!from && before.size && !calm.matches) part.animate([{ opacity: 0, scale: .8 }, {}], { duration: 260, easing: "ease-out" });
      continue;
    }
    const x = from.left - to.left, y = from.top - to.top;
    if (calm.matches || (Math.abs(x) < 2 && Math.abs(y) < 2)) continue;
    part.animate(
      [{ transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})`, transformOrigin: "0 0", zIndex: 5 }, { transform: "none", transformOrigin: "0 0", zIndex: 5 }],
      { duration: 420, easing: "cubic-bezier(.2, .8, .2, 1)" });
  }
}

let arrived = 0; // what was asked for last wins, whatever comes in first
let choosing = false; // whether the focus was on a decision, by keyboard
let unmoved = null; // where the page was scrolled to when a hint came

function swap(html, force = false) {
  const made = new DOMParser().parseFromString(html, "text/html").getElementById("live");
  const old = live();
  if (!made || !old) return;
  if (!force && Number(made.dataset.version) <= Number(old.dataset.version)) return;
  if (Number(made.dataset.version) < Number(old.dataset.version)) return;
  const before = places();
  const focus = nameOf(document.activeElement);
  if (focus !== "#main") choosing = document.activeElement?.name === "move" && document.activeElement.matches(":focus-visible");
  const open = [...old.querySelectorAll("details[id]")].map(part => [part.id, part.open]);
  const scrolled = [...old.querySelectorAll("[id]")].filter(part => part.scrollTop || part.scrollLeft).map(part => [part.id, part.scrollTop, part.scrollLeft]);
  const [x, y] = [scrollX, scrollY];
  old.replaceWith(document.adoptNode(made));
  for (const [id, was] of open) { const part = document.getElementById(id); if (part?.localName === "details") part.open = was; }
  for (const [id, top, left] of scrolled) { const part = document.getElementById(id); if (part) { part.scrollTop = top; part.scrollLeft = left; } }
  const tip = made.querySelector(".notice.tip"), tipped = old.querySelector(".notice.tip");
  if (made.querySelector(".end") && !old.querySelector(".end")) scrollTo(0, 0); // who won stands above the board
  else if (tipped && !tip && unmoved) scrollTo(...unmoved); // as it was before the hint was shown
  else scrollTo(x, y);
  if (focus) {
    // who chooses by keyboard goes on at what can be chosen next, also when others had their turns first
    const next = choosing && [...made.querySelectorAll("button[name=move]")].find(part => part.checkVisibility());
    const again = (focus !== "#main" && made.querySelector(focus)) || next || made.querySelector("#main");
    if (again?.id === "main") again.tabIndex = -1;
    again?.focus({ preventScroll: again !== next });
  }
  if (made.dataset.title) document.title = made.dataset.title;
  if (said) said.textContent = [...[...made.querySelectorAll("#log .new")].slice(0, 3).reverse(), made.querySelector(".prompt, #end-title, .pass h2")].map(part => part?.textContent.trim()).filter(Boolean).join(". ");
  ready(made);
  glide(before);
  if (tip && !tipped) { // so that what it points at shows
    unmoved = [x, y];
    made.querySelector("[data-tip='1']")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    tip.scrollIntoView({ block: "start" });
  }
}

// The table tells what changes. After a broken connection it tells the whole truth again.

let source;
let heard = Date.now(); // the table says every 15 seconds that it is still there
function listen() {
  const at = live()?.dataset;
  if (!at?.events) return;
  source?.close();
  heard = Date.now();
  const url = new URL(at.events, location.href);
  url.searchParams.set("since", at.version);
  source = new EventSource(url);
  source.addEventListener("table", event => { heard = Date.now(); swap(event.data, true); });
  source.addEventListener("here", () => { heard = Date.now(); });
  source.onopen = () => { heard = Date.now(); away.hidden = true; };
  source.onerror = () => {
    away.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(listen, 2000); // a refusal ends the browser's own trying
  };
}
setInterval(() => { if (Date.now() - heard > 40_000) listen(); }, 10_000); // a connection can die without a word
addEventListener("online", listen);
addEventListener("pageshow", event => { if (event.persisted) listen(); });
addEventListener("pagehide", () => source?.close());
document.addEventListener("visibilitychange", () => { if (!document.hidden && Date.now() - heard > 20_000) listen(); });

// Forms of the table are sent without leaving the page.

async function send(form, button) {
  const fields = new FormData(form, button);
  const asked = ++arrived;
  button?.setAttribute("aria-busy", "true");
  if (said && button?.dataset.busy) said.textContent = button.dataset.busy;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(fields), headers: { "X-Part": "live", Accept: "text/html" } });
    if (answer.redirected) { location.assign(answer.url); return; }
    const html = await answer.text();
    if (asked !== arrived) return;
    if (html.includes('id="live"')) swap(html, true);
    else notice(html);
    if (!answer.ok) document.querySelector(".notice")?.scrollIntoView({ block: "center" });
  } catch {
    away.hidden = false;
  } finally {
    button?.removeAttribute("aria-busy");
  }
}

// What was refused before it came to the table: too fast, too large.
function notice(html) {
  const why = new DOMParser().parseFromString(html, "text/html").querySelector("[role=alert]");
  if (!why) return;
  const shown = document.createElement("div");
  shown.className = "notice";
  shown.setAttribute("role", "alert");
  shown.append(why.textContent);
  document.querySelector("#main .notice")?.remove();
  document.getElementById("main").prepend(shown);
}

let waiting = null; // the button that was tapped once and shows what it would do

addEventListener("submit", event => {
  const form = event.target;
  if (!live()?.dataset.events || !live().contains(form) || form.method !== "post") return;
  event.preventDefault();
  send(form, event.submitter);
});

addEventListener("click", event => {
  const button = event.target.closest?.("button, a");
  if (!button) return;
  // a finger has no hover: its first tap shows, the second one plays
  if (button.classList.contains("peek") && event.pointerType === "touch" && waiting !== button) {
    event.preventDefault();
    waiting = button;
    button.focus({ preventScroll: true });
    button.scrollIntoView({ block: "nearest", inline: "nearest" }); // not under what it shows
    return;
  }
  waiting = null;
  if (button.dataset.copy) {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    (navigator.clipboard?.writeText(field.value) ?? Promise.resolve(document.execCommand("copy"))).then(() => { button.querySelector("span").textContent = button.dataset.done; });
  }
  if ("share" in button.dataset) {
    event.preventDefault();
    if (navigator.share) navigator.share({ url: button.href }).catch(() => {});
    else navigator.clipboard?.writeText(button.href).then(() => { button.lastChild.textContent = button.dataset.done; });
  }
  if ("stay" in button.dataset) { event.preventDefault(); go(button.href); }
}, true);

// Steps of a replay glide too.

async function go(href, push = true) {
  const answer = await fetch(href);
  if (!answer.ok) { location.assign(href); return; }
  const html = await answer.text();
  if (push) history.pushState({}, "", href);
  swap(html, true);
}
addEventListener("popstate", () => { if (document.body.classList.contains("replay")) go(location.href, false); });

addEventListener("change", event => { if ("submit" in event.target.dataset) event.target.form.requestSubmit(); });

addEventListener("keydown", event => {
  if (event.key === "Escape") for (const menu of document.querySelectorAll("details.menu[open]")) { menu.open = false; menu.querySelector("summary").focus(); }
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
  if (event.key === "Enter" && event.target.closest?.("button, a, summary")) return;
  const control = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!control || control.disabled) return;
  event.preventDefault();
  control.click();
});

addEventListener("pointerdown", event => { for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false; });

function ready(part) { for (const hidden of part.querySelectorAll("[data-copy]")) hidden.hidden = false; }
if (live()) { ready(live()); listen(); }
