export type Question = { question: string; answer: string };

export const FAQ: Question[] = [
  {
    question: "Are signatures made with Cairn legally binding?",
    answer:
      "In the United States the ESIGN Act and UETA give electronic signatures the same standing as handwritten ones when the signer agrees to sign electronically and the record can be kept. Cairn asks for that consent separately, stores the exact text that was shown, and seals the PDF so that later changes can be noticed. Whether your waiver’s wording holds is a question for your lawyer.",
  },
  {
    question: "How do guests sign?",
    answer:
      "Each guest gets a unique link by email, and by SMS, if enabled. It opens the waiver on any phone or computer. Guests read it, draw or type their signature, and get a copy by email. No account and no app.",
  },
  {
    question: "Can I customize the templates?",
    answer:
      "Yes. Start from one of three samples (liability, photography release, medical authorization) or write your own. [PARTICIPANT NAME] and [COMPANY NAME] are filled in for every guest. A waiver that was already sent keeps its text.",
  },
  {
    question: "Is our data encrypted?",
    answer:
      "In transit and at rest. On a public address the service answers over https only. Sealed PDFs and the keys of mail providers are encrypted by the server before they are stored, and the deployment guide requires an encrypted volume for the database.",
  },
  {
    question: "Does it work with our booking system?",
    answer:
      "Through the data service your programs open waivers for bookings and read who has signed, and a webhook posts each newly signed waiver to your own address or starts a Zap. There are no ready-made connectors.",
  },
  {
    question: "What about guests without a smartphone?",
    answer:
      "Open the template’s public signing page on a tablet or kiosk in your office. Guests sign there one after another.",
  },
];
