import type { Question } from "./faq";

export const PRICING_FAQ: Question[] = [
  {
    question: "What happens after the seven days?",
    answer:
      "We ask you to subscribe. Nothing is locked: your records stay readable and downloadable, and a guest who has a link can still sign.",
  },
  {
    question: "How do we pay, and how do we stop?",
    answer:
      "By card, at the payment provider. We never see the number. A plan renews each month until you cancel it under Billing & Payment, and then runs until the end of the month you have paid for.",
  },
  {
    question: "Do guests pay or need an account?",
    answer: "Neither. A guest opens the link, signs and gets a copy.",
  },
  {
    question: "What counts as a waiver?",
    answer:
      "Each one you send counts once. Reminders, further emails about the same waiver and emails that failed do not count. A month is a calendar month in UTC.",
  },
  {
    question: "What if we send more than 1000 in a month?",
    answer:
      "On Basic the next one is refused with an explanation, until the month ends or you change to Professional. Waivers you have already sent can still be signed.",
  },
];
