/**
 * What this page uses of React, from Preact's core: a third of the size of its full compatibility layer, and the
 * difference is what a phone has to load. The build puts it in the place of `react` and `react-dom/client`.
 */
import { options, render, type ComponentChild, type VNode } from "preact";

export { Fragment } from "preact";
export * from "preact/hooks";

export function createRoot(element: Element): { render: (page: ComponentChild) => void } {
  return { render: (page) => render(page, element) };
}

// React's onChange hears every letter; the browser's own event of that name waits until the field is left.
options.vnode = ({ type, props }: VNode<Record<string, unknown>>) => {
  if (type === "input" && !/^(radio|checkbox|file)$/.test(String(props.type))) props.onInput = props.onChange;
};
