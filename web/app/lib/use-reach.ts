import { useSyncExternalStore } from "react";
import { onReachChange, currentReach, type Reach } from "./reach";

export const useReach = (): Reach => useSyncExternalStore(onReachChange, currentReach, () => "online");
