import {
  CypherError,
  maxLength,
  parseCypher,
  type Translated,
  type Type,
  translate,
  unsafeWord,
} from '@specboard/cypher'
import { DomainError } from '../../kernel/errors.ts'
import type { Db } from '../../schema/database.ts'
import { type CypherThread, QueryLimit, QueryTimeout } from './thread.ts'

/** The most rows that a query answers. */
export const mostRows = 10_000

const usualRows = 1_000
const usualTimeoutMs = 5_000
const shortestTimeoutMs = 1_000
const longestTimeoutMs = 30_000

/** A query as it was sent. */
export interface CypherCall {
  readonly boardId: string
  readonly cypher: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly maxRows: number | undefined
  readonly timeoutMs: number | undefined
}

/** What a query answers (knowledge-graph 11.1). */
export interface CypherResult {
  readonly columns: string[]
  readonly rows: unknown[][]
  readonly row_count: number
  readonly truncated: boolean
  readonly execution_time_ms: number
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/**
 * Judges a query and translates it to SQL. One row more than wanted is asked for, to tell whether there are more.
 * @throws DomainError UNSAFE_CYPHER with `keyword`, INVALID_CYPHER with `line`, `column` and `feature`
 */
export function prepare({ boardId, cypher, parameters, maxRows }: CypherCall): Translated & { readonly rows: number } {
  const text = cypher.length > 4 * maxLength ? cypher : cypher.normalize('NFKC')
  const keyword = unsafeWord(text)
  if (keyword !== undefined)
    throw new DomainError(
      'UNSAFE_CYPHER',
      `${keyword} could write; the graph is read only. Ask with MATCH and RETURN.`,
      {
        keyword,
      },
    )
  const rows = clamp(maxRows ?? usualRows, 1, mostRows)
  try {
    return { ...translate(parseCypher(text), { boardId, parameters, maxRows: rows + 1 }), rows }
  } catch (error) {
    if (!(error instanceof CypherError)) throw error
    const { position, feature } = error
    throw new DomainError('INVALID_CYPHER', `${error.message} (line ${position.line}, column ${position.column})`, {
      ...position,
      ...(feature !== undefined && { feature }),
    })
  }
}

/** A value of a row as it is answered. */
function shownValue(value: unknown, type: Type): unknown {
  if (value === null) return null
  switch (type.kind) {
    case 'boolean':
      return value === 1 || value === true
    case 'node':
    case 'edge':
    case 'path':
      return typeof value === 'string' ? JSON.parse(value) : value
    case 'list': {
      const items: unknown[] = typeof value === 'string' ? JSON.parse(value) : value
      return items.map(item => shownValue(item, type.of))
    }
    default:
      return value
  }
}

/**
 * Runs a query beside the service.
 * @param db compiles the SQL, nothing is read with it
 * @throws DomainError UNSAFE_CYPHER, INVALID_CYPHER, CYPHER_TIMEOUT
 */
export async function runCypher(db: Db, thread: CypherThread, call: CypherCall): Promise<CypherResult> {
  const started = performance.now()
  const timeoutMs = clamp(call.timeoutMs ?? usualTimeoutMs, shortestTimeoutMs, longestTimeoutMs)
  const { sql, columns, rows } = prepare(call)
  const compiled = sql.compile(db)
  try {
    const found = await thread.run(compiled.sql, compiled.parameters, timeoutMs)
    const shown = found.slice(0, rows).map(row => row.map((value, index) => shownValue(value, columns[index]!.type)))
    return {
      columns: columns.map(({ name }) => name),
      rows: shown,
      row_count: shown.length,
      truncated: found.length > rows,
      execution_time_ms: Math.round((performance.now() - started) * 10) / 10,
    }
  } catch (error) {
    if (error instanceof QueryLimit)
      throw new DomainError('INVALID_CYPHER', `The query asks for too much at once: ${error.message}.`, {
        line: 1,
        column: 1,
      })
    if (!(error instanceof QueryTimeout)) throw error
    throw new DomainError(
      'CYPHER_TIMEOUT',
      `The query was not done within ${timeoutMs} ms. Narrow it: labels, properties, fewer hops, a LIMIT.`,
      { timeout_ms: timeoutMs },
    )
  }
}
