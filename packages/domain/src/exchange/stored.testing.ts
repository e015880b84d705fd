import { defaultBoardSettings } from '@specboard/contract'
import { toJson } from '../lib/json.ts'

const at = '2026-03-02T09:14:27.318Z'

/** The row of the board `b`. */
export const boardRow = {
  id: 'b',
  key: 'STA',
  name: 'Standing',
  description: '',
  owner_id: 'nobody',
  settings: toJson(defaultBoardSettings),
  seq: 0,
  last_number: 0,
  created_at: at,
  updated_at: at,
}

/** The row of a guideline of that board. */
export const guidelineRow = (id: string) => ({
  id,
  board_id: boardRow.id,
  title: 'Rule',
  content: '',
  tags: null,
  scope: 'inline' as const,
  owner_id: 'nobody',
  version: 1,
  rev: 1,
  priority: 0,
  created_at: at,
  updated_at: at,
})
