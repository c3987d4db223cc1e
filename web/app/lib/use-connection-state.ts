import { useSyncExternalStore } from "react";
import { onConnectionChange, connectionState, type ConnectionState } from "./connection";

export const useConnectionState = (): ConnectionState =>
  useSyncExternalStore(onConnectionChange, connectionState, () => "online");
