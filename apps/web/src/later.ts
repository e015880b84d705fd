import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, createElement, lazy, useEffect, useState } from 'react'

/** A component that is loaded when it is first shown, or earlier, by `load`. */
export interface Later {
  load(): Promise<unknown>
}

/**
 * A component whose script is no part of the first load. If the script is already loaded, it is shown at once: `lazy`
 * shows its fallback first, which React then keeps on the screen for 300 ms.
 */
export function later<Props extends object>(
  read: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> & Later {
  let loaded: ComponentType<Props> | undefined
  const load = async () => {
    const script = await read()
    loaded = script.default
    return script
  }
  const Lazy: ComponentType<Props> = lazy(load)
  // A shown component stays the same one, so that it keeps its state.
  // biome-ignore lint/correctness/noComponentHookFactories: called where modules are read, as lazy is
  const Shown = (props: Props) => createElement(useState(() => loaded ?? Lazy)[0], props)
  return Object.assign(Shown, { load })
}

/** Loads components before they are shown. If that fails, they are loaded when they are shown. */
export const loadAhead = (...components: readonly Later[]): Promise<unknown> =>
  Promise.allSettled(components.map(({ load }) => load()))

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
