export type ToastMessage = {
  title: string;
  description?: string;
  /** A destructive toast reports an error and has a red border. */
  destructive?: boolean;
  /** The toast is shown for this many milliseconds. */
  duration?: number;
  /** The toast can have a button, for example to undo. */
  action?: { label: string; run: () => void };
};

export type ShownToast = ToastMessage & { key: number };

type Listener = () => void;

let currentToast: ShownToast | undefined;
let toastCount = 0;
const listeners = new Set<Listener>();

/** Shows a toast, which replaces the current one. */
export function toast(message: ToastMessage): void {
  show({ ...message, key: ++toastCount });
}

/** Shows a toast after the current one is gone. Use it for messages that must not replace the current one. */
export function toastAfterCurrent(message: ToastMessage): void {
  if (!currentToast) return toast(message);
  const unsubscribe = subscribeToToasts(() => {
    if (currentToast) return;
    unsubscribe();
    toast(message);
  });
}

export function dismissToast(): void {
  show(undefined);
}

export function shownToast(): ShownToast | undefined {
  return currentToast;
}

export function hasEverToasted(): boolean {
  return toastCount > 0;
}

export function subscribeToToasts(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(next: ShownToast | undefined): void {
  currentToast = next;
  for (const listener of listeners) listener();
}
