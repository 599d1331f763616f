// Speed for people who do this for hours. Every page works without it.
"use strict";

const cards = () => [...document.querySelectorAll("[data-card]")];
const current = () => document.querySelector("[data-card].current");
const visible = (element) => element.getClientRects().length > 0;

function select(card) {
  current()?.classList.remove("current");
  card.classList.add("current");
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

// The control of a key: of the current card first, then of the page outside of cards.
function control(key) {
  const named = `[data-key="${key}"]`;
  const inside = [...(current()?.querySelectorAll(named) ?? [])].find(visible);
  return inside ?? [...document.querySelectorAll(named)].find((one) => visible(one) && !one.closest("[data-card]"));
}

function open(details) {
  for (const other of document.querySelectorAll("details.act[open]")) if (other !== details) other.open = false;
  details.open = true;
  const first = details.querySelector("textarea, input[type=radio]");
  first?.focus();
  if (first?.setSelectionRange && first.tagName === "TEXTAREA") first.setSelectionRange(first.value.length, first.value.length);
}

function step(direction) {
  if (!current()) return false; // all is decided: the next page comes before a look back
  const all = cards();
  const next = all[all.indexOf(current()) + direction];
  if (next) select(next);
  return Boolean(next);
}

function press(event) {
  const typing = event.target.matches("textarea, select, input:not([type=radio]):not([type=checkbox])");
  if (event.key === "Escape") {
    const details = event.target.closest("details.act");
    if (details) details.open = false;
    if (typing || details) { event.target.blur(); current()?.focus({ preventScroll: true }); }
    return;
  }
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    const button = event.target.closest("form")?.querySelector("[data-enter]");
    if (button) { event.preventDefault(); button.click(); }
    return;
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const digit = document.querySelector(`details.act[open] [data-digit="${CSS.escape(event.key)}"]`);
  if (digit) {
    event.preventDefault();
    digit.checked = true;
    digit.form.requestSubmit();
    return;
  }
  const radio = event.target.matches("input[type=radio]");
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (radio) return;
    if (step(event.key === "ArrowDown" ? 1 : -1)) { event.preventDefault(); return; }
    if (event.key === "ArrowDown" && document.querySelector("[rel=next]")) { event.preventDefault(); control("j")?.click(); }
    return;
  }
  if (event.key === "j" && step(1)) { event.preventDefault(); return; }
  const found = control(event.key);
  if (!found) return;
  event.preventDefault();
  if (found.tagName === "DETAILS") open(found);
  else if (found.matches("input, textarea")) found.focus();
  else found.click();
}

// A form is sent once: a key held down or pressed twice decides nothing twice.
function once(event) {
  const form = event.target;
  if (form.method !== "post") return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
}

function watchWindow(input) {
  const line = document.getElementById(input.getAttribute("aria-describedby"));
  let asked = 0;
  let timer;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const mine = ++asked;
      const reply = await fetch(`/window?text=${encodeURIComponent(input.value)}`);
      if (mine !== asked || !reply.ok) return;
      line.innerHTML = await reply.text(); // escaped by the server
      line.classList.toggle("unreadable", reply.headers.get("X-Readable") === "no");
    }, 120);
  });
}

async function watchInquiry(box) {
  let last = "";
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const reply = await fetch(box.dataset.live);
    if (!reply.ok) return;
    const shown = await reply.text(); // escaped by the server
    if (shown !== last) box.innerHTML = last = shown;
    if (reply.headers.get("X-Done") === "yes") return;
  }
}

function runClock(clock) {
  const began = Date.now();
  setInterval(() => { clock.textContent = ` · ${Math.round((Date.now() - began) / 1000)} s on this one`; }, 1000);
}

document.addEventListener("keydown", press);
document.addEventListener("submit", once);
window.addEventListener("pageshow", (event) => {
  if (event.persisted) for (const form of document.forms) delete form.dataset.sent;
});
document.querySelectorAll("[data-card]").forEach((card) => {
  card.addEventListener("focusin", () => { if (card !== current()) { current()?.classList.remove("current"); card.classList.add("current"); } });
});
document.querySelectorAll("[data-window]").forEach(watchWindow);
document.querySelectorAll("[data-live]").forEach(watchInquiry);
if (current()) document.querySelectorAll("[data-clock]").forEach(runClock);
if (location.hash.length > 1) {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.matches("[data-card]")) select(target);
}
