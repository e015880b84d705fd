import { useSyncExternalStore } from 'react'
import { basePath } from '../base-path.ts'

/** The script that this page runs: its name changes with every version of the pages. */
const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src')

const channel = new BroadcastChannel(`specboard-version${basePath}`)
const listeners = new Set<() => void>()
let isOutdated = false

function markOutdated(): void {
  isOutdated = true
  for (const listener of listeners) listener()
}

// One tab notifies all others, so that none finds out only when it requests a script that no longer exists.
channel.onmessage = () => void lookForUpdate()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the service now has another version of the pages. */
export const useIsOutdated = (): boolean => useSyncExternalStore(subscribe, () => isOutdated)

/**
 * Checks whether the service has another version of the pages; if the service does not answer, it counts as unchanged.
 */
export async function lookForUpdate(): Promise<void> {
  if (isOutdated || own === undefined || own === null) return
  const answer = await fetch(`${basePath}/`, { cache: 'no-store' }).catch(() => undefined)
  if (answer?.ok === true && !(await answer.text()).includes(own)) markOutdated()
}

/** Checks for another version in all tabs, because a script of this one is missing. */
export async function scriptIsMissing(): Promise<void> {
  channel.postMessage('look')
  await lookForUpdate()
}
