import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { show } from "~/../testing/show";
import { CheckoutPage } from "./checkout-page";
import { dollars, orderIn } from "./model";

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
])("CHECK-02 %s asks for %i cents: %s", (search, cents, description) => {
  expect(orderIn(search)).toEqual({ cents, description });
});

test("CHECK-01 an amount is shown in dollars with two decimals", () => {
  expect([2000, 999, 1, 100_000].map(dollars)).toEqual(["$20.00", "$9.99", "$0.01", "$1000.00"]);
});

test("CHECK-07 a description is text, whatever it contains", () => {
  show(<CheckoutPage />, "/checkout?amount=2000&description=%3Cb%3Efree%3C/b%3E");

  expect(screen.getByText("<b>free</b>")).toBeVisible();
});

test("payment is said not to be open yet, and nothing else happens", async () => {
  show(<CheckoutPage />, "/checkout?amount=2000");

  await userEvent.click(screen.getByRole("button", { name: "Proceed to Payment" }));

  expect(screen.getByRole("status")).toHaveTextContent(/Payment is not open yet\.\s*Nothing was charged\./);
});
