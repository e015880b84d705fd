/** What people's pages and lost agents ask for: what may I do, and why not (board). */
import { get_allowed_moves } from './moves.ts'

export const board = { get_allowed_moves } as const
