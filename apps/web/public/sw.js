// What a browser does while no page of the board is open (people 5.7): it shows what is pushed, and leads to its page.

/** Where the board is: its worker lies beside its first page. */
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
  // A browser takes the subscription away after a push that shows nothing.
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
      // A page that this worker does not control cannot be led elsewhere by it.
      const led = await open.navigate(url).catch(() => null)
      return led === null ? self.clients.openWindow(url) : led.focus()
    })(),
  )
})
