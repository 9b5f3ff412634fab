/**
 * Mouse, touch and keyboard input for the elements with `data-pick` in a node.
 *
 * - A click, Enter or Space picks an element.  Escape cancels the last pick.
 * - One element of a `data-group` is in the tab order; arrow keys, Home and End move within the group, or, while a choice
 *   is incomplete, through all highlighted elements.
 * - Mouse and pen can drag a student to its destination, mother nature to an island, and a cloud or a card off its place;
 *   touch scrolls the page.
 * - Hovering or focusing an element with `data-look` previews it.
 *
 * Uses the document, but does not know the rules.
 */
import { tick } from "svelte";
import type { Action } from "svelte/action";
import type { Pick } from "./choose";

export interface Pointing {
  pick: (pick: Pick) => void;
  /** Cancel the last pick and return it; null: there is none. */
  back: () => Pick | null;
  look: (what: number | null) => void;
  /** Whether a choice is incomplete: then arrow keys go through its possible targets. */
  holding: boolean;
  /** A value that changes with each decision. */
  fresh: unknown;
}

type Thing = HTMLElement | SVGElement;

const THINGS = "[data-pick]:not([disabled])";
const MIN_DRAG_PX = 6; // a shorter movement of the mouse is a click
/** Picks that are dragged to a target, and picks that are complete when dropped anywhere. */
const TARGETED = /^(student|colour|give):/;
const UNTARGETED = /^(card|cloud):/;
const NEXT = new Set(["ArrowRight", "ArrowDown"]);
const BEFORE = new Set(["ArrowLeft", "ArrowUp"]);

export const pointing: Action<HTMLElement, Pointing> = (node, told) => {
  let { pick, back, look, holding } = told;
  let byKey = false;
  const last = new WeakMap<Element, Thing>();

  function things(group: Element): Thing[] {
    return [...group.querySelectorAll<Thing>(THINGS)];
  }

  /** Put one element of each group into the tab order: the last focused one, else the first highlighted one, else the first. */
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

  /** After a pick by keyboard, focus the next one. */
  async function goOn(put: Pick | null = null): Promise<void> {
    await tick();
    settle();
    const active = document.activeElement;
    if (!byKey || (active !== document.body && !node.contains(active))) return;
    const found = lit();
    if (!found.length || (put === null && found.includes(active as Thing))) return;
    const named = (name: string | null) => found.find((one) => one.dataset["pick"] === name);
    // Characters are optional, all else is required; and most students go to the dining room.
    const due = found.find((one) => !one.dataset["pick"]?.startsWith("character:"));
    (named(put) ?? named("hall") ?? due ?? found[0])?.focus();
  }

  function lit(): Thing[] {
    return [...node.querySelectorAll<Thing>(`${THINGS}[data-lit="true"]`)];
  }

  // --- dragging -------------------------------------------------------------------------------------------------------

  let lifted: { thing: Thing; x: number; y: number; ghost: HTMLElement | null } | null = null;
  /** Whether the next click event ends a drag. */
  let dragged = false;

  function lift(event: PointerEvent): void {
    dragged = false;
    const found = event.pointerType === "touch" || event.button !== 0 ? null : thing(event);
    lifted = found && { thing: found, x: event.clientX, y: event.clientY, ghost: null };
  }

  function carry(event: PointerEvent): void {
    if (!lifted) return;
    if (!dragged) {
      if (Math.hypot(event.clientX - lifted.x, event.clientY - lifted.y) < MIN_DRAG_PX) return;
      dragged = true;
      event.preventDefault();
      getSelection()?.removeAllRanges();
      const named = lifted.thing.dataset["pick"] ?? "";
      // A pick with a target is picked now, which highlights its targets; others are picked when they are dropped.
      if (TARGETED.test(named) && lifted.thing.dataset["lit"] === "true" && lifted.thing.getAttribute("aria-pressed") !== "true") pick(named as Pick);
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
    if (to?.dataset["lit"] === "true" && !UNTARGETED.test(from.thing.dataset["pick"] ?? "")) choose(to);
    else if (below !== from.thing && UNTARGETED.test(from.thing.dataset["pick"] ?? "") && from.thing.dataset["lit"] === "true") choose(from.thing);
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
    // The replay handles arrow keys too.
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
