/** What people's pages and lost agents ask for: what may I do, and why not; where is it; what changed (board). */
import { diff_record } from './differences.ts'
import { get_allowed_moves } from './moves.ts'
import { search_records } from './search.ts'

export const board = { get_allowed_moves, search_records, diff_record } as const
