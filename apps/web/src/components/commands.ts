import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'

/** An action on what the page shows, for the palette. */
export interface Command {
  readonly id: string
  readonly label: string
  readonly sign: ReactNode
  /** The key that triggers it on the page. */
  readonly key?: string
  /** Why it is not available, or what it asks for. */
  readonly note?: string | undefined
  /** Whether choosing it only shows why it is not available. */
  readonly isClosed?: boolean
  readonly run: () => void
}

/** The commands for one subject on a page, under its name. */
export interface CommandSet {
  readonly about: string
  readonly commands: readonly Command[]
}

let sets: readonly CommandSet[] = []
const listeners = new Set<() => void>()

function change(next: readonly CommandSet[]): void {
  sets = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The actions available on the page; the most recently opened set comes first. */
export const useOfferedCommands = (): readonly CommandSet[] => useSyncExternalStore(subscribe, () => sets)

/** Offers commands in the palette while a component is shown. */
export function useCommands(about: string, commands: readonly Command[]): void {
  const current = useRef(commands)
  current.current = commands
  const says = commands.map(({ id, label, note, isClosed }) => `${id}\n${label}\n${note}\n${isClosed}`).join('\n\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words stand for the commands, which are new each time
  useEffect(() => {
    const set: CommandSet = {
      about,
      commands: current.current.map(command => ({
        ...command,
        run: () => current.current.find(({ id }) => id === command.id)?.run(),
      })),
    }
    change([set, ...sets])
    return () => change(sets.filter(other => other !== set))
  }, [about, says])
}
