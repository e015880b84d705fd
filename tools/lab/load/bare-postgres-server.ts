/**
 * The baseline on PostgreSQL: `node:http` and `pg` by hand, a pool of 16 connections, prepared statements, the key checked
 * by its hash, a transaction for each write that writes the rows that the product writes, board by board. It serves four
 * requests on a copy of the product's database:
 *
 *   GET /ideations/{id}   GET /boards/{id}/ideations   POST /boards/{id}/ideations   PATCH /ideations/{id}
 *
 * Usage: node tools/lab/load/bare-postgres-server.ts <address>; prints its port.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Pool, type PoolClient } from 'pg'

const pool = new Pool({ connectionString: process.argv[2]!, max: 16 })

type Row = Record<string, unknown>

const names = new Map<string, string>()

/** The rows of a statement, which each connection keeps prepared. */
async function rows(on: Pool | PoolClient, text: string, values: readonly unknown[]): Promise<Row[]> {
  const name = names.get(text) ?? `s${names.size}`
  names.set(text, name)
  return (await on.query({ name, text, values: [...values] })).rows
}

/** A nested collection as one JSON column. */
const nested = (table: string, column: string) =>
  `(select coalesce(json_agg(n), '[]') from (select * from ${table} where ${column} = i.id order by created_at, id) n) as ${table}`

const agentByHash = 'select id from agents where key_hash = $1 and is_active = 1 and deleted_at is null'
const boardById = 'select owner_id from boards where id = $1'
const ideationById = `select i.*, ${nested('questions', 'owner_id')}, ${nested('refinements', 'ideation_id')},
  ${nested('specs', 'ideation_id')}, ${nested('architecture_designs', 'parent_id')} from ideations i where id = $1`
const ideationsOfBoard = `select i.*, ${nested('architecture_designs', 'parent_id')} from ideations i
  where board_id = $1 and archived = 0 order by updated_at desc, id desc limit 50`
const countOfBoard = 'select count(*)::integer as count from ideations where board_id = $1 and archived = 0'
const nextNumber =
  'update boards set last_number = last_number + 1, seq = seq + 1 where id = $1 returning last_number, seq'
const nextSequence = 'update boards set seq = seq + 1 where id = $1 returning seq'
const insertIdeation = `insert into ideations (id, board_id, number, title, description, status, version, archived,
  created_by, created_at, updated_at) values ($1, $2, $3, $4, $5, 'draft', 1, 0, $6, $7, $7)`
const updateIdeation = `update ideations set description = $2, version = version + 1, updated_at = $3 where id = $1`
const insertEvent = `insert into events (id, board_id, seq, entity_type, entity_id, action, history_action, actor_id,
  actor_name, details, changes, summary, version, created_at)
  values ($1, $2, $3, 'ideation', $4, 'ideation_' || $5, $5, $6, '', $7, $8, $9, $10, $11)`
const enqueue = `insert into kg_queue (id, board_id, artifact_type, artifact_id, priority_rank, lineage_rank, source,
  status, triggered_at, triggered_by_event, attempts, errors, changed)
  values ($1, $2, 'ideation', $3, 1, 0, $4, 'pending', $5, $4, 0, '[]', 0)
  on conflict (board_id, artifact_id, artifact_type) do update set attempts = 0, errors = '[]', next_retry_at = null`

async function inTransaction<Value>(run: (client: PoolClient) => Promise<Value>): Promise<Value> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const value = await run(client)
    await client.query('commit')
    return value
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

/** What a write adds besides its record: an entry in the event log and one in the graph's queue. */
async function record(client: PoolClient, row: Row, seq: unknown, action: string, agent: string, now: string) {
  const { id, board_id, title, version } = row
  const [details, changes] = [
    JSON.stringify({ title, ideation_id: id }),
    JSON.stringify([{ field: 'title', new: title }]),
  ]
  const event = [randomUUID(), board_id, seq, id, action, agent, details, changes, `${action} "${title}"`, version, now]
  await rows(client, insertEvent, event)
  await rows(client, enqueue, [randomUUID(), board_id, id, `event:ideation.${action}`, now])
}

const create = (boardId: string, agent: string, body: Row) =>
  inTransaction(async client => {
    const [id, now] = [randomUUID(), new Date().toISOString()]
    const [counted] = await rows(client, nextNumber, [boardId])
    await rows(client, insertIdeation, [
      id,
      boardId,
      counted!.last_number,
      body.title,
      body.description ?? null,
      agent,
      now,
    ])
    const [row] = await rows(client, ideationById, [id])
    await record(client, row!, counted!.seq, 'created', agent, now)
    return parsed(row!)
  })

const patch = (before: Row, agent: string, body: Row) =>
  inTransaction(async client => {
    const now = new Date().toISOString()
    const [counted] = await rows(client, nextSequence, [before.board_id])
    await rows(client, updateIdeation, [before.id, body.description, now])
    const [after] = await rows(client, ideationById, [before.id])
    await record(client, after!, counted!.seq, 'updated', agent, now)
    return parsed(after!)
  })

const parsed = (row: Row) => ({ ...row, labels: row.labels === null ? null : JSON.parse(String(row.labels)) })

async function answer(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
  const key = (request.headers.authorization ?? '').slice('Bearer '.length)
  const [agent] = await rows(pool, agentByHash, [createHash('sha256').update(key).digest('hex')])
  const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  if (agent === undefined) return void send(401, {})
  const agentId = String(agent.id)
  const [, kind, id = '', part] = (request.url ?? '').split('?')[0]!.split('/')
  const owns = async (boardId: unknown) => (await rows(pool, boardById, [boardId]))[0]?.owner_id === agentId
  if (kind === 'boards' && !(await owns(id))) return void send(404, {})
  if (request.method === 'POST') return void send(201, await create(id, agentId, JSON.parse(text)))
  if (part === 'ideations') {
    const [listed, counted] = await Promise.all([rows(pool, ideationsOfBoard, [id]), rows(pool, countOfBoard, [id])])
    return void send(200, listed.map(parsed), { 'x-total-count': String(counted[0]!.count) })
  }
  const [row] = await rows(pool, ideationById, [id])
  if (row === undefined || !(await owns(row.board_id))) return void send(404, {})
  if (request.method === 'PATCH') return void send(200, await patch(row, agentId, JSON.parse(text)))
  send(200, parsed(row))
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    answer(request, response, Buffer.concat(chunks).toString()).catch(error =>
      response.writeHead(500).end(String(error)),
    )
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' ? address?.port : '')
})
