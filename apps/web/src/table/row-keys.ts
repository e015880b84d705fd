import type { RefObject } from 'react'
import { useKeys } from '../components/keyboard.ts'
import { messages } from '../messages/messages.ts'
import type { TableRow } from './model.ts'
import type { TableHandle } from './record-table.tsx'

/** The id of the row that has the focus. */
export const focusedRow = (): string | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row

/** The row a number of steps from the focused one; the first if none is focused. */
export function rowFrom<Row extends TableRow>(rows: readonly Row[], step: number): Row | undefined {
  const at = rows.findIndex(({ id }) => id === focusedRow())
  return rows[at === -1 ? 0 : Math.max(0, Math.min(at + step, rows.length - 1))]
}

/** Arrows, `j` and `k` move between the rows of a table. */
export function useRowKeys(table: RefObject<TableHandle | null>, rows: readonly TableRow[]): void {
  const go = (step: number) => () => {
    const row = rowFrom(rows, step)
    if (row !== undefined) table.current?.show(row.id)
  }
  const { next, previous } = messages.list.keys
  const here = (keys: string, says: string, step: number) => ({ keys, says, place: 'here' as const, run: go(step) })
  useKeys([here('ArrowDown', next, 1), here('ArrowUp', previous, -1), here('j', next, 1), here('k', previous, -1)])
}
