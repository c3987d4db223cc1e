import { useSyncExternalStore } from "react";
import { onReach, reachNow, type Reach } from "./reach";

export const useReach = (): Reach => useSyncExternalStore(onReach, reachNow, () => "there");
