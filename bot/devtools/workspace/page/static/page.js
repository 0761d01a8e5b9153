// The page's one script: it sends what people do and swaps in what the workspace says has changed.
// The server renders everything; nothing here makes HTML out of what somebody wrote.
"use strict";

const body = document.body;
const $ = (id) => document.getElementById(id);
const help = JSON.parse(body.dataset.help);
const wide = () => matchMedia("(min-width: 761px)").matches;
const PLACES = ["channel", "thread"];
const NEAR_END = 90;

function make(tag, props = {}, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
}

function parsed(html) {
  return document.createRange().createContextualFragment(html);
}

/* ── saying and asking ─────────────────────────────────────────────────────────────────────── */

let noticeTimer = 0;
function notice(text) {
  $("notice").textContent = text;
  $("notice").hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => { $("notice").hidden = true; }, 6000 + text.length * 40);
}

async function act(name, fields) {
  let answer;
  try {
    answer = await fetch(`act/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ as: body.dataset.as, channel: body.dataset.channel, ...fields }),
    });
  } catch {
    notice("The workspace does not answer. Is it still running?");
    return null;
  }
  if (answer.ok) return answer.json();
  notice((await answer.text()).trim());
  return null;
}

/* ── what is new ───────────────────────────────────────────────────────────────────────────── */

let version = Number(body.dataset.version);
let refreshing = false;
let stale = false;
let source = null;

// Nothing is replaced between press and release: the click would be lost.
let released = Promise.resolve();
addEventListener("pointerdown", () => {
  released = new Promise((done) => {
    const end = () => setTimeout(done); // after the click, which follows at once
    for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, end, { once: true, capture: true });
  });
}, true);

function watch() {
  if (source) return;
  source = new EventSource("events");
  source.onopen = () => { $("offline").textContent = ""; };
  source.onmessage = (event) => { if (Number(event.data) !== version) refresh(); };
  source.onerror = () => { $("offline").textContent = "The workspace does not answer. Trying again…"; };
}

function unwatch() {
  source?.close();
  source = null;
}

async function refresh() {
  if (refreshing) { stale = true; return; }
  refreshing = true;
  try {
    do {
      stale = false;
      const { as, channel, thread, begin, tbegin, at, view } = body.dataset;
      const asked = new URLSearchParams({ as, c: channel, thread, begin, tbegin, at, since: version });
      if (view === "home") asked.set("home", "1");
      const answer = await fetch(`state?${asked}`);
      if (!answer.ok) return;
      const state = await answer.json();
      await released;
      if (channel === body.dataset.channel && thread === body.dataset.thread && view === body.dataset.view) {
        // A workspace that was started again counts from the beginning.
        const again = state.version < version;
        version = again ? 0 : state.version;
        stale ||= again;
        apply(state);
      } else {
        stale = true;
      }
    } while (stale);
  } catch {
    $("offline").textContent = "The workspace does not answer. Trying again…";
  } finally {
    refreshing = false;
  }
}

function apply(state) {
  for (const place of PLACES) if (state[place]) applyList(place, state[place]);
  for (const [name, part] of Object.entries(state.parts)) {
    const element = document.querySelector(`[data-part="${name}"]`);
    if (!element || element.dataset.stamp === part.stamp) continue;
    element.dataset.stamp = part.stamp;
    keeping(element, () => element.replaceChildren(parsed(part.html)));
  }
  applyModals(state.modals);
}

function applyList(place, news) {
  const list = $(`list-${place}`);
  if (!list) return;
  const scroller = $(`scroll-${place}`);
  const followed = atEnd(scroller);
  const known = new Map([...list.children].map((item) => [item.dataset.key, item]));
  const last = list.lastElementChild?.dataset.key ?? "";
  const said = [];
  let before = null;
  for (const key of news.keys) {
    let item = known.get(key);
    known.delete(key);
    const html = news.html[key];
    if (!item || (html !== undefined && !item.classList.contains("day"))) {
      if (html === undefined) { stale = true; version = 0; continue; }
      if (!item) {
        item = unfolded(parsed(html).firstElementChild);
        if (key.slice(1) > last.slice(1) && item.dataset.author) said.push(item);
      } else if (!item.querySelector(".editor")) {
        item = replaced(item, parsed(html).firstElementChild);
      }
    }
    const next = before ? before.nextElementSibling : list.firstElementChild;
    if (next !== item) list.insertBefore(item, next);
    before = item;
  }
  for (const gone of known.values()) gone.remove();
  list.dataset.latest = news.latest;
  list.dataset.unread = news.unread ? "1" : "";
  group(list);
  announce(said);
  const foreign = said.some((item) => item.dataset.author !== body.dataset.name);
  if (followed || (said.length && !foreign)) toEnd(place);
  else if (foreign) toEndButton(place).hidden = false;
  markRead(place);
}

// Put the new element in the place of the old one without taking away focus or what is typed.
function replaced(old, fresh) {
  if (old.classList.contains("at")) fresh.classList.add("at");
  const focus = focusIn(old);
  old.replaceWith(unfolded(fresh));
  giveFocus(fresh, focus);
  return fresh;
}

// What somebody folded or unfolded stays so while the block keeps its id.
const foldKey = (fold) => ["fold", fold.closest(".msg")?.dataset.ts, fold.dataset.fold].join(" ");

function unfolded(element) {
  for (const fold of element.querySelectorAll("details[data-fold]")) {
    const kept = sessionStorage.getItem(foldKey(fold));
    if (kept) fold.open = kept === "open";
  }
  return element;
}

function keeping(element, change) {
  const focus = focusIn(element);
  change();
  giveFocus(element, focus);
}

function focusIn(element) {
  const at = document.activeElement;
  if (!at || !element.contains(at)) return null;
  const { actionId, blockId, value, do: what } = at.dataset;
  const found = { tag: at.tagName, actionId, blockId, value, what, name: at.name, href: at.getAttribute("href") };
  if ("selectionStart" in at) found.selection = [at.selectionStart, at.selectionEnd];
  return found;
}

function giveFocus(element, focus) {
  if (!focus) return;
  const alike = [...element.querySelectorAll(focus.tag)].filter((one) =>
    one.dataset.actionId === focus.actionId && one.dataset.value === focus.value
    && one.dataset.do === focus.what && one.name === focus.name && one.getAttribute("href") === focus.href);
  // Blocks that were given no id get another one each time they are sent.
  const same = alike.find((one) => one.dataset.blockId === focus.blockId) ?? alike[0];
  const next = same ?? element.querySelector("button, a, input, select, textarea");
  next?.focus({ preventScroll: true });
  try { if (same && focus.selection) same.setSelectionRange(...focus.selection); } catch { /* a control without text */ }
}

// Messages of one author in a row share one head.
function group(list) {
  let before = null;
  for (const item of list.children) {
    const joins = before && item.dataset.author && before.dataset.author === item.dataset.author
      && !item.classList.contains("private") && !before.classList.contains("private")
      && !item.classList.contains("gone") && item.dataset.ts - before.dataset.ts < 300
      && !(list.id === "list-thread" && before.dataset.ts === before.dataset.root);
    item.classList.toggle("follows", Boolean(joins));
    before = item;
  }
}

function announce(items) {
  const words = items
    .filter((item) => item.dataset.author !== body.dataset.name)
    .map((item) => `${item.dataset.author}: ${item.querySelector(".msg-body")?.textContent.trim().slice(0, 140)}`);
  if (words.length) $("live").textContent = words.join(". ");
}

function markRead(place) {
  const list = $(`list-${place}`);
  const seen = list?.offsetParent && document.visibilityState === "visible";
  if (!seen || !list.dataset.unread) return;
  list.dataset.unread = "";
  act("read", { thread: place === "thread" ? body.dataset.thread : "", ts: list.dataset.latest });
}

/* ── where one is ──────────────────────────────────────────────────────────────────────────── */

const atEnd = (scroller) => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END;
const toEndButton = (place) => document.querySelector(`.to-end[data-place="${place}"]`);

function toEnd(place) {
  const scroller = $(`scroll-${place}`);
  scroller.scrollTop = scroller.scrollHeight;
  toEndButton(place).hidden = true;
}

function settle(places) {
  for (const place of places) {
    const list = $(`list-${place}`);
    if (!list) continue;
    unfolded(list);
    group(list);
    toEnd(place);
    const { at, thread } = body.dataset;
    const found = at ? list.querySelector(`[data-ts="${at}"]`) : null;
    found?.classList.add("at");
    const shown = found ?? (at ? list.querySelector(`[data-ts="${thread}"]`) : null);
    shown?.scrollIntoView({ block: "center" });
    const scroller = $(`scroll-${place}`);
    scroller.addEventListener("scroll", () => { if (atEnd(scroller)) toEndButton(place).hidden = true; }, { passive: true });
    const text = $(`text-${place}`);
    text.value = sessionStorage.getItem(draftKey(place)) ?? "";
    markRead(place);
  }
  if (body.dataset.view === "home") act("open_home", {});
}

const draftKey = (place) =>
  ["draft", body.dataset.as, body.dataset.channel, place === "thread" ? body.dataset.thread : ""].join(" ");

// Follow a link inside the page without loading all of it again.
let going = 0;
async function go(url, push = true) {
  const turn = ++going;
  let text;
  try {
    const answer = await fetch(url);
    text = await answer.text();
    if (turn !== going) return; // another link was followed meanwhile
    if (!answer.ok) { notice(text.trim()); return; }
    url = answer.url;
  } catch {
    notice("The workspace does not answer. Is it still running?");
    return;
  }
  const next = new DOMParser().parseFromString(text, "text/html");
  closeMenu();
  const fresh = [];
  const before = { at: body.dataset.at, begin: body.dataset.begin };
  for (const [id, place] of [["main", "channel"], ["thread", "thread"]]) {
    const old = $(id);
    const other = next.getElementById(id);
    if (old.dataset.key === other.dataset.key && !next.body.dataset.at) continue;
    old.replaceWith(document.adoptNode(other));
    fresh.push(place);
  }
  for (const name of ["view", "channel", "thread", "begin", "tbegin", "at"]) body.dataset[name] = next.body.dataset[name];
  const side = next.getElementById("sidebar");
  keeping($("sidebar"), () => $("sidebar").replaceChildren(...side.childNodes));
  $("sidebar").dataset.stamp = side.dataset.stamp;
  document.title = next.title;
  if (push) history.pushState(null, "", url);
  const widened = before.begin !== body.dataset.begin && !body.dataset.at;
  settle(fresh);
  PLACES.forEach(markRead);
  if (widened && fresh.includes("channel")) $("scroll-channel").scrollTop = 0;
  if (fresh.length) {
    const place = fresh.includes("thread") && body.dataset.thread ? "thread" : "channel";
    const target = wide() ? $(`text-${place}`) : $(`scroll-${place}`);
    (target ?? document.querySelector("main .scroll"))?.focus({ preventScroll: true });
  }
  refresh();
}

addEventListener("popstate", () => go(location.href, false));

/* ── messages ──────────────────────────────────────────────────────────────────────────────── */

const messageOf = (element) => element.closest(".msg");

async function send(form) {
  const text = form.querySelector("textarea");
  const words = text.value;
  if (!words.trim()) return;
  text.value = "";
  sessionStorage.removeItem(draftKey(form.dataset.place));
  hideSuggestions(form);
  const done = await act("say", { text: words, thread: form.dataset.root });
  if (!done && !text.value) text.value = words;
}

function edit(message) {
  if (message.querySelector(".editor")) return;
  const shown = message.querySelector(".msg-body");
  const text = make("textarea", { value: message.dataset.source, rows: 2 });
  text.setAttribute("aria-label", "Edit your message");
  const cancel = make("button", { type: "button", className: "bk-button", textContent: "Cancel" });
  const save = make("button", { type: "submit", className: "send", textContent: "Save" });
  const form = make("form", { className: "editor" }, text, make("div", { className: "composer-foot" }, cancel, save));
  const close = () => {
    form.remove();
    shown.hidden = false;
    message.querySelector(".more")?.focus();
  };
  cancel.onclick = close;
  text.onkeydown = (event) => {
    if (event.key === "Escape") { event.stopPropagation(); close(); }
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); }
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    event.stopPropagation();
    const words = text.value;
    if (words === message.dataset.source) { close(); return; }
    if (await act("edit", { ts: message.dataset.ts, text: words })) {
      close();
      version = 0; // while it was edited it was not drawn anew
      refresh();
    }
  };
  shown.hidden = true;
  shown.after(form);
  text.focus();
  text.setSelectionRange(text.value.length, text.value.length);
}

async function copyLink(message) {
  const link = new URL(message.querySelector(".when").getAttribute("href"), location.origin).href;
  try {
    await navigator.clipboard.writeText(link);
    notice("The link is copied.");
  } catch {
    notice(link);
  }
}

function react(message, name) {
  const pill = message.querySelector(`.reaction[data-name="${CSS.escape(name)}"]`);
  act("react", { ts: message.dataset.ts, name, remove: pill?.getAttribute("aria-pressed") === "true" });
}

/* ── menus ─────────────────────────────────────────────────────────────────────────────────── */

let menuOpener = null;

function item(label, run, className = "") {
  const row = make("button", { type: "button", textContent: label, className, tabIndex: -1 });
  row.setAttribute("role", "menuitem");
  row.onclick = () => { closeMenu(true); run(); };
  return row;
}

function openMenu(opener, rows) {
  const again = menuOpener === opener;
  closeMenu();
  if (again) return;
  menuOpener = opener;
  opener.setAttribute("aria-expanded", "true");
  const menu = $("menu");
  menu.replaceChildren(...rows);
  menu.hidden = false;
  const at = opener.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const left = at.left < innerWidth / 2 ? at.left : at.right - width;
  menu.style.left = `${Math.max(6, Math.min(left, innerWidth - width - 6))}px`;
  const below = at.bottom + 4;
  menu.style.top = `${Math.max(6, below + height > innerHeight ? at.top - height - 4 : below)}px`;
  menu.querySelector("[role=menuitem]")?.focus();
}

function closeMenu(back = false) {
  if (!menuOpener) return;
  $("menu").hidden = true;
  menuOpener.setAttribute("aria-expanded", "false");
  if (back && menuOpener.isConnected) menuOpener.focus();
  menuOpener = null;
}

$("menu").addEventListener("keydown", (event) => {
  const rows = [...$("menu").querySelectorAll("[role=menuitem]")];
  const at = rows.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (step) rows[(at + step + rows.length) % rows.length].focus();
  else if (event.key === "Home") rows[0].focus();
  else if (event.key === "End") rows.at(-1).focus();
  else if (event.key === "Escape" || event.key === "Tab") closeMenu(true);
  else return;
  event.preventDefault();
});

function messageMenu(opener) {
  const message = messageOf(opener);
  const { ts } = message.dataset;
  const faces = make("div", { className: "faces" }, ...help.reactions.map(({ name, emoji }) => {
    const face = item(emoji, () => react(message, name));
    face.setAttribute("aria-label", `React with ${name.replaceAll("_", " ")}`);
    return face;
  }));
  faces.setAttribute("role", "group");
  faces.setAttribute("aria-label", "Reactions");
  const rows = [faces];
  const own = message.dataset.source !== undefined;
  if (message.parentElement.id === "list-channel") {
    rows.push(item("Reply in thread", () => go(threadUrl(message.dataset.root))));
  }
  rows.push(item("Copy link", () => copyLink(message)));
  for (const one of help.message) rows.push(item(one.name, () => act("shortcut", { callback_id: one.callback_id, ts })));
  if (own) {
    rows.push(item("Edit message", () => edit(message)));
    rows.push(item("Delete message", async () => {
      const sure = await ask({ title: "Delete message", text: "Nobody will see it any more.", confirm: "Delete", deny: "Keep it", style: "danger" });
      if (sure) act("delete", { ts });
    }, "danger"));
  }
  openMenu(opener, rows);
}

function threadUrl(root) {
  const { as, channel, begin } = body.dataset;
  const query = new URLSearchParams({ as, thread: root });
  if (begin) query.set("begin", begin);
  return `c/${channel}?${query}`;
}

function shortcutMenu(opener) {
  openMenu(opener, help.global.map((one) => item(one.name, () => act("shortcut", { callback_id: one.callback_id }))));
}

/* ── controls of Block Kit ─────────────────────────────────────────────────────────────────── */

function ask({ title, text, confirm, deny, style }) {
  const dialog = $("confirm");
  const [no, yes] = dialog.querySelectorAll("button");
  dialog.querySelector("h2").textContent = title;
  $("text-confirm").textContent = text;
  yes.textContent = confirm;
  no.textContent = deny;
  yes.className = `bk-button ${style === "danger" ? "bk-danger" : "bk-primary"}`;
  dialog.showModal();
  return new Promise((resolve) => {
    const done = (answer) => { dialog.close(); resolve(answer); };
    yes.onclick = () => done(true);
    no.onclick = () => done(false);
    dialog.oncancel = () => resolve(false);
  });
}

function picked(control) {
  if (control.multiple) return [...control.selectedOptions].map((one) => one.value);
  if (control.type !== "checkbox") return control.value;
  return [...control.closest(".bk-checks").querySelectorAll("input:checked")].map((one) => one.value);
}

const pressed = new WeakSet();

async function press(control, value) {
  if (pressed.has(control)) return;
  control.closest("details.bk-overflow")?.removeAttribute("open");
  if (control.dataset.confirm && !(await ask(JSON.parse(control.dataset.confirm)))) return;
  pressed.add(control);
  const view = control.closest("[data-view-id]")?.dataset.viewId ?? "";
  const ts = view ? "" : messageOf(control)?.dataset.ts ?? "";
  const { actionId, blockId } = control.dataset;
  const form = control.closest(".modal-form");
  const filled = form ? { values: values(form) } : {};
  await act("click", { view_id: view, ts, action_id: actionId, block_id: blockId, value, ...filled });
  pressed.delete(control);
}

// The rows of another page of a table. One that is drawn again begins at its first page.
function turnPage(button) {
  const pages = button.parentElement;
  const rows = [...pages.previousElementSibling.querySelectorAll("tbody tr")];
  const size = Number(pages.dataset.size);
  const first = rows.findIndex((row) => !row.hidden) + Number(button.dataset.by) * size;
  const end = Math.min(first + size, rows.length);
  rows.forEach((row, number) => { row.hidden = number < first || number >= end; });
  const [previous, where, next] = pages.children;
  where.textContent = `${first + 1}–${end} of ${rows.length}`;
  previous.disabled = first === 0;
  next.disabled = end === rows.length;
  if (button.disabled) (button === next ? previous : next).focus();
}

/* ── modals ────────────────────────────────────────────────────────────────────────────────── */

function applyModals(modals) {
  const holder = $("modals");
  const shown = new Map([...holder.children].map((one) => [one.dataset.viewId, one]));
  for (const { id, revision, html } of modals) {
    const old = shown.get(id);
    shown.delete(id);
    if (old && old.dataset.revision === String(revision)) continue;
    if (!html) { stale = true; version = 0; continue; }
    const fresh = parsed(html).firstElementChild;
    if (!old) { holder.append(fresh); continue; }
    const filled = values(old.querySelector("form"));
    const focus = focusIn(old);
    old.replaceWith(fresh);
    refill(fresh.querySelector("form"), filled);
    show(fresh);
    const wrong = fresh.querySelector("[aria-invalid=true]");
    if (wrong) wrong.focus();
    else giveFocus(fresh, focus);
  }
  for (const gone of shown.values()) gone.remove();
  showLast();
}

function showLast() {
  const last = $("modals").lastElementChild;
  if (last && !last.open) show(last);
}

function show(dialog) {
  dialog.showModal();
  if (!dialog.querySelector("[autofocus]")) dialog.querySelector(".modal-body :is(input, select, textarea, button)")?.focus();
  dialog.oncancel = (event) => { event.preventDefault(); closeView(dialog, false); };
}

function closeView(dialog, all) {
  act("close_view", { view_id: dialog.dataset.viewId, all_views: all });
  dialog.remove();
  showLast();
}

function values(form) {
  const found = {};
  for (const control of form.elements) {
    if (!control.name || !control.name.includes("|") || control.type === "file") continue;
    if (control.type === "checkbox" || control.multiple) found[control.name] ??= [];
    if (control.type === "checkbox") { if (control.checked) found[control.name].push(control.value); }
    else if (control.type === "radio") { found[control.name] ??= ""; if (control.checked) found[control.name] = control.value; }
    else if (control.multiple) found[control.name] = [...control.selectedOptions].map((one) => one.value);
    else found[control.name] = control.value;
  }
  return found;
}

function refill(form, filled) {
  for (const control of form.elements) {
    const value = filled[control.name];
    if (value === undefined || control.type === "file") continue;
    if (control.type === "checkbox") control.checked = value.includes(control.value);
    else if (control.type === "radio") control.checked = value === control.value;
    else if (control.multiple) for (const one of control.options) one.selected = value.includes(one.value);
    else control.value = value;
  }
}

async function submit(form) {
  const dialog = form.closest("dialog");
  const button = form.querySelector("[type=submit]");
  button.disabled = true;
  const done = await act("submit", { view_id: dialog.dataset.viewId, values: values(form) });
  if (!done) button.disabled = false;
}

/* ── suggestions while typing ──────────────────────────────────────────────────────────────── */

function suggestions(text) {
  const before = text.value.slice(0, text.selectionStart);
  if (/^\/[^\n]*$/.test(before) && !text.closest("form").dataset.root) return commands(before);
  const mention = /(?:^|\s)@([^\s@]{0,30}(?: [^\s@]{0,20})?)$/.exec(before);
  if (!mention) return [];
  const typed = mention[1].toLowerCase();
  return [...help.people, "here"]
    .filter((name) => name.toLowerCase().startsWith(typed) && name.toLowerCase() !== typed)
    .map((name) => ({ label: `@${name}`, note: "", from: before.length - mention[1].length, insert: `${name} ` }));
}

function commands(typed) {
  const found = [];
  for (const { command, description, usages, notes } of help.commands) {
    for (const usage of usages.length ? usages : [""]) {
      const whole = `${command} ${usage}`.trim();
      const fixed = whole.split(/[<[]/)[0].trim();
      const begun = fixed.toLowerCase().startsWith(typed.trimStart().toLowerCase());
      const goesOn = typed.toLowerCase().startsWith(`${fixed.toLowerCase()} `) && whole !== fixed;
      if (begun || goesOn) found.push({ label: whole, note: notes[usage.split(" ")[0]] ?? (found.length ? "" : description), from: 0, insert: begun ? `${fixed} ` : null, done: fixed === typed.trim() });
    }
  }
  return found;
}

function suggest(text) {
  const form = text.closest("form");
  const box = form.querySelector(".suggest");
  const found = suggestions(text);
  box.replaceChildren(...found.map((one, index) => {
    const row = make("div", { id: `${box.id}-${index}` }, make("b", { textContent: one.label }));
    if (one.note) row.append(" ", make("span", { className: "quiet", textContent: one.note }));
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", "false");
    row.onmousedown = (event) => { event.preventDefault(); take(text, one); };
    row.suggestion = one;
    return row;
  }));
  box.hidden = !found.length;
  if (found.length && found[0].insert && !found[0].done) pick(text, 0);
  else text.removeAttribute("aria-activedescendant");
}

function pick(text, index) {
  const rows = [...text.closest("form").querySelectorAll(".suggest [role=option]")];
  rows.forEach((row, at) => row.setAttribute("aria-selected", String(at === index)));
  rows[index].scrollIntoView({ block: "nearest" });
  text.setAttribute("aria-activedescendant", rows[index].id);
}

function take(text, { from, insert }) {
  if (!insert) return;
  text.setRangeText(insert, from, text.selectionStart, "end");
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

function hideSuggestions(form) {
  form.querySelector(".suggest").hidden = true;
  form.querySelector("textarea").removeAttribute("aria-activedescendant");
}

function composerKey(event, text) {
  const form = text.closest("form");
  const rows = [...form.querySelectorAll(".suggest [role=option]")];
  const open = !form.querySelector(".suggest").hidden;
  const at = rows.findIndex((row) => row.getAttribute("aria-selected") === "true");
  if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    event.preventDefault();
    pick(text, (at + (event.key === "ArrowDown" ? 1 : -1) + rows.length) % rows.length);
  } else if (open && event.key === "Escape") {
    event.stopPropagation();
    hideSuggestions(form);
  } else if (open && at >= 0 && rows[at].suggestion.insert && (event.key === "Tab" || event.key === "Enter") && !event.shiftKey) {
    event.preventDefault();
    take(text, rows[at].suggestion);
  } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    send(form);
  }
}

/* ── what is pressed, typed, sent ──────────────────────────────────────────────────────────── */

const DO = {
  "menu": messageMenu,
  "shortcuts": shortcutMenu,
  "react": (button) => react(messageOf(button), button.dataset.name),
  "dismiss": (button) => act("dismiss", { ts: messageOf(button).dataset.ts }),
  "trouble": () => $("trouble").showModal(),
  "close-dialog": (button) => button.closest("dialog").close(),
  "turn-page": turnPage,
  "close-view": (button) => closeView(button.closest("dialog"), button.matches(".close")),
  "to-end": (button) => toEnd(button.dataset.place),
  "skip": (_, event) => { event.preventDefault(); document.querySelector("main .scroll").focus(); },
};

/* A menu that would open below the pane, behind the composer, opens upwards. */
addEventListener("toggle", (event) => {
  if (event.target.matches("details[data-fold]")) {
    sessionStorage.setItem(foldKey(event.target), event.target.open ? "open" : "folded");
  }
  if (!event.target.matches("details.bk-overflow[open]")) return;
  const menu = event.target.querySelector(".bk-menu");
  const pane = event.target.closest(".scroll, .modal-body")?.getBoundingClientRect();
  menu.classList.remove("above");
  const below = menu.getBoundingClientRect().bottom > (pane?.bottom ?? innerHeight);
  const fits = event.target.getBoundingClientRect().top - menu.offsetHeight > (pane?.top ?? 0);
  menu.classList.toggle("above", below && fits);
}, true);

addEventListener("click", (event) => {
  const { target } = event;
  if (menuOpener && !$("menu").contains(target) && !menuOpener.contains(target)) closeMenu();
  $("notice").hidden ||= !$("notice").contains(target);
  for (const open of document.querySelectorAll("details.bk-overflow[open]")) if (!open.contains(target)) open.open = false;
  const plain = !event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0;
  const link = target.closest("a[href]");
  const control = target.closest("button[data-action-id], a[data-action-id]");
  if (control) {
    if (event.detail < 2) press(control, control.dataset.value ?? ""); // a double click is one
    if (control.matches("button")) return;
  }
  if (link && plain) {
    const url = new URL(link.href);
    if (url.origin === location.origin && (link.dataset.nav !== undefined || url.pathname.startsWith(body.dataset.archives))) {
      event.preventDefault();
      url.searchParams.set("as", body.dataset.as);
      go(url.href);
      return;
    }
  }
  const mentioned = target.closest(".bk-channel[data-channel]");
  if (mentioned && !target.closest("dialog")) {
    go(`c/${mentioned.dataset.channel}?${new URLSearchParams({ as: body.dataset.as })}`);
    return;
  }
  const named = target.closest("[data-do]");
  if (named) DO[named.dataset.do](named, event);
  const trouble = target.closest("[data-trouble]");
  if (trouble) act(trouble.dataset.trouble, {});
});

addEventListener("change", (event) => {
  const control = event.target;
  if (control.id === "team") location.assign(control.value);
  if (!control.dataset.actionId || (control.type === "select-one" && !control.value)) return;
  press(control, picked(control));
});

addEventListener("input", (event) => {
  const text = event.target;
  const form = text.closest(".composer");
  if (!form) return;
  sessionStorage.setItem(draftKey(form.dataset.place), text.value);
  suggest(text);
});

addEventListener("keydown", (event) => {
  if (event.target.matches(".composer textarea")) composerKey(event, event.target);
});

addEventListener("focusout", (event) => {
  const form = event.target.closest(".composer");
  if (form && !form.contains(event.relatedTarget)) hideSuggestions(form);
});

addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  if (form.matches(".composer")) send(form);
  else if (form.matches(".modal-form")) submit(form);
  else if (form.id === "trouble-form") {
    const { kind, seconds, times } = form.elements;
    act("inject", { kind: kind.value, seconds: seconds.valueAsNumber, times: times.valueAsNumber });
  }
});

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") { watch(); PLACES.forEach(markRead); }
  else unwatch();
});

settle(PLACES);
showLast();
if (wide()) ($("text-thread") ?? $("text-channel"))?.focus({ preventScroll: true });
watch();
