/** Opens a page of another website. This is an object, so that tests can replace `open`. */
export const externalPage = {
  open: (url: string): void => window.location.assign(url),
};
