import { statSync } from 'node:fs'
import type { DatabasePlace } from '@specboard/domain'
import { databaseFile } from '@specboard/storage'
import { onServer } from '@specboard/storage/testing'
import { measure } from '../bench/load.ts'
import { p50 } from '../bench/percentiles.ts'
import { residentMiB, type ServerProcess, startProduct } from '../bench/processes.ts'
import type { Load, Sent } from '../bench/request.ts'
import type { Filled } from './fill.ts'

/** What a figure is, and how it is shown. */
export interface Figure {
  /** ms; per call for those that were measured under load. */
  readonly value: number
  readonly unit: 'ms' | 'MiB'
}

/** The figures of a database, by name, in the order of the table. */
export type Figures = ReadonlyMap<string, Figure>

/** Where a filled database is, and what a service is started with to use it. */
export interface Place extends DatabasePlace {
  readonly environment: Readonly<Record<string, string>>
}

/** Single calls of what takes long; the median counts. */
const calls = 5

/** Each load is sent so long before anything is measured, until the engine has compiled what it runs. */
const warmUpSeconds = 1

/**
 * Measures a filled database: under load what is asked often, call by call what reads much. Where it is SQLite's, the
 * first start finds the log of a killed server.
 */
export async function figuresOf(
  place: Place,
  key: string,
  boards: readonly Filled[],
  seconds: number,
): Promise<Figures> {
  const figures = new Map<string, Figure>()
  if (place.databaseUrl === undefined) figures.set('start, log of 64 MiB', { value: await startMs(place), unit: 'ms' })
  const starts: number[] = []
  for (let round = 0; round < calls; round++) starts.push(await startMs(place))
  figures.set('start', { value: p50(starts), unit: 'ms' })
  const server = await start(place)
  try {
    const loads = loadsOf(boards).map(([name, load]): [string, Load] => [
      name,
      { ...load, url: server.url, headers: headersOf(key) },
    ])
    // What fails here, or takes longer than that, shows when it is measured.
    for (const [, load] of loads) await measure(load, warmUpSeconds).catch(() => {})
    for (const [name, load] of loads) {
      const { rate } = await measure(load, seconds).catch(cause => {
        throw new Error(`${name} could not be measured; a longer --seconds may help.`, { cause })
      })
      figures.set(name, { value: 1_000 / rate, unit: 'ms' })
    }
    for (const [name, path] of singleCallsOf(boards))
      figures.set(name, { value: await median(server, key, path), unit: 'ms' })
    const cards = await cardsIn(server, key, boards[0]!)
    const columns = await median(server, key, `/api/v1/boards/${boards[0]!.board_id}/columns`)
    figures.set('columns, 1,000 cards', { value: (1_000 * columns) / cards, unit: 'ms' })
    figures.set('memory', { value: residentMiB(server.child), unit: 'MiB' })
    figures.set('database', { value: (await databaseBytes(place)) / (1 << 20), unit: 'MiB' })
  } finally {
    await server.stop()
  }
  return figures
}

/** The time from start to the first answer. */
async function startMs(place: Place): Promise<number> {
  const started = performance.now()
  const server = await start(place)
  await fetch(`${server.url}/health`)
  const ms = performance.now() - started
  await server.stop()
  return ms
}

/** The graph's worker is measured by `--graph`; here it is to disturb as little as it can. */
const quietGraph = {
  SPECBOARD_KG_QUEUE_MAX_CONCURRENT_WORKERS: '1',
  SPECBOARD_KG_QUEUE_MIN_INTERVAL_MS: '1000',
}

const start = ({ folder, environment }: Place): Promise<ServerProcess> =>
  startProduct(folder, { ...quietGraph, ...environment })

async function databaseBytes({ folder, databaseUrl }: Place): Promise<number> {
  if (databaseUrl === undefined) return statSync(databaseFile(folder)).size
  const [row] = await onServer(databaseUrl, 'select pg_database_size(current_database()) as bytes')
  return Number(row!.bytes)
}

const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

type Loads = readonly (readonly [name: string, load: Omit<Load, 'url' | 'headers'>])[]

/** What is asked often, over all boards in turn. Writes come last. */
function loadsOf(boards: readonly Filled[]): Loads {
  const lists = (query: (board: Filled) => string): Sent[] =>
    boards.map(board => ({ path: `/api/v1/boards/${board.board_id}/ideations?limit=50${query(board)}` }))
  const middle = ({ ideations }: Filled) => `&offset=${Math.max(0, Math.floor(ideations / 2) - 25)}`
  const middleDraft = ({ ideations }: Filled) => `&offset=${Math.max(0, Math.floor(ideations / 4) - 25)}`
  const drafts = boards.flatMap(board => board.draft_ids)
  const moves = (target_status: string): Sent[] =>
    boards.flatMap(board =>
      board.card_ids.map(id => ({ path: `/api/v1/cards/${id}/move`, body: JSON.stringify({ target_status }) })),
    )
  return [
    ['get one', { sent: drafts.map(id => ({ path: `/api/v1/ideations/${id}` })) }],
    ['list 50, first', { sent: lists(() => '') }],
    ['list 50, middle', { sent: lists(middle) }],
    ['drafts 50, first', { sent: lists(() => '&status=draft') }],
    ['drafts 50, middle', { sent: lists(board => `&status=draft${middleDraft(board)}`) }],
    [
      'patch',
      {
        method: 'PATCH',
        body: '{"description":"[<id>]"}',
        sent: drafts.map(id => ({ path: `/api/v1/ideations/${id}` })),
      },
    ],
    // To a status with gates and back.
    ['move', { method: 'POST', sent: [...moves('started'), ...moves('not_started')] }],
    [
      'create',
      {
        method: 'POST',
        body: JSON.stringify({ title: 'Measured' }),
        sent: boards.map(board => ({ path: `/api/v1/boards/${board.board_id}/ideations` })),
      },
    ],
  ]
}

/** What reads a whole board, or all. */
const singleCallsOf = ([board]: readonly Filled[]): readonly (readonly [name: string, path: string])[] => [
  ['ready cards, 20', `/api/v1/boards/${board!.board_id}/ready?limit=20`],
  ['search in titles', `/api/v1/boards/${board!.board_id}/analytics/entities?type=card&search=record%2042&limit=50`],
  ['overview', '/api/v1/analytics/overview'],
]

async function median(server: ServerProcess, key: string, path: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < calls; round++) {
    const started = performance.now()
    const response = await fetch(server.url + path, { headers: headersOf(key) })
    await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
    times.push(performance.now() - started)
  }
  return p50(times)
}

async function cardsIn(server: ServerProcess, key: string, { board_id }: Filled): Promise<number> {
  const response = await fetch(`${server.url}/api/v1/boards/${board_id}/columns`, { headers: headersOf(key) })
  const { columns } = (await response.json()) as { columns: Readonly<Record<string, readonly unknown[]>> }
  return Object.values(columns).flat().length
}
