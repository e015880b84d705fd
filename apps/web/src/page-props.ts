import type { BoardListItem } from './data/boards.ts'

/** The properties of a board page. */
export interface BoardPageProps {
  readonly board: BoardListItem
  /** The named parameters of the address. */
  readonly params: Readonly<Record<string, string | undefined>>
}
