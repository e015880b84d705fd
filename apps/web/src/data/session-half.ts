import { basePath } from '../base-path.ts'

/**
 * The second half of the session, which the page keeps and sends with each request (walls 8). The storage of a page is
 * separate for each port, while browsers send the cookie to every port of the host.
 */
const stored = `specboard-session-half${basePath}`

/** Stores the second half of a session that began; all tabs share it. */
export const keepHalf = (half: string): void => localStorage.setItem(stored, half)

/** Whether there can be a session: without the second half, there is no session. */
export const hasHalf = (): boolean => localStorage.getItem(stored) !== null

/** Removes the second half of a session that ended. */
export const forgetHalf = (): void => localStorage.removeItem(stored)

/**
 * Listens for a session that begins or ends in another tab of this browser.
 * @returns stops listening
 */
export function onOtherTabs(change: (isSignedIn: boolean) => void): () => void {
  const hear = ({ key, newValue }: StorageEvent) => {
    if (key === stored || key === null) change(key !== null && newValue !== null)
  }
  addEventListener('storage', hear)
  return () => removeEventListener('storage', hear)
}

/** A request in the session of this browser; a path is one of the service. */
export function fetchInSession(address: string | URL, request: RequestInit = {}): Promise<Response> {
  const headers = new Headers(request.headers)
  const half = localStorage.getItem(stored)
  if (half !== null) headers.set('x-session-half', half)
  return fetch(typeof address === 'string' ? basePath + address : address, { ...request, headers })
}
