import type { RefObject } from 'react'
import { useKeys } from '../../components/keyboard.ts'
import type { CardSummary } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { useAssignToMe } from '../../moves/assign-to-me.ts'
import type { TableHandle } from '../../table/record-table.tsx'
import { focusedRow, rowFrom } from '../../table/row-keys.ts'
import type { EditedField, ListView } from './list-context.ts'

interface ListKeysOptions {
  readonly root: RefObject<HTMLElement | null>
  readonly table: RefObject<TableHandle | null>
  /** The cards whose rows are shown, in their order. */
  readonly cards: readonly CardSummary[]
  readonly chosen: readonly CardSummary[]
  readonly view: ListView
  readonly toggle: (id: string) => void
  readonly onAdd: () => void
}

/** The keys of a list: arrows move between rows, letters act on the focused card, or on all selected ones. */
export function useListKeys({ root, table, cards, chosen, view, toggle, onAdd }: ListKeysOptions): void {
  const rowOf = () => document.activeElement?.closest<HTMLElement>('[data-row]') ?? null
  const focused = (): CardSummary | undefined => cards.find(({ id }) => id === focusedRow())
  const go = (step: number) => (event: KeyboardEvent) => {
    const from = focused()
    const to = rowFrom(cards, step)
    if (to === undefined) return
    table.current?.show(to.id)
    if (!event.shiftKey || from === undefined) return
    // Moving with Shift selects both the card that had the focus and the one that gets it.
    const isChosen = ({ id }: CardSummary) => chosen.some(card => card.id === id)
    if (!isChosen(from)) toggle(from.id)
    if (to.id !== from.id && !isChosen(to)) toggle(to.id)
  }
  const edit = (field: EditedField) => () => {
    const card = focused() ?? chosen[0]
    const row = rowOf()
    const anchor =
      row?.querySelector<HTMLElement>(`[data-field="${field}"]`) ??
      row?.querySelector<HTMLElement>('[data-entry]') ??
      root.current?.querySelector<HTMLElement>('.selection-bar') ??
      root.current
    if (card !== undefined && anchor !== null && anchor !== undefined) view.edit(field, card, anchor)
  }
  const assignToMe = useAssignToMe(view.board.id)
  const { keys } = messages.board
  const here = (name: string, says: string, run: (event: KeyboardEvent) => void) => ({
    keys: name,
    says,
    place: 'here' as const,
    run,
  })
  useKeys([
    here('ArrowDown', keys.down, go(1)),
    here('ArrowUp', keys.up, go(-1)),
    here('j', keys.down, go(1)),
    here('k', keys.up, go(-1)),
    here(' ', keys.open, event => {
      const card = focused()
      // A checkbox or a button handles the key itself.
      if (card === undefined || (event.target as Element).matches('button, input')) return
      event.preventDefault()
      view.openCard(card.ref)
    }),
    here('x', keys.select, () => {
      const card = focused()
      if (card !== undefined) toggle(card.id)
    }),
    here('m', keys.move, edit('status')),
    here('a', keys.assign, edit('assignee')),
    here('i', keys.toMe, () => {
      const card = focused()
      const targets = chosen.length > 0 || card === undefined ? chosen : [card]
      if (targets.length > 0) assignToMe(targets)
    }),
    here('p', keys.priority, edit('priority')),
    here('l', keys.label, edit('label')),
    here('d', keys.due, edit('due')),
    here('f', keys.filterBy, () => root.current?.querySelector<HTMLElement>('[data-key="f"]')?.click()),
    here('/', keys.filter, () => root.current?.querySelector<HTMLInputElement>('[name="q"]')?.focus()),
    here('c', keys.add, onAdd),
  ])
}
