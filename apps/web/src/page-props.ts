import type { BoardListItem } from './data/boards.ts'

/** What a page of a board is given. */
export interface BoardPageProps {
  readonly board: BoardListItem
  /** The named parts of the address. */
  readonly params: Readonly<Record<string, string | undefined>>
}
