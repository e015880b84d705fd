import {
  CypherError,
  type Dialect,
  maxLength,
  parseCypher,
  readValue,
  type TranslatedQuery,
  translate,
  unsafeWord,
} from '@specboard/cypher'
import type { AgentSlots, Limits } from '../../kernel/agent-slots.ts'
import { DomainError } from '../../kernel/errors.ts'
import { knowledgeGraph } from './property-graph.ts'
import { QueryLimit, type QueryProcesses, QueryTimeout, QueryTooLarge, QueryUnreachable } from './query-processes.ts'

/** Maximum number of rows that a query returns. */
export const rowLimit = 10_000

const defaultRows = 1_000
const defaultTimeoutMs = 5_000
const shortestTimeoutMs = 1_000
const maxTimeoutMs = 30_000

/** Limits on queries that run at once (trust 1). */
export const queryLimits: Limits = { ofAnAgent: 2, ofAll: 4, maxWaitMs: 5_000, label: 'queries' }

/** A query and its options, as sent. */
export interface CypherCall {
  readonly agentId: string
  readonly boardId: string
  readonly cypher: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly maxRows: number | undefined
  readonly timeoutMs: number | undefined
}

/** What queries need to run. */
export interface CypherRunner {
  readonly slots: AgentSlots
  readonly processes: QueryProcesses
  /** The SQL dialect of their database. */
  readonly dialect: Dialect
}

/** The result of a query (knowledge-graph 11.1). */
export interface CypherResult {
  readonly columns: string[]
  readonly rows: unknown[][]
  readonly row_count: number
  readonly truncated: boolean
  readonly execution_time_ms: number
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))

/**
 * Checks a query and translates it to SQL. The length is checked before the text is read, then writing keywords, then
 * everything else. The SQL asks for one row more than wanted, to see whether there are more.
 * @throws DomainError INVALID_CYPHER with `line`, `column` and `feature`; UNSAFE_CYPHER with `keyword`
 */
export function prepare(
  { boardId, cypher, parameters, maxRows }: CypherCall,
  dialect: Dialect,
): TranslatedQuery & { readonly rows: number } {
  if (cypher.length > maxLength) throw invalid(`A query has at most ${maxLength} characters.`, { line: 1, column: 1 })
  const text = cypher.normalize('NFKC')
  const keyword = unsafeWord(text)
  if (keyword !== undefined)
    throw new DomainError(
      'UNSAFE_CYPHER',
      `${keyword} could write; the graph is read only. Ask with MATCH and RETURN.`,
      {
        keyword,
      },
    )
  const rows = clamp(maxRows ?? defaultRows, 1, rowLimit)
  try {
    const target = { dialect, graph: knowledgeGraph, scope: boardId, parameters, maxRows: rows + 1 }
    return { ...translate(parseCypher(text), target), rows }
  } catch (error) {
    if (!(error instanceof CypherError)) throw error
    const { message, position, feature } = error
    throw feature === undefined
      ? invalid(message, position)
      : invalid(`${feature} is not supported; get_kg_schema lists what is.`, { ...position, feature })
  }
}

/** The refusal of a query, with the position in its message. */
const invalid = (message: string, place: { line: number; column: number; feature?: string }): DomainError =>
  new DomainError('INVALID_CYPHER', `${message} (line ${place.line}, column ${place.column})`, { ...place })

/**
 * Runs a query in a process of its own, once it gets a slot.
 * @throws DomainError UNSAFE_CYPHER, INVALID_CYPHER, RATE_LIMITED, CYPHER_TIMEOUT, QUERY_TOO_LARGE, BUSY
 */
export async function runCypher({ slots, processes, dialect }: CypherRunner, call: CypherCall): Promise<CypherResult> {
  const timeoutMs = clamp(call.timeoutMs ?? defaultTimeoutMs, shortestTimeoutMs, maxTimeoutMs)
  const { sql, parameters, columns, rows } = prepare(call, dialect)
  try {
    const { rows: found, ms } = await slots.run({ agentId: call.agentId }, () =>
      processes.run({ sql, parameters, timeoutMs }),
    )
    const results = found.slice(0, rows).map(row => row.map((value, index) => readValue(value, columns[index]!.type)))
    return {
      columns: columns.map(({ name }) => name),
      rows: results,
      row_count: results.length,
      truncated: found.length > rows,
      execution_time_ms: Math.round(ms * 10) / 10,
    }
  } catch (error) {
    throw refusalOf(error, timeoutMs)
  }
}

/** The refusal of a query that could not be completed. */
function refusalOf(error: unknown, timeoutMs: number): unknown {
  if (error instanceof QueryLimit)
    return new DomainError('INVALID_CYPHER', `The query exceeds a limit of the database: ${error.message}.`, {
      line: 1,
      column: 1,
    })
  if (error instanceof QueryTooLarge)
    return new DomainError(
      'QUERY_TOO_LARGE',
      'The query needs too much memory, or its result is too large. Narrow it with labels, properties or a LIMIT, and return fewer columns.',
    )
  if (error instanceof QueryUnreachable)
    return new DomainError('BUSY', 'The database cannot be reached. Send the query again in a moment.', {
      retry_after: 5,
    })
  if (error instanceof QueryTimeout)
    return new DomainError(
      'CYPHER_TIMEOUT',
      `The query took longer than ${timeoutMs} ms. Narrow it with labels, properties, fewer hops or a LIMIT.`,
      { timeout_ms: timeoutMs },
    )
  return error
}
