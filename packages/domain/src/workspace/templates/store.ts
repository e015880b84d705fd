import { sql } from 'kysely'
import { type Paging, paged, window } from '../../kernel/page.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { TemplatesTable } from '../../schema/tables.ts'

const byId = hot<{ id: string }, TemplatesTable>((db, param) =>
  db.selectFrom('templates').selectAll().where('id', '=', param('id')),
)

/** A template by its id; undefined when there is none. */
export const findTemplate = async (db: Db, id: string): Promise<TemplatesTable | undefined> =>
  (await byId(db, { id }))[0]

interface OfBoard {
  readonly board: string
  /** Only templates of this type; '' for all types. */
  readonly type: TemplatesTable['entity_type'] | ''
}

const ofBoard = hot<OfBoard & { limit: number; offset: number }, TemplatesTable>((db, param) =>
  db
    .selectFrom('templates')
    .selectAll()
    .where('board_id', '=', param('board'))
    .where(sql<boolean>`(${param('type')} = '' or entity_type = ${param('type')})`)
    .orderBy('name')
    .orderBy('id')
    .limit(param('limit'))
    .offset(param('offset')),
)

const countOf = hot<OfBoard, { count: number }>((db, param) =>
  db
    .selectFrom('templates')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board'))
    .where(sql<boolean>`(${param('type')} = '' or entity_type = ${param('type')})`),
)

/** How many templates a board has. */
export const countTemplates = async (db: Db, of: OfBoard): Promise<number> => (await countOf(db, of))[0]!.count

/** A page of the templates of a board, by name. */
export async function listTemplates(db: Db, of: OfBoard, paging: Paging) {
  const rows = await ofBoard(db, { ...of, ...window(paging) })
  return paged(rows, paging, () => countTemplates(db, of), templateOf)
}

/** A template as callers see it. */
export const templateOf = ({ content, ...row }: TemplatesTable) => ({ ...row, content: parseJson(content) })
