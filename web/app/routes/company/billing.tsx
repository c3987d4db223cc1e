import { Coming } from "~/features/help/components/coming";

export const meta = () => [{ title: "Billing & Payment · Cairn" }];

export default function Billing() {
  return (
    <Coming
      title="Billing & Payment"
      coming="Choosing a plan, paying by card and reading your invoices will be done on this page."
      meanwhile={
        <p>
          Nothing: no card of yours is stored here and nothing can be charged. Writing, sending, signing,
          downloading and exporting go on as before, also after the trial has ended.
        </p>
      }
    />
  );
}
