export type ToastMessage = {
  title: string;
  description?: string;
  destructive?: boolean;
  /** Milliseconds on screen. */
  duration?: number;
  /** A button in the toast, for example to undo. */
  action?: { label: string; run: () => void };
};

export type ShownToast = ToastMessage & { key: number };

type Listener = () => void;

let shown: ShownToast | undefined;
let count = 0;
const listeners = new Set<Listener>();

/** Shows one toast at a time; a new one replaces the old. */
export function toast(message: ToastMessage): void {
  show({ ...message, key: ++count });
}

/** Waits until the current toast is gone; for news that is not a result of the user's last action. */
export function toastAfterCurrent(message: ToastMessage): void {
  if (!shown) return toast(message);
  const unsubscribe = subscribeToToasts(() => {
    if (shown) return;
    unsubscribe();
    toast(message);
  });
}

export function dismissToast(): void {
  show(undefined);
}

export function shownToast(): ShownToast | undefined {
  return shown;
}

export function hasEverToasted(): boolean {
  return count > 0;
}

export function subscribeToToasts(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(next: ShownToast | undefined): void {
  shown = next;
  for (const listener of listeners) listener();
}
