import type { RefObject } from 'react'
import { useKeys } from '../../components/keyboard.ts'
import type { CardSummary } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { useAssignToMe } from '../../moves/assign-to-me.ts'
import type { BoardView } from './board-context.ts'
import type { ChangedField } from './card-changes.tsx'
import type { Lane } from './lanes.ts'
import { useReorder } from './reorder.ts'
import { showAt } from './show-card.ts'

interface BoardKeysOptions {
  readonly root: RefObject<HTMLElement | null>
  readonly cards: readonly CardSummary[]
  /** The selected cards: keys act on all of them. */
  readonly chosen: readonly CardSummary[]
  readonly lanes: readonly Lane[]
  readonly view: BoardView
  /** Lets somebody choose a new value for the cards. */
  readonly onChange: (field: ChangedField, cards: readonly CardSummary[], anchor: HTMLElement) => void
  readonly onAdd: () => void
}

const columnsIn = (root: HTMLElement): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('[data-column]')]

const tileOf = (element: Element | null): HTMLElement | null => element?.closest<HTMLElement>('[data-card]') ?? null

/** The keys of a board: arrows move between cards, letters act on the focused card. */
export function useBoardKeys({ root, cards, chosen, lanes, view, onChange, onAdd }: BoardKeysOptions): void {
  const focused = (): { readonly tile: HTMLElement; readonly card: CardSummary } | undefined => {
    const tile = tileOf(document.activeElement)
    const card = cards.find(({ id }) => id === tile?.dataset.card)
    return tile === null || card === undefined ? undefined : { tile, card }
  }
  const go = (down: number, right: number) => (event: KeyboardEvent) => {
    if (root.current === null) return
    const columns = columnsIn(root.current).filter(column => Number(column.dataset.count) > 0)
    const tile = tileOf(document.activeElement)
    const column = tile?.closest<HTMLElement>('[data-column]') ?? undefined
    if (tile === null || column === undefined) {
      if (columns[0] !== undefined) showAt(columns[0], 0)
      return
    }
    const index = Number(tile.dataset.index)
    const target = columns[columns.indexOf(column) + right]
    if (target === undefined) return
    showAt(target, Math.max(0, Math.min(index + down, Number(target.dataset.count) - 1)))
    if (!event.shiftKey) return
    // Moving with Shift selects both the card that had the focus and the one that gets it.
    const isChosen = (id: string | undefined) => chosen.some(card => card.id === id)
    const to = focused()
    const from = cards.find(({ id }) => id === tile.dataset.card)
    if (from !== undefined && !isChosen(from.id)) view.toggleSelected(from)
    if (to !== undefined && to.card.id !== from?.id && !isChosen(to.card.id)) view.toggleSelected(to.card)
  }
  /** Acts on all selected cards, or on the focused card. */
  const withCards = (act: (cards: readonly CardSummary[], anchor: HTMLElement) => void) => () => {
    const found = focused()
    const targets = chosen.length > 0 ? chosen : found === undefined ? [] : [found.card]
    const anchor = found?.tile.querySelector('a') ?? root.current
    if (targets.length > 0 && anchor !== null) act(targets, anchor)
  }
  const assignToMe = useAssignToMe(view.board.id)
  const reorder = useReorder(root, lanes, view)
  const step = (by: -1 | 1) => () => {
    const found = focused()
    if (found !== undefined) reorder(found.card.id, by)
  }
  const { keys } = messages.board
  const here = (name: string, says: string, run: (event: KeyboardEvent) => void) => ({
    keys: name,
    says,
    place: 'here' as const,
    run,
  })
  const changes = (field: ChangedField) => withCards((targets, anchor) => onChange(field, targets, anchor))
  useKeys([
    here('ArrowDown', keys.down, go(1, 0)),
    here('ArrowUp', keys.up, go(-1, 0)),
    here('ArrowRight', keys.right, go(0, 1)),
    here('ArrowLeft', keys.left, go(0, -1)),
    here('j', keys.down, go(1, 0)),
    here('k', keys.up, go(-1, 0)),
    here(' ', keys.open, event => {
      const found = focused()
      // A checkbox or a button handles the key itself.
      if (found === undefined || (event.target as Element).matches('button, input')) return
      event.preventDefault()
      view.openCard(found.card.ref)
    }),
    here('m', keys.move, () => {
      const found = focused()
      const card = chosen[0] ?? found?.card
      const anchor = found === undefined ? root.current : (found.tile.querySelector('a') ?? found.tile)
      if (card !== undefined && anchor !== null) view.openMenu(card, anchor)
    }),
    here('x', keys.select, () => {
      const found = focused()
      if (found !== undefined) view.toggleSelected(found.card)
    }),
    here('a', keys.assign, changes('assignee')),
    here('i', keys.toMe, withCards(assignToMe)),
    here('p', keys.priority, changes('priority')),
    here('l', keys.label, changes('label')),
    here('d', keys.due, changes('due')),
    here('alt+ArrowUp', keys.up1, step(-1)),
    here('alt+ArrowDown', keys.down1, step(1)),
    here('f', keys.filterBy, () => root.current?.querySelector<HTMLElement>('[data-key="f"]')?.click()),
    here('/', keys.filter, () => root.current?.querySelector<HTMLInputElement>('[name="q"]')?.focus()),
    here('c', keys.add, onAdd),
  ])
}
