import { useEffect, useSyncExternalStore } from 'react'
import { messages } from '../messages/messages.ts'

/** The titles of the components that are shown; the last one shown, such as a card over its board, names the tab. */
let titles: readonly { readonly text: string }[] = []
const listeners = new Set<() => void>()

function change(next: typeof titles): void {
  titles = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Sets the title of the tab while a component is shown; nothing for undefined. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    if (text === undefined) return
    const own = { text }
    change([...titles, own])
    return () => change(titles.filter(title => title !== own))
  }, [text])
}

interface TabTitle {
  /** The name of the page, used unless the content of the page has a title. */
  readonly page: string | undefined
  readonly board: string | undefined
  /** The number of items that wait for the person. */
  readonly waiting: number
}

/** Keeps the title of the tab: the number of waiting items, what is shown, and the board. Used once, by the shell. */
export function useTabTitle({ page, board, waiting }: TabTitle): void {
  const current = useSyncExternalStore(subscribe, () => titles.at(-1)?.text) ?? page
  const parts = [current, board, messages.shell.product].filter(part => part !== undefined)
  const title = `${waiting === 0 ? '' : `(${waiting}) `}${parts.join(' · ')}`
  useEffect(() => {
    document.title = title
  }, [title])
}

/** The tab title of a record. */
export const titleOf = (record: { readonly ref: string; readonly title: string } | undefined): string | undefined =>
  record && `${record.ref} ${record.title}`
