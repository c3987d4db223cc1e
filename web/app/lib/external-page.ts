/** Leaves the app for another website. An object, so that tests can replace `open`. */
export const externalPage = {
  open: (address: string): void => window.location.assign(address),
};
