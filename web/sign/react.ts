/**
 * The parts of React that this page uses, from Preact's core. That is a third of the size of Preact's compatibility
 * layer, and phones have to load it. The build aliases `react` and `react-dom/client` to this file.
 */
import { options, render, type ComponentChild, type VNode } from "preact";

export { Fragment } from "preact";
export * from "preact/hooks";

export function createRoot(element: Element): { render: (page: ComponentChild) => void } {
  return { render: (page) => render(page, element) };
}

// React's onChange fires for every keystroke; the browser's change event fires only when the field loses focus.
options.vnode = ({ type, props }: VNode<Record<string, unknown>>) => {
  if (type === "input" && !/^(radio|checkbox|file)$/.test(String(props.type))) props.onInput = props.onChange;
};
