import { cx } from "class-variance-authority";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useSyncExternalStore } from "react";
import { dismissToast, shownToast, subscribeToToasts } from "./toast-store";

const noToast = () => undefined;

export default function Toaster() {
  const message = useSyncExternalStore(subscribeToToasts, shownToast, noToast);
  const Icon = message?.destructive ? CircleAlert : CircleCheck;
  return (
    <Radix.Provider duration={5000} swipeThreshold={50} label="Notification">
      {message && (
        <Radix.Root
          key={message.key}
          duration={message.duration ?? 5000}
          type={message.destructive ? "foreground" : "background"}
          onOpenChange={(open) => !open && dismissToast()}
          className={cx(
            "flex animate-rise items-start gap-3 rounded-card border bg-surface p-4 pe-2 shadow-lift data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)",
            message.destructive ? "border-red/60" : "border-line",
          )}
        >
          <Icon
            className={cx("mt-0.5 size-5 shrink-0", message.destructive ? "text-red" : "text-forest")}
            aria-hidden
          />
          <div className="min-w-0 grow">
            <Radix.Title className="font-medium wrap-break-word">{message.title}</Radix.Title>
            {message.description && (
              <Radix.Description className="mt-0.5 text-sm wrap-break-word text-muted">
                {message.description}
              </Radix.Description>
            )}
          </div>
          {message.action && (
            <Radix.Action
              altText={message.action.label}
              onClick={message.action.run}
              className="-my-2 min-h-11 shrink-0 rounded-lg px-2 font-medium text-forest-text underline decoration-forest/40 underline-offset-4 hover:decoration-forest"
            >
              {message.action.label}
            </Radix.Action>
          )}
          <Radix.Close
            aria-label="Dismiss"
            className="-my-2 grid size-11 shrink-0 place-items-center rounded-lg text-muted hover:text-foreground"
          >
            <X className="size-4" aria-hidden />
          </Radix.Close>
        </Radix.Root>
      )}
      <Radix.Viewport
        // An open dialog hides everything else from screen readers, except elements with the attribute
        // aria-live. Its value is "off", because Radix itself announces each toast.
        aria-live="off"
        hotkey={["F8"]}
        className="toasts fixed inset-x-3 bottom-3 z-60 flex flex-col outline-none sm:start-auto sm:end-5 sm:bottom-5 sm:w-96"
      />
    </Radix.Provider>
  );
}
