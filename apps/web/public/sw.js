// The service worker, which runs even while no page of the board is open (people 5.7): it shows push notifications, and
// opens the page that a notification is about.

/** The address of the board: its worker is served next to its first page. */
const home = new URL('.', self.location).href

const ownUrl = address => {
  const url = URL.canParse(address, home) ? new URL(address, home).href : home
  return url.startsWith(home) ? url : home
}

const toldIn = data => {
  try {
    return data.json() ?? {}
  } catch {
    return {}
  }
}

self.addEventListener('push', event => {
  const { title, body, url, tag, badge } = toldIn(event.data)
  // A browser cancels the subscription after a push for which nothing is shown.
  const shown = self.registration.showNotification(title || 'Specboard', {
    body: body || (title ? '' : 'Something new waits for you.'),
    tag: tag || undefined,
    icon: new URL('icon-192.png', home).href,
    data: { url },
  })
  const counted = Number.isInteger(badge) ? self.navigator.setAppBadge?.(badge).catch(() => undefined) : undefined
  event.waitUntil(Promise.all([shown, counted]))
})

self.addEventListener('notificationclick', event => {
  event.notification.close()
  const url = ownUrl(event.notification.data?.url ?? home)
  event.waitUntil(
    (async () => {
      const [open] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
      if (open === undefined) return self.clients.openWindow(url)
      // This worker cannot navigate a page that it does not control.
      const led = await open.navigate(url).catch(() => null)
      return led === null ? self.clients.openWindow(url) : led.focus()
    })(),
  )
})
