import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, createElement, lazy, useEffect, useState } from 'react'

/** Something that is loaded when it is first shown, or before, by `load`. */
export interface Later {
  load(): Promise<unknown>
}

/**
 * A component whose script is no part of the first load. Where the script is there already, it is shown at once: `lazy`
 * shows what stands in for it first, which React then leaves on the screen for 300 ms.
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
  // One that is shown stays the same component, so that it keeps its state.
  // biome-ignore lint/correctness/noComponentHookFactories: called where modules are read, as lazy is
  const Shown = (props: Props) => createElement(useState(() => loaded ?? Lazy)[0], props)
  return Object.assign(Shown, { load })
}

/** Loads components before they are shown. Where it fails, they are loaded again when they are. */
export const loadAhead = (...components: readonly Later[]): Promise<unknown> =>
  Promise.allSettled(components.map(({ load }) => load()))

/** How long a page is left alone before it is looked whether anything can be loaded ahead, ms. */
const idleMs = 1_000

/** Loads components when a page has what it shows, so that they open at once. What is given must stay the same. */
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
