import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { blocked } from '../../kernel/errors.ts'
import { parseNullable, sameJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { updateRow } from '../../schema/rows.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { KgSessionChangesTable, KgSessionsTable } from '../../schema/tables.ts'
import { embeddedText } from '../embedding/embedder.ts'
import { storeEvent } from '../events/store.ts'
import {
  type GraphChange,
  GraphChanges,
  type NodeChange,
  type RecordedEdge,
  type RecordedNode,
  type RemovedNode,
  statementColumns,
} from '../store/changes.ts'
import { updateContradictions } from '../store/contradictions.ts'
import { type EdgeRow, edgesAt, type NodeRow, nodesByIds } from '../store/rows.ts'

/** What an undo did. */
export interface UndoResult {
  readonly counts: {
    readonly nodes_removed: number
    readonly nodes_restored: number
    readonly edges_removed: number
    readonly edges_restored: number
  }
  /** Nodes whose text has changed, so that they need new vectors. */
  readonly unembedded: readonly string[]
}

const changesOf = hot<{ session: string }, KgSessionChangesTable>((db, param) =>
  db.selectFrom('kg_session_changes').selectAll().where('session_id', '=', param('session')).orderBy('id', 'desc'),
)

const member = (name: string) => dialect.jsonText(sql.ref<string | null>('l.after'), name)

/** Later sessions that changed a node which this one added or changed, or added an edge at a node it added. */
const buildingOn = hot<{ session: string }, { id: string }>(
  (_, param) =>
    sql<{ id: string }>`with own as (select kind, target_id, before, after from kg_session_changes
          where session_id = ${param('session')}),
        later as (select s.id, c.kind, c.target_id, c.before, c.after from kg_sessions s
          join kg_session_changes c on c.session_id = s.id and ${sameBoard('c', 's')}
          where s.board_id = (select board_id from kg_sessions where id = ${param('session')})
            and s.undone_at is null
            and (s.committed_at, s.id) > (select committed_at, id from kg_sessions where id = ${param('session')}))
      select distinct l.id, (select committed_at from kg_sessions where id = l.id) as at from later l
      where (l.kind = 'node' and exists (select 1 from own where own.kind = 'node' and own.target_id = l.target_id
              and own.after is not null))
        or (l.kind = 'edge' and l.before is null and exists (select 1 from own where own.kind = 'node'
              and own.before is null
              and own.target_id in (${member('from_id')}, ${member('to_id')})))
      order by at, l.id`,
)

/**
 * Undoes a session (knowledge-graph 8.4) in the caller's unit of work.
 * @throws DomainError ALREADY_UNDONE; UNDO_BLOCKED with `blocking_sessions` unless forced
 */
export async function undoSession(
  db: Db,
  session: KgSessionsTable,
  by: { readonly agentId: string; readonly now: string; readonly newId: () => string; readonly force: boolean },
): Promise<UndoResult> {
  if (session.undone_at !== null) throw blocked('ALREADY_UNDONE', `This session was undone at ${session.undone_at}.`)
  const blocking_sessions = (await buildingOn(db, { session: session.id })).map(({ id }) => id)
  if (blocking_sessions.length > 0 && !by.force)
    throw blocked(
      'UNDO_BLOCKED',
      'Later sessions build on this one. Undo them first, starting with the latest, or use force=true.',
      { blocking_sessions },
    )
  const changes = await GraphChanges.begin(db, { boardId: session.board_id, sessionId: session.id, now: by.now })
  const undone = await new Undo(db, changes).run(await changesOf(db, { session: session.id }))
  await updateContradictions(db, changes, changes.decisions)
  await changes.settle()
  await updateRow(db, 'kg_sessions', session.id, { undone_at: by.now, undone_by: by.agentId })
  await storeEvent(db, by, {
    boardId: session.board_id,
    type: 'kg.session.undone',
    sessionId: session.id,
    payload: {
      session_id: session.id,
      undone_by: by.agentId,
      nodes_removed: undone.counts.nodes_removed,
      nodes_restored: undone.counts.nodes_restored,
    },
  })
  return undone
}

/** A change as recorded: its kind says whether it holds the columns of a node or an edge. */
const recordedOf = ({ kind, target_id, before, after, vector }: KgSessionChangesTable): GraphChange =>
  ({ kind, target_id, before: parseNullable(before), after: parseNullable(after), vector }) as GraphChange

/** The columns that are derived from the text of a node. */
const followsText: ReadonlySet<string> = new Set(['embedding_model', 'polarity', 'core'])

/** Reverts the changes of a session: restores nodes before edges, and removes them after edges. */
class Undo {
  readonly #db: Db
  readonly #changes: GraphChanges
  readonly #counts = { nodes_removed: 0, nodes_restored: 0, edges_removed: 0, edges_restored: 0 }
  readonly #unembedded: string[] = []

  constructor(db: Db, changes: GraphChanges) {
    this.#db = db
    this.#changes = changes
  }

  async run(rows: readonly KgSessionChangesTable[]): Promise<UndoResult> {
    const changes = rows.map(recordedOf)
    const nodes = changes.filter(change => change.kind === 'node')
    const edges = changes.filter(change => change.kind === 'edge')
    for (const change of nodes) if (change.after === null) await this.#bringBack(change)
    for (const change of nodes) if (change.before !== null && change.after !== null) await this.#turnBack(change)
    for (const change of edges) if (change.before === null) await this.#cut(change)
    for (const change of nodes) if (change.before === null) await this.#takeAway(change)
    for (const change of edges) if (change.after === null) await this.#tie(change)
    return { counts: this.#counts, unembedded: this.#unembedded }
  }

  async #node(id: string): Promise<NodeRow | undefined> {
    return (await nodesByIds(this.#db, [id]))[0]
  }

  async #bringBack({ target_id, before, vector }: RecordedNode): Promise<void> {
    if ((await this.#node(target_id)) !== undefined) return
    // All columns of a removed node were recorded.
    await this.#changes.restoreNode(before as RemovedNode, vector)
    this.#counts.nodes_restored++
  }

  /** Restores the values of a changed node, except those that have changed again since. */
  async #turnBack({ target_id, before, after }: RecordedNode): Promise<void> {
    const node = await this.#node(target_id)
    if (node === undefined) return
    const names = (Object.keys(before!) as (keyof NodeChange)[]).filter(
      name => !followsText.has(name) && sameJson(node[name], after![name]),
    )
    const columns: NodeChange = Object.fromEntries(names.map(name => [name, before![name]]))
    if (Object.keys(columns).length === 0) return
    this.#counts.nodes_restored++
    if (embeddedText({ ...node, ...columns }) === embeddedText(node)) return this.#changes.writeNode(node, columns)
    // Combined with columns that are not restored, the text may be one that the node never had.
    const { title = node.title } = columns
    const values = { ...columns, ...statementColumns(node.node_type, title), embedding_model: '' }
    await this.#changes.writeNode(node, values, null)
    this.#unembedded.push(node.id)
  }

  async #cut({ target_id }: RecordedEdge): Promise<void> {
    const edge = await this.#edge(target_id)
    if (edge === undefined) return
    await this.#changes.removeEdge(edge)
    this.#counts.edges_removed++
  }

  async #takeAway({ target_id }: RecordedNode): Promise<void> {
    const node = await this.#node(target_id)
    if (node === undefined) return
    this.#counts.edges_removed += (await edgesAt(this.#db, node.id)).length
    await this.#changes.removeNode(node)
    this.#counts.nodes_removed++
  }

  async #tie({ target_id, before }: RecordedEdge): Promise<void> {
    const edge = before!
    const ends = await nodesByIds(this.#db, [edge.from_id, edge.to_id])
    if (ends.length < 2 || (await this.#edge(target_id)) !== undefined) return
    await this.#changes.restoreEdge(edge)
    this.#counts.edges_restored++
  }

  async #edge(id: string): Promise<EdgeRow | undefined> {
    return this.#db.selectFrom('kg_edges').selectAll().where('id', '=', id).executeTakeFirst()
  }
}
