import { Client, type CustomTypesConfig, Query, type QueryArrayConfig, types } from 'pg'
import { errorMessage } from '../error-message.ts'
import { type LimitedQuery, type LimitedReader, type LimitedResult, sizeOf } from '../limited-query.ts'
import { clientConfig } from './client-config.ts'
import { codeOf, isLost } from './faults.ts'
import { keptBytes } from './plan-size.ts'
import { valueTypes } from './value-types.ts'

/** How long connecting may take, ms. */
const connectMs = 5_000

/**
 * The settings of a connection. A sort uses 32 MB before it goes to a file; a query uses no parallel workers, and it
 * ends when nobody waits for it any longer.
 */
const settings = `set default_transaction_read_only = on; set jit = off; set work_mem = '32MB';
  set max_parallel_workers_per_gather = 0; set client_connection_check_interval = '1s'`

/** The size limit of a query's temporary files, MiB. */
const maxFileMb = 256

/** Only a role that was granted this setting may change it. */
const fileLimit = `set temp_file_limit = '${maxFileMb}MB'`

/** JSON texts and numbers are converted; lists and objects stay text. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  [types.builtins.JSONB]: text => (text.startsWith('[') || text.startsWith('{') ? text : JSON.parse(text)),
}

const resultTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? valueTypes.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
}

/** Codes of queries that need too much memory, too large a file, or too large a value. */
const tooLarge = new Set(['53000', '53100', '53200', '53400', '54000', 'XX000'])

/** Codes of queries that exceed a limit of the database. */
const exceeded: Readonly<Record<string, string>> = {
  '22003': 'integer overflow',
  '54001': 'nested too deep',
  '54011': 'too many columns',
  '54023': 'too many arguments',
}

class TooLarge extends Error {}

/**
 * Opens a limited reader: transactions are read-only and have a time limit, and rows are counted as they arrive. If the
 * role may not limit temporary files, a query whose plan needs larger ones is not run (walls 6).
 * @throws when the database cannot be reached
 */
export async function openLimitedPostgresReader(url: string, resultBytes: number): Promise<LimitedReader> {
  const client = new Client({
    ...clientConfig(url),
    connectionTimeoutMillis: connectMs,
    application_name: 'specboard queries',
    keepAlive: true,
    types: resultTypes,
  })
  let lost = false
  client.on('error', () => {
    lost = true
  })
  await client.connect()
  await client.query(settings)
  const areFilesLimited = await client.query(fileLimit).then(
    () => true,
    () => false,
  )

  /** The rows of a query; a result that is too large ends the connection, and so the query. */
  const rowsOf = (sql: string, parameters: readonly unknown[]): Promise<unknown[][]> =>
    new Promise((resolve, reject) => {
      const rows: unknown[][] = []
      let remainingBytes = resultBytes
      const config: QueryArrayConfig = { text: sql, values: [...parameters], rowMode: 'array' }
      const query = new Query<unknown[]>(config)
      query.on('row', row => {
        remainingBytes -= sizeOf(row)
        if (remainingBytes >= 0) rows.push(row)
        else if (!lost) {
          lost = true
          reject(new TooLarge())
          client.end().catch(() => {})
        }
      })
      query.on('error', reject)
      query.on('end', () => resolve(rows))
      client.query(query)
    })

  /** Whether the plan of a query keeps more than its temporary files may hold. */
  async function isLarge(sql: string, parameters: readonly unknown[]): Promise<boolean> {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (format json) ${sql}`, [...parameters])
    return keptBytes(rows[0]!['QUERY PLAN']) > maxFileMb * 2 ** 20
  }

  async function run({ sql, parameters, timeoutMs }: LimitedQuery): Promise<LimitedResult> {
    if (lost) return { unreachable: true }
    const started = performance.now()
    try {
      await client.query(
        `begin isolation level repeatable read read only; set local statement_timeout = ${Math.ceil(timeoutMs)}`,
      )
      if (!areFilesLimited && (await isLarge(sql, parameters))) return { tooLarge: true }
      const rows = await rowsOf(sql, parameters)
      return { rows, ms: performance.now() - started }
    } catch (error) {
      if (error instanceof TooLarge) return { tooLarge: true }
      return resultOf(error)
    } finally {
      if (!lost) await client.query('rollback').catch(() => {})
    }
  }

  return {
    get isLost() {
      return lost
    },
    run,
    close: () => client.end(),
  }
}

function resultOf(error: unknown): LimitedResult {
  if (isLost(error)) return { unreachable: true }
  const code = codeOf(error) ?? ''
  if (code === '57014') return { timedOut: true }
  if (tooLarge.has(code)) return { tooLarge: true }
  const limit = exceeded[code]
  return limit === undefined ? { fault: errorMessage(error) } : { exceeded: limit }
}
