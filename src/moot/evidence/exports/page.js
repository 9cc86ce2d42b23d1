
"use strict";
// Shows the passage a number stands for. Everything shown is taken from the sources at the end of this page.
(() => {
  const box = document.getElementById("passage");
  const canHover = matchMedia("(hover: hover)").matches;
  let open = null;
  let pinned = false;
  let leaving = 0;

  const add = (parent, tag, className, text) => {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    made.dir = "auto";
    parent.append(made);
    return made;
  };

  const fill = (cite) => {
    box.replaceChildren();
    const ids = cite.dataset.passages.split(" ").filter(Boolean);
    const first = document.getElementById(ids[0] || cite.hash.slice(1));
    const source = first && first.closest(".sources > li");
    const worth = cite.getAttribute("aria-label").split(", ").pop();
    if (cite.dataset.status !== "none") add(box, "p", "status " + cite.dataset.status, worth);
    for (const part of source ? source.querySelectorAll(":scope > .title, :scope > .facts, :scope > .copies") : []) {
      add(box, "p", part.className === "title" ? "title" : "about", part.innerText);
    }
    for (const id of ids) {
      const passage = document.getElementById(id);
      add(box, "blockquote", "", passage.querySelector("blockquote").textContent);
      add(box, "cite", "", passage.querySelector("cite").textContent);
    }
  };

  const place = (cite) => {
    const at = cite.getBoundingClientRect();
    const room = document.documentElement.clientWidth;
    const left = Math.max(8, Math.min(at.left - 24, room - box.offsetWidth - 8));
    const below = at.bottom + 8 + box.offsetHeight <= innerHeight || at.top < box.offsetHeight + 8;
    box.style.left = left + scrollX + "px";
    box.style.top = (below ? at.bottom + 8 : at.top - box.offsetHeight - 8) + scrollY + "px";
  };

  const show = (cite) => {
    clearTimeout(leaving);
    if (open === cite) return;
    close();
    open = cite;
    fill(cite);
    box.hidden = false;
    place(cite);
    cite.setAttribute("aria-expanded", "true");
    cite.setAttribute("aria-describedby", "passage");
  };

  const close = () => {
    clearTimeout(leaving);
    if (!open) return;
    open.removeAttribute("aria-expanded");
    open.removeAttribute("aria-describedby");
    box.hidden = true;
    open = null;
    pinned = false;
  };

  const leave = () => {
    clearTimeout(leaving);
    if (!pinned) leaving = setTimeout(close, 180);
  };

  const citeOf = (event) => (event.target instanceof Element ? event.target.closest("a.cite") : null);

  document.addEventListener("pointerover", (event) => {
    const cite = citeOf(event);
    if (event.pointerType === "mouse" && cite && !(pinned && open !== cite)) show(cite);
    else if (box.contains(event.target)) clearTimeout(leaving);
  });
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType === "mouse" && (citeOf(event) || box.contains(event.target))) leave();
  });
  document.addEventListener("focusin", (event) => {
    const cite = citeOf(event);
    if (cite) show(cite);
    else if (!box.contains(event.target)) close();
  });
  document.addEventListener("focusout", (event) => {
    if (citeOf(event) && !pinned) leave();
  });
  document.addEventListener("click", (event) => {
    const cite = citeOf(event);
    if (cite && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
      const again = open === cite && pinned;
      event.preventDefault();
      if (again && canHover) location.hash = cite.hash;
      if (again) return close();
      show(cite);
      pinned = true;
    } else if (!box.contains(event.target)) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  addEventListener("resize", close);
})();
