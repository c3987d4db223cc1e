export type ToastMessage = {
  title: string;
  description?: string;
  destructive?: boolean;
  /** Milliseconds on screen. */
  duration?: number;
  /** The way back, for what was done without asking. */
  action?: { label: string; run: () => void };
};

export type ShownToast = ToastMessage & { key: number };

type Listener = () => void;

let shown: ShownToast | undefined;
let count = 0;
const listeners = new Set<Listener>();

/** One at a time: a new message replaces the old. */
export function toast(message: ToastMessage): void {
  show({ ...message, key: ++count });
}

/** After whatever is being said now; for what is not an answer to something the person just did. */
export function toastAfterCurrent(message: ToastMessage): void {
  if (!shown) return toast(message);
  const stop = subscribeToToasts(() => {
    if (shown) return;
    stop();
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
