// Shows the notifications that the server pushes to this browser. A click on one opens its page.

self.addEventListener("push", (event) => {
  const { title, message, link, about } = event.data.json();
  const options = { body: message, tag: about, icon: "/favicon.svg", data: { link } };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data.link, self.location.origin).href));
});

/** Uses an open window of the app, and opens a new one only when there is none. */
async function open(address) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const appWindow = windows.find((window) => new URL(window.url).origin === self.location.origin);
  if (!appWindow) return self.clients.openWindow(address);
  await appWindow.focus();
  return appWindow.navigate(address).catch(() => self.clients.openWindow(address));
}
