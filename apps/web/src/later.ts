import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, createElement, use, useEffect, useState } from 'react'

/** A component that is loaded when it is first shown, or earlier, by `load`. */
export interface Later {
  load(): Promise<unknown>
}

/** The module of a component. */
export type Script<Props> = () => Promise<{ readonly default: ComponentType<Props> }>

/** A script that did not load: the service is unreachable, or has a newer version. */
export class NotLoaded extends Error {
  /** Allows the script to be requested again. */
  readonly forget: () => void

  constructor(cause: unknown, forget: () => void) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.forget = forget
  }
}

/**
 * A component whose script is not part of the first load; a suspense boundary waits for it, and an error boundary shows
 * a thrown `NotLoaded`. If the script is already loaded, it is shown at once: suspending would show the fallback, which
 * React then keeps on the screen for 300 ms.
 */
export function later<Props extends object>(read: Script<Props>): ComponentType<Props> & Later {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<ComponentType<Props>> | undefined
  const load = () => {
    loading ??= read().then(
      script => {
        loaded = script.default
        return loaded
      },
      (cause: unknown) => {
        // The same error is thrown until a boundary has caught it, because React calls this again.
        throw new NotLoaded(cause, () => {
          loading = undefined
        })
      },
    )
    return loading
  }
  const Loading: ComponentType<Props> = props => createElement(use(load()), props)
  // Once shown, it stays the same component, so that it keeps its state.
  // biome-ignore lint/correctness/noComponentHookFactories: called where modules are read, as lazy is
  const Shown = (props: Props) => createElement(useState(() => loaded ?? Loading)[0], props)
  return Object.assign(Shown, { load })
}

/** Loads components before they are shown. If that fails, they are loaded when they are shown. */
export async function loadAhead(...components: readonly Later[]): Promise<void> {
  for (const result of await Promise.allSettled(components.map(({ load }) => load())))
    if (result.status === 'rejected' && result.reason instanceof NotLoaded) result.reason.forget()
}

const waiting = new Set<() => void>()

/** Calls a function whenever missing scripts may be loadable again. Returns a function that unsubscribes. */
export function onReconnect(again: () => void): () => void {
  waiting.add(again)
  return () => void waiting.delete(again)
}

/** Retries the scripts that did not load, now that the service is reachable. */
export function reconnected(): void {
  for (const again of waiting) again()
}

/** How long a page must be idle before anything is preloaded, ms. */
const idleMs = 1_000

/** Preloads components once a page has its content, so that they open at once. The arguments must stay the same. */
export function useLoadedAhead(...components: readonly Later[]): void {
  const queries = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new each time, what is in it is not
  useEffect(() => {
    const timer = setInterval(() => {
      if (queries.isFetching() > 0) return
      clearInterval(timer)
      void loadAhead(...components)
    }, idleMs)
    return () => clearInterval(timer)
  }, [queries])
}
