/** As a `ref`, this moves the focus to an element when it appears in place of the one that had the focus. */
export function focusElement(element: HTMLElement | null): void {
  element?.focus();
}
