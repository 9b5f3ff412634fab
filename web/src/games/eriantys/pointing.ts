/**
 * Pointing at the table by mouse, touch and keys, for everything in a node that has `data-pick`.
 *
 * - A click, Enter or Space picks it.  Escape puts back what is in hand.
 * - Within a `data-group` one thing is in the tab order, arrows and Home and End go from one to the next; with something
 *   in hand they go through all that is lit.
 * - By mouse or pen a student may be dragged where it goes, mother nature to an island, a cloud or a card off its place; a
 *   finger scrolls the page.
 * - What is pointed at or focused with `data-look` is looked at.
 *
 * Knows the document, not the game.
 */
import { tick } from "svelte";
import type { Action } from "svelte/action";
import type { Pick } from "./choose";

export interface Pointing {
  pick: (pick: Pick) => void;
  /** Put back what was picked last, and tell what it was; null: nothing is in hand. */
  back: () => Pick | null;
  look: (what: number | null) => void;
  /** Something is in hand: arrows then go through everything it can be brought to. */
  holding: boolean;
  /** Whatever is new when something new is asked. */
  fresh: unknown;
}

type Thing = HTMLElement | SVGElement;

const THINGS = "[data-pick]:not([disabled])";
const SLIP = 6; // a mouse that moves less than so many pixels drags nothing
/** What is carried somewhere, and what is chosen by itself wherever it is let go. */
const CARRIED = /^(student|colour|give):/;
const SETTLED = /^(card|cloud):/;
const NEXT = new Set(["ArrowRight", "ArrowDown"]);
const BEFORE = new Set(["ArrowLeft", "ArrowUp"]);

export const pointing: Action<HTMLElement, Pointing> = (node, told) => {
  let { pick, back, look, holding } = told;
  let byKey = false;
  const last = new WeakMap<Element, Thing>();

  function things(group: Element): Thing[] {
    return [...group.querySelectorAll<Thing>(THINGS)];
  }

  /** One thing of each group in the tab order: the one last focused, or the first that is lit, or the first. */
  function settle(): void {
    for (const group of node.querySelectorAll("[data-group]")) {
      const found = things(group);
      const kept = last.get(group);
      const first = found.find((one) => one.dataset["lit"] === "true");
      const stays = kept && found.includes(kept) && (kept === document.activeElement || !first) ? kept : undefined;
      const one = stays ?? first ?? found[0];
      for (const thing of found) thing.setAttribute("tabindex", thing === one ? "0" : "-1");
    }
  }

  /** After a choice by key, go to where the next one is to be made. */
  async function goOn(put: Pick | null = null): Promise<void> {
    await tick();
    settle();
    const active = document.activeElement;
    if (!byKey || (active !== document.body && !node.contains(active))) return;
    const found = lit();
    if (!found.length || (put === null && found.includes(active as Thing))) return;
    const named = (name: string | null) => found.find((one) => one.dataset["pick"] === name);
    // Characters may be used, all else must be done; and the dining room is where most students go.
    const due = found.find((one) => !one.dataset["pick"]?.startsWith("character:"));
    (named(put) ?? named("hall") ?? due ?? found[0])?.focus();
  }

  function lit(): Thing[] {
    return [...node.querySelectorAll<Thing>(`${THINGS}[data-lit="true"]`)];
  }

  // --- dragging -------------------------------------------------------------------------------------------------------

  let lifted: { thing: Thing; x: number; y: number; ghost: HTMLElement | null } | null = null;
  /** Whether the click that ends a drag is still to come. */
  let dragged = false;

  function lift(event: PointerEvent): void {
    dragged = false;
    const found = event.pointerType === "touch" || event.button !== 0 ? null : thing(event);
    lifted = found && { thing: found, x: event.clientX, y: event.clientY, ghost: null };
  }

  function carry(event: PointerEvent): void {
    if (!lifted) return;
    if (!dragged) {
      if (Math.hypot(event.clientX - lifted.x, event.clientY - lifted.y) < SLIP) return;
      dragged = true;
      event.preventDefault();
      getSelection()?.removeAllRanges();
      const named = lifted.thing.dataset["pick"] ?? "";
      // What needs a place to go is in hand from now on, and lights where that is; the rest is chosen when it is let go.
      if (CARRIED.test(named) && lifted.thing.dataset["lit"] === "true" && lifted.thing.getAttribute("aria-pressed") !== "true") pick(named as Pick);
      lifted.ghost = ghostOf(lifted.thing);
    }
    if (lifted.ghost) lifted.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
  }

  function drop(event: PointerEvent): void {
    const from = lifted;
    lifted = null;
    from?.ghost?.remove();
    if (!from || !dragged) return;
    const below = document.elementFromPoint(event.clientX, event.clientY)?.closest<Thing>(THINGS);
    const to = below && node.contains(below) && below !== from.thing ? below : null;
    if (to?.dataset["lit"] === "true" && !SETTLED.test(from.thing.dataset["pick"] ?? "")) choose(to);
    else if (below !== from.thing && SETTLED.test(from.thing.dataset["pick"] ?? "") && from.thing.dataset["lit"] === "true") choose(from.thing);
  }

  function ghostOf(thing: Thing): HTMLElement | null {
    const icon = thing.querySelector("svg");
    if (!icon || !(thing instanceof HTMLElement)) return null;
    const ghost = document.createElement("span");
    ghost.ariaHidden = "true";
    ghost.style.cssText = "position:fixed;z-index:9;left:-16px;top:-16px;width:32px;height:32px;pointer-events:none";
    const copy = icon.cloneNode(true) as SVGElement;
    copy.style.cssText = "width:100%;height:100%";
    ghost.append(copy);
    node.append(ghost);
    return ghost;
  }

  function thing(event: Event): Thing | null {
    return event.target instanceof Element ? event.target.closest<Thing>(THINGS) : null;
  }

  function onclick(event: MouseEvent): void {
    const found = thing(event);
    if (!found || dragged) {
      dragged = false;
      return;
    }
    byKey = event.detail === 0;
    choose(found);
  }

  function choose(found: Thing): void {
    pick(found.dataset["pick"] as Pick);
    void goOn();
  }

  function onkeydown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") {
      byKey = true;
      const put = back();
      if (put !== null) {
        event.preventDefault();
        event.stopPropagation();
        void goOn(put);
      }
      return;
    }
    const found = thing(event);
    if (!found) return;
    byKey = true;
    if ((event.key === "Enter" || event.key === " ") && !(found instanceof HTMLButtonElement)) {
      event.preventDefault();
      choose(found);
    } else step(event, found);
  }

  function step(event: KeyboardEvent, from: Thing): void {
    const group = from.closest("[data-group]");
    if (!group) return;
    const all = holding && from.dataset["lit"] === "true" ? lit() : things(group);
    const at = all.indexOf(from);
    let to: Thing | undefined;
    if (NEXT.has(event.key)) to = all[(at + 1) % all.length];
    else if (BEFORE.has(event.key)) to = all[(at - 1 + all.length) % all.length];
    else if (event.key === "Home") to = all[0];
    else if (event.key === "End") to = all[all.length - 1];
    if (!to) return;
    event.preventDefault();
    // The replay listens to arrows too; here they go from one thing to the next.
    event.stopPropagation();
    to.focus();
  }

  function onfocusin(event: FocusEvent): void {
    const found = thing(event);
    const group = found?.closest("[data-group]");
    if (found && group) {
      last.set(group, found);
      settle();
    }
    over(event);
  }

  function over(event: Event): void {
    const seen = event.target instanceof Element ? event.target.closest<Thing>("[data-look]") : null;
    look(seen ? Number(seen.dataset["look"]) : null);
  }

  function out(): void {
    look(null);
  }

  const watch = new MutationObserver(settle);
  watch.observe(node, { subtree: true, childList: true, attributeFilter: ["data-lit", "disabled"] });
  node.addEventListener("click", onclick);
  node.addEventListener("pointerdown", lift);
  addEventListener("pointermove", carry);
  addEventListener("pointerup", drop);
  node.addEventListener("keydown", onkeydown);
  node.addEventListener("focusin", onfocusin);
  node.addEventListener("pointerover", over);
  node.addEventListener("pointerleave", out);
  settle();

  return {
    update(next) {
      ({ pick, back, look, holding } = next);
      void goOn();
    },
    destroy() {
      watch.disconnect();
      node.removeEventListener("click", onclick);
      node.removeEventListener("pointerdown", lift);
      removeEventListener("pointermove", carry);
      removeEventListener("pointerup", drop);
      lifted?.ghost?.remove();
      node.removeEventListener("keydown", onkeydown);
      node.removeEventListener("focusin", onfocusin);
      node.removeEventListener("pointerover", over);
      node.removeEventListener("pointerleave", out);
    },
  };
};
