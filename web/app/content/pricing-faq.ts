import type { Question } from "./faq";

export const PRICING_FAQ: Question[] = [
  {
    question: "What happens after the seven days?",
    answer:
      "You are asked to subscribe. Nothing is locked meanwhile: your records stay readable and downloadable, and a guest who holds a link can still sign.",
  },
  {
    question: "How do we pay, and how do we stop?",
    answer:
      "By card, at the payment provider; the number never reaches us. A plan is renewed each month until you end it under Billing & Payment, and then stays yours until the paid month is over.",
  },
  {
    question: "Do guests pay or need an account?",
    answer: "Neither. A guest opens the link, signs, and gets a copy.",
  },
  {
    question: "What counts as a waiver?",
    answer:
      "Each one you send, once. Reminders, repeated mails of the same waiver and sends that failed do not count. The month begins on its first day, in UTC.",
  },
  {
    question: "What if we send more than 1000 in a month?",
    answer:
      "On Basic the next send is refused with an explanation, until the month ends or you move to Professional. Waivers already sent can be signed as before.",
  },
];
