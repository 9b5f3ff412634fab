/** Attachment that scrolls to an element when it appears, such as the reason of a refusal below the visible part. */
export function inView(node: Element): void {
  node.scrollIntoView({ block: "center" });
}
