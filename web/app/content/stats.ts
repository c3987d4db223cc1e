export type Stat = { value: number; prefix: string; suffix: string; label: string };

export const STATS: Stat[] = [
  { value: 98, prefix: "", suffix: "%", label: "completion rate" },
  { value: 10, prefix: "", suffix: "k+", label: "waivers signed" },
  { value: 4.9, prefix: "", suffix: "/5", label: "customer rating" },
  { value: 60, prefix: "", suffix: "%", label: "time saved" },
];
