import type { Question } from "~/lib/waiver-form/types";
import type { Item } from "./edited-form";

/** The actions on one question of the list. */
export type CardActions = {
  toggle: (item: Item) => void;
  change: (item: Item, question: Question) => void;
  changeOption: (item: Item, index: number, label: string) => void;
  move: (id: number, position: number) => void;
  duplicate: (item: Item) => void;
  remove: (item: Item) => void;
};
