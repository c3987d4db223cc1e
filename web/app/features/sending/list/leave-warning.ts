/** Returns a switch. While it is on, the browser asks before it closes or reloads the page. */
export function leaveWarning(): (isOn: boolean) => void {
  let isActive = false;
  const warn = (event: BeforeUnloadEvent) => {
    if (isActive) event.preventDefault();
  };
  return (isOn) => {
    isActive = isOn;
    if (isOn) window.addEventListener("beforeunload", warn);
    else window.removeEventListener("beforeunload", warn);
  };
}
