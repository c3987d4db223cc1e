import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { WaiverText } from "./waiver-text";

const NAMES = { participant: "Gil", company: "Rio Rafting" };

test("SIGN-12 SIGN-13 the names appear in the text and change as they are typed", () => {
  const content = "I, **[PARTICIPANT NAME]**, join [COMPANY NAME].";
  const { container, rerender } = render(<WaiverText content={content} names={NAMES} />);
  expect(container).toHaveTextContent("I, Gil, join Rio Rafting.");

  rerender(<WaiverText content={content} names={{ ...NAMES, participant: "" }} />);
  expect(container).toHaveTextContent("I, [YOUR NAME], join Rio Rafting.");
});

test("a name is never interpreted as Markdown", () => {
  const { container } = render(
    <WaiverText content="I, [PARTICIPANT NAME]" names={{ ...NAMES, participant: "**Gil** # - _x_" }} />,
  );

  expect(container).toHaveTextContent("I, **Gil** # - _x_");
  expect(container.querySelector("strong, em, h2, li")).toBeNull();
});

test("HTML in a template is shown as text", () => {
  const { container } = render(
    <WaiverText content={'<img src=x onerror="alert(1)"> <a href="javascript:x">y</a>'} names={NAMES} />,
  );

  expect(container.querySelector("img, a, script")).toBeNull();
  expect(container).toHaveTextContent('<img src=x onerror="alert(1)">');
});

test("headings start below the page title, and lists keep their numbers", () => {
  render(<WaiverText content={"# Risk\n## Water\n- cold\n- deep\n\n4. fourth"} names={NAMES} />);

  expect(screen.getByRole("heading", { level: 2 })).toHaveTextContent("Risk");
  expect(screen.getByRole("heading", { level: 3 })).toHaveTextContent("Water");
  const [points, clauses] = screen.getAllByRole("list");
  expect(points && within(points).getAllByRole("listitem")).toHaveLength(2);
  expect(clauses).toHaveAttribute("start", "4");
});

test("each paragraph gets its own text direction", () => {
  const { container } = render(<WaiverText content={"שלום\n\nHello"} names={NAMES} />);

  expect(container.querySelectorAll('p[dir="auto"]')).toHaveLength(2);
});
