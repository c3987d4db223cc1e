export type Testimonial = { quote: string; author: string; role: string; company: string };

/** These testimonials are invented, and the page says so. */
export const TESTIMONIALS: Testimonial[] = [
  {
    quote:
      "The van leaves at eight. At half past seven I look at one list and know who still has to sign, instead of counting paper on a clipboard.",
    author: "Rosa Marín",
    role: "Owner",
    company: "Rio Rafting",
  },
  {
    quote:
      "Families sign at the kitchen table the evening before. What used to be twenty minutes at the counter is now a wave and a helmet.",
    author: "Jonas Weir",
    role: "Operations lead",
    company: "High Line Climbing",
  },
  {
    quote:
      "A guest asked for last summer's waiver. I typed the name and had the sealed PDF before the call was over.",
    author: "Amina Tadesse",
    role: "Manager",
    company: "Harbour Kayaks",
  },
];
