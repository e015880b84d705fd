/** Push notifications in this browser (people 5.7). */
import { basePath } from '../../base-path.ts'

/** Whether this browser supports notifications while no page is open. */
export const mayAskForPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/** On an iPhone or iPad, push needs an app on the home screen. */
export const needsHomeScreen = (): boolean =>
  /iPhone|iPad/.test(navigator.userAgent) && !matchMedia('(display-mode: standalone)').matches

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.codePointAt(0)!)

/** The push subscription of this browser, once the person allows it; undefined without permission. */
export async function subscriptionOf(publicKey: string) {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  await navigator.serviceWorker.register(`${basePath}/sw.js`)
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(publicKey),
  })
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh, auth } = keys ?? {}
  if (endpoint === undefined || p256dh === undefined || auth === undefined) return undefined
  return { endpoint, keys: { p256dh, auth } }
}
