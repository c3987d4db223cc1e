import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stubCanvas } from "../../../testing/canvas";
import { NO_INK } from "./ink";
import { SignaturePad } from "./signature-pad";
import { image } from "./surface";

let drawn: unknown[][];
beforeEach(() => {
  drawn = stubCanvas();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function Pad(props: { width?: number; height?: number }) {
  const [ink, setInk] = useState(NO_INK);
  return <SignaturePad {...props} ink={ink} onInk={setInk} />;
}

const paper = () => screen.getByRole("img", { name: /^Signature pad/ });

function draw(...points: [number, number][]) {
  const [[x, y] = [0, 0], ...rest] = points;
  fireEvent.pointerDown(paper(), { pointerId: 1, buttons: 1, clientX: x, clientY: y });
  for (const [nextX, nextY] of rest) {
    fireEvent.pointerMove(window, { pointerId: 1, buttons: 1, clientX: nextX, clientY: nextY });
  }
  fireEvent.pointerUp(window, {
    pointerId: 1,
    buttons: 0,
    clientX: rest.at(-1)?.[0] ?? x,
    clientY: rest.at(-1)?.[1] ?? y,
  });
}

test("undo and clear come with the first stroke and go with the last", async () => {
  render(<Pad />);
  expect(screen.queryByRole("button", { name: "Clear" })).toBeNull();

  draw([10, 10], [80, 60], [90, 10]);
  draw([90, 10], [160, 60]);
  expect(screen.getByRole("status")).toHaveTextContent("Signature drawn, 2 strokes.");

  await userEvent.click(screen.getByRole("button", { name: "Undo" }));
  expect(screen.getByRole("status")).toHaveTextContent("Signature drawn, 1 stroke.");

  await userEvent.click(screen.getByRole("button", { name: "Clear" }));
  expect(screen.getByRole("status")).toHaveTextContent("No signature yet.");
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

test("a resting finger is not taken for a signature", () => {
  render(<Pad />);

  draw([50, 50]);

  expect(screen.getByRole("status")).toHaveTextContent("Only a mark so far.");
});

test("whoever cannot draw types, with the keyboard alone", async () => {
  const keys = userEvent.setup();
  render(<Pad />);

  await keys.tab();
  expect(screen.getByRole("radio", { name: "Draw" })).toHaveFocus();
  await keys.keyboard("{ArrowRight}");
  await keys.tab();
  await keys.keyboard("Gil Guest");

  expect(screen.getByRole("status")).toHaveTextContent("Signed by typing: Gil Guest.");
  expect(drawn).toContainEqual(["fillText", "Gil Guest", 250, 100]);
});

test("trying to type loses no stroke", async () => {
  render(<Pad />);
  draw([10, 10], [80, 60], [90, 10]);

  await userEvent.click(screen.getByRole("radio", { name: "Type" }));
  expect(screen.getByRole("status")).toHaveTextContent("No signature yet.");
  await userEvent.click(screen.getByRole("radio", { name: "Draw" }));

  expect(screen.getByRole("status")).toHaveTextContent("Signature drawn, 1 stroke.");
});

test("SIGN-09 the pad is 500 by 200 unless it is told otherwise", () => {
  const { rerender } = render(<Pad />);
  expect(paper()).toHaveStyle({ aspectRatio: "500 / 200" });

  rerender(<Pad width={600} height={200} />);
  expect(paper()).toHaveStyle({ aspectRatio: "600 / 200" });
});

test("the line is black and 2 px wide on white paper", () => {
  const stroke = [10, 40, 70, 100].map((x) => ({ x, y: x, pressure: 0.5, time: x }));

  image({ ...NO_INK, strokes: [stroke] }, { width: 600, height: 200 });

  expect(drawn).toContainEqual(["fillStyle", "#fff"]);
  expect(drawn).toContainEqual(["fillRect", 0, 0, 600, 200]);
  const arcs = drawn.filter(([method]) => method === "arc");
  expect(arcs.length).toBeGreaterThan(50);
  expect(new Set(arcs.map(([, , , radius]) => radius))).toEqual(new Set([1]));
  expect(drawn.findLast(([method]) => method === "fillStyle")).toEqual(["fillStyle", "#000"]);
});
