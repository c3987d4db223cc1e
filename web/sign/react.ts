/**
 * Exports the parts of React that this page uses from Preact's core. Preact's compatibility layer would be three times
 * as large, and phones have to load it. The build replaces `react` and `react-dom/client` with this file.
 */
import { options, render, type ComponentChild, type VNode } from "preact";

export { Fragment } from "preact";
export * from "preact/hooks";

export function createRoot(element: Element): { render: (page: ComponentChild) => void } {
  return { render: (page) => render(page, element) };
}

// React's onChange fires for every keystroke. The browser's change event fires only when the field loses focus.
options.vnode = ({ type, props }: VNode<Record<string, unknown>>) => {
  const isText =
    type === "textarea" || (type === "input" && !/^(radio|checkbox|file)$/.test(String(props.type)));
  if (isText) props.onInput = props.onChange;
};
