/** Off to a page outside this app; what comes next is the other side's. */
export function leaveFor(address: string): void {
  window.location.assign(address);
}
