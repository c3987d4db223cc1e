import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { stubCanvas } from "../../../testing/canvas";
import { NO_SIGNATURE } from "./signature-input";
import { SignaturePad } from "./signature-pad";
import { renderPng } from "./surface";

let canvasCalls: unknown[][];
beforeEach(() => {
  canvasCalls = stubCanvas();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function Pad(props: { width?: number; height?: number }) {
  const [signature, setSignature] = useState(NO_SIGNATURE);
  return <SignaturePad {...props} signature={signature} onSignature={setSignature} />;
}

const canvas = () => screen.getByRole("img", { name: /^Signature pad/ });

function draw(...points: [number, number][]) {
  const [[x, y] = [0, 0], ...nextPoints] = points;
  fireEvent.pointerDown(canvas(), { pointerId: 1, buttons: 1, clientX: x, clientY: y });
  for (const [nextX, nextY] of nextPoints) {
    fireEvent.pointerMove(window, { pointerId: 1, buttons: 1, clientX: nextX, clientY: nextY });
  }
  fireEvent.pointerUp(window, {
    pointerId: 1,
    buttons: 0,
    clientX: nextPoints.at(-1)?.[0] ?? x,
    clientY: nextPoints.at(-1)?.[1] ?? y,
  });
}

test("Undo and Clear are shown while there is a stroke", async () => {
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

test("a signature can be typed with the keyboard alone", async () => {
  const user = userEvent.setup();
  render(<Pad />);

  await user.tab();
  expect(screen.getByRole("radio", { name: "Draw" })).toHaveFocus();
  await user.keyboard("{ArrowRight}");
  await user.tab();
  await user.keyboard("Gil Guest");

  expect(screen.getByRole("status")).toHaveTextContent("Signed by typing: Gil Guest.");
  expect(canvasCalls).toContainEqual(["fillText", "Gil Guest", 250, 100]);
});

test("the strokes are kept when the guest switches to Type and back to Draw", async () => {
  render(<Pad />);
  draw([10, 10], [80, 60], [90, 10]);

  await userEvent.click(screen.getByRole("radio", { name: "Type" }));
  expect(screen.getByRole("status")).toHaveTextContent("No signature yet.");
  await userEvent.click(screen.getByRole("radio", { name: "Draw" }));

  expect(screen.getByRole("status")).toHaveTextContent("Signature drawn, 1 stroke.");
});

test("SIGN-09 the pad is 500 by 200 by default", () => {
  const { rerender } = render(<Pad />);
  expect(canvas()).toHaveStyle({ aspectRatio: "500 / 200" });

  rerender(<Pad width={600} height={200} />);
  expect(canvas()).toHaveStyle({ aspectRatio: "600 / 200" });
});

test("the line is black and 2 px wide on white", () => {
  const stroke = [10, 40, 70, 100].map((x) => ({ x, y: x, pressure: 0.5, time: x }));

  renderPng({ ...NO_SIGNATURE, strokes: [stroke] }, { width: 600, height: 200 });

  expect(canvasCalls).toContainEqual(["fillStyle", "#fff"]);
  expect(canvasCalls).toContainEqual(["fillRect", 0, 0, 600, 200]);
  const arcs = canvasCalls.filter(([method]) => method === "arc");
  expect(arcs.length).toBeGreaterThan(50);
  expect(new Set(arcs.map(([, , , radius]) => radius))).toEqual(new Set([1]));
  expect(canvasCalls.findLast(([method]) => method === "fillStyle")).toEqual(["fillStyle", "#000"]);
});
