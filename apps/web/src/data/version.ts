import { useSyncExternalStore } from 'react'

/** The script that this page runs: its name changes with every version of the pages. */
const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src')

const channel = new BroadcastChannel('specboard-version')
const listeners = new Set<() => void>()
let isOutdated = false

function markOutdated(): void {
  isOutdated = true
  for (const listener of listeners) listener()
}

// What one tab finds out, all know at once: none waits until it asks for a script that is gone.
channel.onmessage = () => void lookForUpdate()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the service has other pages by now than this one is of. */
export const useIsOutdated = (): boolean => useSyncExternalStore(subscribe, () => isOutdated)

/** Looks whether the service has other pages by now; a service that does not answer has none. */
export async function lookForUpdate(): Promise<void> {
  if (isOutdated || own === undefined || own === null) return
  const answer = await fetch('/', { cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok === true && !(await answer.text()).includes(own)) markOutdated()
}

/** Looks for another version in this tab and all others: a script of this one was not there. */
export async function scriptIsMissing(): Promise<void> {
  channel.postMessage('look')
  await lookForUpdate()
}
