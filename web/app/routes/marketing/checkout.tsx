import { CheckoutPage } from "~/features/checkout/checkout-page";

export const meta = () => [{ title: "Secure Checkout · Cairn" }, { name: "robots", content: "noindex" }];

export default function Checkout() {
  return <CheckoutPage />;
}
