/** Questions about a board: what may I do, where is it, what changed, who is here (board). */
import { get_board_overview, list_board_members } from './board-overview.ts'
import { diff_record } from './differences.ts'
import { list_imported_names, put_imported_name } from './imported-names.ts'
import { get_allowed_moves } from './moves.ts'
import { search_records } from './search.ts'
import { read_text } from './texts.ts'

export const board = {
  get_allowed_moves,
  search_records,
  get_board_overview,
  list_board_members,
  diff_record,
  read_text,
  list_imported_names,
  put_imported_name,
} as const
