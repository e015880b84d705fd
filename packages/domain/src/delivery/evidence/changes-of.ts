/** Records that the changes of a report are linked to (evidence 4, git 4). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import { requestsOf } from '../git/pull-requests.ts'
import { allLinksOf } from '../git/store.ts'
import type { ReportRow } from './store.ts'

/** A record that a change of a report is linked to. */
export interface ChangedRecord {
  readonly entity_type: 'card' | 'spec'
  readonly entity_id: string
  readonly how: 'commit' | 'branch' | 'pull_request'
}

/**
 * The cards and specs linked to the commit, branch or pull request of a report, each once; also those of the pull
 * request that the commit or branch belongs to, which may be known before the push was reported.
 */
export async function recordsChangedIn(
  db: Db,
  report: Pick<ReportRow, 'board_id' | 'repository_id' | 'commit_sha' | 'tested_commit' | 'branch' | 'pull_request'>,
): Promise<ChangedRecord[]> {
  const { board_id, repository_id, commit_sha, tested_commit, branch, pull_request } = report
  if (repository_id === null) return []
  const shas = [...new Set([commit_sha, tested_commit])].filter(sha => sha !== null)
  const named = [
    ...shas.map(sha => ['commit', sha] as const),
    ...(branch === null ? [] : [['branch', branch] as const]),
    ...(pull_request === null ? [] : [['pull_request', String(pull_request)] as const]),
  ]
  const found = new Map<string, ChangedRecord>()
  for (const [kind, key] of named) {
    const { rows } = await sql<Omit<ChangedRecord, 'how'>>`select l.entity_type, l.entity_id from changes c
      join change_links l on l.change_id = c.id and ${sameBoard('l', 'c')}
      where c.repository_id = ${repository_id} and ${onBoard('c', board_id)} and c.kind = ${kind} and c.key = ${key} and l.is_undone = 0
        and l.entity_type in ('card', 'spec')`.execute(db)
    for (const row of rows) if (!found.has(row.entity_id)) found.set(row.entity_id, { ...row, how: kind })
  }
  for (const request of await requestsOf(db, { id: repository_id, board_id }, { shas, branch }))
    for (const { entity_type, entity_id, is_undone } of await allLinksOf(db, request))
      if (is_undone === 0 && isJudged(entity_type) && !found.has(entity_id))
        found.set(entity_id, { entity_type, entity_id, how: 'pull_request' })
  return [...found.values()]
}

const isJudged = (type: string): type is ChangedRecord['entity_type'] => type === 'card' || type === 'spec'

/** A spec and its cards, with what matters about their changes and reports. */
export interface SpecWork {
  readonly spec_id: string
  /** The spec and its cards. */
  readonly ids: ReadonlySet<string>
  /** Whether any change is linked to one of them. */
  readonly isChanged: boolean
}

/** The work of some specs of a board. */
export async function workOf(db: Db, board: string, specs: readonly string[]): Promise<Map<string, SpecWork>> {
  const specIds = sql.val(JSON.stringify(specs))
  const { rows: cards } = await sql<{ id: string; spec_id: string }>`select id, spec_id from cards
    where ${dialect.inList(sql.ref('spec_id'), specIds)}`.execute(db)
  const ids = [...specs, ...cards.map(({ id }) => id)]
  const { rows: linked } = await sql<{ entity_id: string }>`select distinct entity_id from change_links
    where is_undone = 0 and ${dialect.inList(sql.ref('entity_id'), sql.val(JSON.stringify(ids)))}
      and ${onBoard('change_links', board)}`.execute(db)
  const changed = new Set(linked.map(({ entity_id }) => entity_id))
  const cardsBySpec = Map.groupBy(cards, ({ spec_id }) => spec_id)
  return new Map(
    specs.map(spec_id => {
      const own = new Set([spec_id, ...(cardsBySpec.get(spec_id) ?? []).map(({ id }) => id)])
      return [spec_id, { spec_id, ids: own, isChanged: [...own].some(id => changed.has(id)) }]
    }),
  )
}
