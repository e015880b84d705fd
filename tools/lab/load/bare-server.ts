/**
 * The baseline: `node:http` and better-sqlite3 by hand, with prepared statements, the key checked by its hash, one
 * commit per write and `synchronous=FULL`. It writes the same rows, and serves five requests on a copy of the product's
 * database:
 *
 *   GET /ideations/{id}   GET /boards/{id}/ideations   POST /boards/{id}/ideations   PATCH /ideations/{id}
 *   GET /bytes            the bytes of a file, for reads whose cost is their size
 *
 * Usage: node tools/lab/load/bare-server.ts <database file> <file of bytes>; prints its port.
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import SqliteDatabase from 'better-sqlite3'

const [file = '', bytesFile = ''] = process.argv.slice(2)
const database = new SqliteDatabase(file)
database.pragma('journal_mode = wal')
database.pragma('synchronous = full')
database.pragma('foreign_keys = on')

type Row = Record<string, unknown>

/** A nested collection as one JSON column, with the same fields that the product answers. */
const nested = (table: string, column: string, fields: readonly string[]) =>
  `(select coalesce(json_group_array(json_object(${fields.map(field => `'${field}', ${field}`).join()})), '[]') from (select * from ${table} where ${column} = i.id order by created_at, id)) as ${table}`

const recordFields = [
  'id',
  'board_id',
  'title',
  'description',
  'status',
  'version',
  'assignee_id',
  'labels',
  'archived',
  'pre_archive_status',
  'created_by',
  'created_at',
  'updated_at',
]
const questionFields = [
  'id',
  'question',
  'question_type',
  'choices',
  'allow_free_text',
  'answer',
  'selected',
  'asked_by',
  'answered_by',
  'created_at',
  'answered_at',
]
const designFields = [
  'id',
  'board_id',
  'parent_type',
  'parent_id',
  'title',
  'version',
  'source_ref',
  'source_version',
  'stale',
  'breaking_change_flag',
  'requires_arch_review',
  'diagrams',
  'created_at',
  'updated_at',
]

const agentByHash = database.prepare(
  'select id from agents where key_hash = ? and is_active = 1 and deleted_at is null',
)
const boardById = database.prepare('select owner_id from boards where id = ?')
const ideationById = database.prepare(
  `select i.*, ${nested('questions', 'owner_id', questionFields)}, ${nested('refinements', 'ideation_id', recordFields)}, ${nested('specs', 'ideation_id', recordFields)}, ${nested('architecture_designs', 'parent_id', designFields)} from ideations i where id = ?`,
)
const ideationsOfBoard = database.prepare(
  `select i.*, ${nested('architecture_designs', 'parent_id', designFields)} from ideations i where board_id = ? and archived = 0 order by updated_at desc, id desc limit 50`,
)
const countOfBoard = database.prepare('select count(*) as count from ideations where board_id = ? and archived = 0')
const insertIdeation = database.prepare(
  `insert into ideations (id, board_id, number, title, description, status, version, archived, created_by, created_at,
     updated_at)
   values (@id, @board_id, @number, @title, @description, 'draft', 1, 0, @agent, @now, @now)`,
)
const updateIdeation = database.prepare(
  'update ideations set description = @description, version = version + 1, updated_at = @now where id = @id',
)
const nextNumber = database.prepare(
  'update boards set last_number = last_number + 1 where id = ? returning last_number as number',
)
const nextSequence = database.prepare('update boards set seq = seq + 1 where id = ? returning seq')
const insertEvent = database.prepare(
  `insert into events (id, board_id, seq, entity_type, entity_id, action, history_action, actor_id, actor_name,
     details, changes, summary, version, created_at)
   values (@id, @board_id, @seq, 'ideation', @entity_id, 'ideation_' || @action, @action, @agent, '',
     @details, @changes, @summary, @version, @now)`,
)
const enqueue = database.prepare(
  `insert into kg_queue (id, board_id, artifact_type, artifact_id, priority_rank, lineage_rank, source, status,
     triggered_at, triggered_by_event, attempts, errors, changed)
   values (@id, @board_id, 'ideation', @entity_id, 1, 0, @source, 'pending', @now, @source, 0, '[]', 0)
   on conflict (artifact_id, artifact_type) do update set attempts = 0, errors = '[]', next_retry_at = null`,
)

const bytes = bytesFile === '' ? '' : readFileSync(bytesFile, 'utf8')
const parsed = (row: Row) => ({
  ...row,
  labels: row.labels === null ? null : JSON.parse(String(row.labels)),
  ...Object.fromEntries(
    ['questions', 'refinements', 'specs', 'architecture_designs'].flatMap(name =>
      name in row ? [[name, JSON.parse(String(row[name]))]] : [],
    ),
  ),
})

interface Change {
  readonly field: string
  readonly old: unknown
  readonly new: unknown
}

/** What a write adds besides its record: an entry in the event log and one in the graph's queue. */
function record(
  { id, board_id, title, version }: Row,
  action: 'created' | 'updated',
  changes: readonly Change[],
  agent: string,
  now: string,
): void {
  const { seq } = nextSequence.get(board_id) as { seq: number }
  insertEvent.run({
    id: randomUUID(),
    board_id,
    seq,
    entity_id: id,
    action,
    agent,
    details: JSON.stringify({ title, ideation_id: id }),
    changes: JSON.stringify(changes),
    summary: `${action} "${title}"`,
    version,
    now,
  })
  enqueue.run({ id: randomUUID(), board_id, entity_id: id, source: `event:ideation.${action}`, now })
}

const create = database.transaction((boardId: string, agent: string, body: Row) => {
  const id = randomUUID()
  const now = new Date().toISOString()
  insertIdeation.run({
    id,
    board_id: boardId,
    number: (nextNumber.get(boardId) as { number: number }).number,
    title: body.title,
    description: body.description ?? null,
    agent,
    now,
  })
  const row = ideationById.get(id) as Row
  const changes = [
    { field: 'title', old: null, new: row.title },
    { field: 'status', old: null, new: row.status },
  ]
  record(row, 'created', changes, agent, now)
  return parsed(row)
})

const patch = database.transaction((before: Row, agent: string, body: Row) => {
  const now = new Date().toISOString()
  const { id } = before
  updateIdeation.run({ id, description: body.description, now })
  const after = ideationById.get(id) as Row
  record(after, 'updated', [{ field: 'description', old: before.description, new: after.description }], agent, now)
  return parsed(after)
})

function answer(request: IncomingMessage, response: ServerResponse, text: string): void {
  const key = (request.headers.authorization ?? '').slice('Bearer '.length)
  const agent = agentByHash.get(createHash('sha256').update(key).digest('hex')) as { id: string } | undefined
  const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  if (agent === undefined) return void send(401, {})
  const [, kind, id = '', part] = (request.url ?? '').split('?')[0]!.split('/')
  if (kind === 'bytes') return void send(200, bytes)
  if (kind === 'boards' && (boardById.get(id) as { owner_id: string } | undefined)?.owner_id !== agent.id)
    return void send(404, {})
  if (request.method === 'POST') return void send(201, create.immediate(id, agent.id, JSON.parse(text)))
  if (part === 'ideations') {
    const { count } = countOfBoard.get(id) as { count: number }
    return void send(200, (ideationsOfBoard.all(id) as Row[]).map(parsed), { 'x-total-count': String(count) })
  }
  const row = ideationById.get(id) as Row | undefined
  if (row === undefined || (boardById.get(row.board_id) as { owner_id: string }).owner_id !== agent.id)
    return void send(404, {})
  if (request.method === 'PATCH') return void send(200, patch.immediate(row, agent.id, JSON.parse(text)))
  send(200, parsed(row))
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})
