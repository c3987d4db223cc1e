import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { serve } from "~/../testing/server";
import { show } from "~/../testing/show";
import { dollars } from "~/lib/dollars";
import { externalPage } from "~/lib/external-page";
import { NOT_REDIRECTED } from "./use-checkout";
import { CheckoutPage } from "./checkout-page";
import { parseOrder } from "./model";

beforeEach(() => void vi.spyOn(externalPage, "open").mockImplementation(() => {}));

test.each([
  ["?amount=2000&description=Basic%20Plan%20Subscription", 2000, "Basic Plan Subscription"],
  ["", 999, "Waiver Service"],
  ["?amount=&description=", 999, "Waiver Service"],
  ["?amount=-1", 999, "Waiver Service"],
  ["?amount=0", 999, "Waiver Service"],
  ["?amount=19.99", 999, "Waiver Service"],
  ["?amount=1e3", 999, "Waiver Service"],
  ["?amount=99999999999999999999", 999, "Waiver Service"],
  ["?description=%20%20", 999, "Waiver Service"],
  ["?description=two%0Alines%00", 999, "two lines"],
])("CHECK-02 %s is an order of %i cents: %s", (search, cents, description) => {
  expect(parseOrder(search)).toEqual({ cents, description });
});

test("CHECK-01 an amount is shown in dollars with two decimals", () => {
  expect([2000, 999, 1, 100_000].map(dollars)).toEqual(["$20.00", "$9.99", "$0.01", "$1000.00"]);
});

test("CHECK-07 a description is shown as plain text, even if it contains HTML", () => {
  show(<CheckoutPage />, "/checkout?amount=2000&description=%3Cb%3Efree%3C/b%3E");

  expect(screen.getByText("<b>free</b>")).toBeVisible();
});

const proceed = () => userEvent.click(screen.getByRole("button", { name: "Proceed to Payment" }));

test.each([
  ["?amount=2000&description=Basic%20Plan%20Subscription", 2000, "Basic Plan Subscription"],
  ["?amount=4000&description=Professional%20Plan%20Subscription", 4000, "Professional Plan Subscription"],
  ["", 999, "Waiver Service"],
])(
  "CHECK-04 CHECK-05 %s opens the payment page for exactly %i cents",
  async (search, amount, description) => {
    const requests = serve({
      "POST /functions/v1/create-checkout": { body: { url: `https://pay.example/${amount}` } },
    });
    show(<CheckoutPage />, `/checkout${search}`);

    await proceed();

    await waitFor(() => expect(externalPage.open).toHaveBeenCalledWith(`https://pay.example/${amount}`));
    expect(requests.map(({ body }) => body)).toEqual([{ amount, description }]);
    expect(screen.getByRole("button", { name: "Proceed to Payment" })).toBeDisabled();
  },
);

test.each([
  [502, { error: "Stripe answered 500", code: "payment_provider_failed" }],
  [500, { error: "An unexpected error occurred." }],
  [200, { nothing: "useful" }],
])(
  "ERR-25 a response of %i without a payment page shows an error and can be retried",
  async (status, body) => {
    serve({ "POST /functions/v1/create-checkout": { status, body } });
    show(<CheckoutPage />, "/checkout?amount=2000");

    await proceed();

    expect(await screen.findByRole("alert")).toHaveTextContent(NOT_REDIRECTED);
    expect(NOT_REDIRECTED).toBe("There was a problem redirecting to the payment page. Please try again.");
    expect(externalPage.open).not.toHaveBeenCalled();
    expect(screen.getByRole("button", { name: "Proceed to Payment" })).toBeEnabled();
  },
);

test("an error that a retry cannot fix is shown with its own message", async () => {
  const message = "You already have the Basic plan. Nothing was charged.";
  serve({
    "POST /functions/v1/create-checkout": {
      status: 409,
      body: { error: message, code: "plan_already_yours" },
    },
  });
  show(<CheckoutPage />, "/checkout?amount=2000");

  await proceed();

  expect(await screen.findByRole("alert")).toHaveTextContent(message);
});
