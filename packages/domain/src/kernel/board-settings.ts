import { BoardSettings, type BoardSettingsInput, defaultBoardSettings } from '@specboard/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { parseJson, toJson } from '../lib/json.ts'
import type { Db } from '../schema/database.ts'
import { hot } from '../schema/hot.ts'
import type { BoardsTable } from '../schema/tables.ts'

/** The governance rules of a board (access 4). */
export type Settings = z.output<typeof BoardSettings>

/** The complete settings of a stored board: missing keys have their default. */
export const settingsOf = (stored: BoardsTable['settings']): Settings => ({
  ...defaultBoardSettings,
  ...parseJson(stored),
})

/** Settings with the supplied keys replaced; a null `cognitive_llm_config` becomes an empty one. */
export function mergedSettings(present: Settings, supplied: z.output<typeof BoardSettingsInput>): Settings {
  const { cognitive_llm_config = present.cognitive_llm_config, ...others } = supplied
  return BoardSettings.parse({ ...present, ...others, cognitive_llm_config: cognitive_llm_config ?? {} })
}

const stored = hot<{ id: string }, Pick<BoardsTable, 'settings'>>(
  (_, param) => sql<Pick<BoardsTable, 'settings'>>`select settings from boards where id = ${param('id')}`,
)

/** The complete settings of a board. */
export async function boardSettings(db: Db, boardId: string): Promise<Settings> {
  const [row] = await stored(db, { id: boardId })
  return settingsOf(row?.settings ?? toJson({}))
}
