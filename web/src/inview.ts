/** Attachment: scroll to what appears, such as why something was refused, where the reader has scrolled away from it. */
export function inView(node: Element): void {
  node.scrollIntoView({ block: "center" });
}
