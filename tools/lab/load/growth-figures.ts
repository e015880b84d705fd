import { statSync } from 'node:fs'
import type { DatabasePlace } from '@specboard/domain'
import { databaseFile } from '@specboard/storage'
import { onServer } from '@specboard/storage/testing'
import type { FilledBoard } from '../data/fill.ts'
import type { Lab } from '../harness/lab.ts'
import type { Service } from '../harness/service.ts'
import { p50, times } from '../harness/statistics.ts'
import { measure } from './load.ts'
import type { Load, RequestToSend } from './request.ts'

/** The measurements of a database by name, in the order of the table: ms per call, or MiB if the name says so. */
export type Figures = ReadonlyMap<string, number>

/** How often slow calls are made; the median counts. */
const calls = 5

/** How long each load is sent before anything is measured, until the engine has compiled the code. */
const warmUpSeconds = 1

/** The graph's worker is measured by `bench-graph`; here it should disturb as little as possible. */
const quietGraph = {
  SPECBOARD_KG_QUEUE_MAX_CONCURRENT_WORKERS: '1',
  SPECBOARD_KG_QUEUE_MIN_INTERVAL_MS: '1000',
}

/**
 * Measures a filled database: frequent calls under load, expensive reads call by call. On SQLite, the first start finds
 * the log of a killed server.
 */
export async function growthFigures(
  lab: Lab,
  name: string,
  boards: readonly FilledBoard[],
  seconds: number,
): Promise<Figures> {
  const figures = new Map<string, number>()
  const start = () => lab.timeOfStart(name, quietGraph)
  if (lab.databases.engine === 'sqlite') figures.set('start, log of 64 MiB', await start())
  const starts: number[] = []
  for (let round = 0; round < calls; round++) starts.push(await start())
  figures.set('start', p50(starts))
  const server = await lab.start(name, quietGraph)
  const loads = loadsOf(boards).map(([name, load]): [string, Load] => [
    name,
    { ...load, url: server.url, headers: server.headers },
  ])
  // A failure or timeout here shows up when it is measured.
  for (const [, load] of loads) await measure(load, warmUpSeconds).catch(() => {})
  for (const [name, load] of loads) {
    const { rate } = await measure(load, seconds).catch(cause => {
      throw new Error(`${name} could not be measured; a longer --seconds may help.`, { cause })
    })
    figures.set(name, 1_000 / rate)
  }
  for (const [name, path] of singleCallsOf(boards)) figures.set(name, await median(server, path))
  const columns = `/api/v1/boards/${boards[0]!.board_id}/columns`
  figures.set('columns, 1,000 cards', (1_000 * (await median(server, columns))) / (await cardsAt(server, columns)))
  figures.set('memory, MiB', server.residentMiB)
  figures.set('database, MiB', (await databaseBytes(lab.place(name))) / (1 << 20))
  await server.stop()
  return figures
}

async function databaseBytes({ folder, databaseUrl }: DatabasePlace): Promise<number> {
  if (databaseUrl === undefined) return statSync(databaseFile(folder)).size
  const [row] = await onServer(databaseUrl, 'select pg_database_size(current_database()) as bytes')
  return Number(row!.bytes)
}

type Loads = readonly (readonly [name: string, load: Omit<Load, 'url' | 'headers'>])[]

/** Frequent calls, over all boards in turn. Writes come last. */
function loadsOf(boards: readonly FilledBoard[]): Loads {
  const lists = (query: (board: FilledBoard) => string): RequestToSend[] =>
    boards.map(board => ({ path: `/api/v1/boards/${board.board_id}/ideations?limit=50${query(board)}` }))
  const middle = ({ ideations }: FilledBoard) => `&offset=${Math.max(0, Math.floor(ideations / 2) - 25)}`
  const middleDraft = ({ ideations }: FilledBoard) => `&offset=${Math.max(0, Math.floor(ideations / 4) - 25)}`
  const drafts = boards.flatMap(board => board.draft_ids).map(id => ({ path: `/api/v1/ideations/${id}` }))
  const moves = (target_status: string): RequestToSend[] =>
    boards.flatMap(board =>
      board.card_ids.map(id => ({ path: `/api/v1/cards/${id}/move`, body: JSON.stringify({ target_status }) })),
    )
  const creates = boards.map(board => ({ path: `/api/v1/boards/${board.board_id}/ideations` }))
  return [
    ['get one', { requests: drafts }],
    ['list 50, first', { requests: lists(() => '') }],
    ['list 50, middle', { requests: lists(middle) }],
    ['drafts 50, first', { requests: lists(() => '&status=draft') }],
    ['drafts 50, middle', { requests: lists(board => `&status=draft${middleDraft(board)}`) }],
    ['patch', { method: 'PATCH', body: '{"description":"[<id>]"}', requests: drafts }],
    // To a status with gates and back.
    ['move', { method: 'POST', requests: [...moves('started'), ...moves('not_started')] }],
    ['create', { method: 'POST', body: JSON.stringify({ title: 'Measured' }), requests: creates }],
  ]
}

/** Calls that read a whole board, or all boards. */
const singleCallsOf = ([board]: readonly FilledBoard[]): readonly (readonly [name: string, path: string])[] => [
  ['ready cards, 20', `/api/v1/boards/${board!.board_id}/ready?limit=20`],
  ['search in titles', `/api/v1/boards/${board!.board_id}/analytics/entities?type=card&search=record%2042&limit=50`],
  ['overview', '/api/v1/analytics/overview'],
]

async function read({ url, headers }: Service, path: string): Promise<string> {
  const response = await fetch(url + path, { headers })
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
  return response.text()
}

const median = async (server: Service, path: string) => p50(await times(calls, () => read(server, path)))

async function cardsAt(server: Service, path: string): Promise<number> {
  const { columns } = JSON.parse(await read(server, path)) as { columns: Readonly<Record<string, readonly unknown[]>> }
  return Object.values(columns).flat().length
}
