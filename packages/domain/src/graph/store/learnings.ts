import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'

/** A lesson and the bug that it was learned from. */
export interface Learning {
  readonly learning_id: string
  readonly learning_title: string
  readonly learning_content: string
  readonly justification: string
  readonly source_confidence: number
  /** The node of the bug. */
  readonly bug_id: string
  readonly bug_title: string
  /** The card of the bug, as `card:<id>`. */
  readonly bug_ref: string
}

const listed = hot<{ board: string; area: string; limit: number }, Learning>(
  (_, param) =>
    sql<Learning>`select l.id as learning_id, l.title as learning_title, l.content as learning_content,
        l.justification, l.source_confidence, b.id as bug_id, b.title as bug_title, b.source_artifact_ref as bug_ref
      from kg_nodes l join kg_edges e on e.from_id = l.id and ${sameBoard('e', 'l')} and e.edge_type = 'validates'
        join kg_nodes b on b.id = e.to_id and ${sameBoard('b', 'e')}
      where l.board_id = ${param('board')} and l.node_type = 'Learning'
        and (${param('area')} = '' or ${dialect.contains(
          dialect.folded(sql`(b.title || ${sql.lit('\n')} || b.content)`),
          dialect.folded(sql`${param('area')}`),
        )})
      order by l.relevance_score desc, l.id limit ${param('limit')}`,
)

/** The lessons of a board with their bugs, most relevant first; `area` keeps bugs whose text contains it. */
export const readLearnings = (
  db: Db,
  board: string,
  { area = '', limit }: { readonly area?: string; readonly limit: number },
): Promise<Learning[]> => listed(db, { board, area, limit })
