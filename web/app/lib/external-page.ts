/** Off to a page outside this app; what comes next is the other side's. An object, so that a test can stand at the door. */
export const externalPage = {
  open: (address: string): void => window.location.assign(address),
};
