// Shows what the server pushes to this browser, and opens the page it is about.

self.addEventListener("push", (event) => {
  const { title, message, link, about } = event.data.json();
  const options = { body: message, tag: about, icon: "/favicon.svg", data: { link } };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data.link, self.location.origin).href));
});

/** A window of ours that is open already is used before another one is opened. */
async function open(address) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const ours = windows.find((window) => new URL(window.url).origin === self.location.origin);
  if (!ours) return self.clients.openWindow(address);
  await ours.focus();
  return ours.navigate(address).catch(() => self.clients.openWindow(address));
}
