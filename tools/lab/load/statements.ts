import { type AnyOperation, parseInput, pathNames } from '@specboard/contract'
import { openService } from '@specboard/domain'
import { databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'

/** A call of a reading operation, with its path and query parameters in one object. */
export interface ReadCall {
  readonly operation: AnyOperation
  readonly fields: Readonly<Record<string, string | number>>
}

/** A statement that a call ran, with its parameters. */
interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** The parameters of a call, split into path and query. */
export function placesOf({ operation, fields }: ReadCall) {
  const names = pathNames(operation.path)
  const entries = Object.entries(fields)
  return {
    params: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    query: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  }
}

/**
 * The cost of the SQL of calls alone. Runs each call once in this process, on a data folder that no server is using,
 * then runs its statements again on a separate connection: prepared, with their rows read and not used.
 * @returns the times of the rounds of each call, ms
 */
export async function bareTimes(
  folder: string,
  key: string,
  readings: readonly ReadCall[],
  rounds: number,
): Promise<number[][]> {
  const recorded = await statementsOf(folder, key, readings)
  const database = new SqliteDatabase(databaseFile(folder), { readonly: true })
  database.pragma('cache_size = -65536')
  database.pragma('temp_store = memory')
  const times = recorded.map(statements => {
    const prepared = statements.map(({ sql, parameters }) => ({ statement: database.prepare(sql), parameters }))
    const run = database.transaction(() => {
      for (const { statement, parameters } of prepared) statement.all(parameters)
    })
    return Array.from({ length: rounds }, () => timed(run))
  })
  database.close()
  return times
}

function timed(run: () => void): number {
  const started = performance.now()
  run()
  return performance.now() - started
}

/**
 * The statements of each call. better-sqlite3 does not report what it runs, so its `prepare` is replaced while it runs.
 */
async function statementsOf(folder: string, key: string, readings: readonly ReadCall[]): Promise<Statement[][]> {
  const { prepare } = SqliteDatabase.prototype
  let running: Statement[] = []
  SqliteDatabase.prototype.prepare = function (this: SqliteDatabase.Database, sql: string) {
    const statement = prepare.call(this, sql)
    const all = statement.all.bind(statement)
    statement.all = (parameters: readonly unknown[] = []) => {
      if (/^\s*(select|with)\b/i.test(sql)) running.push({ sql, parameters })
      return all(parameters)
    }
    return statement
  } as typeof prepare
  try {
    const { service, close } = await openService({ folder, version: 'bench', workers: false })
    const caller = await service.authenticate(key)
    const recorded: Statement[][] = []
    for (const reading of readings) {
      const { operation } = reading
      const parsed = parseInput(operation, { ...placesOf(reading), body: undefined })
      if (!parsed.ok) throw new Error(`${operation.name}: ${JSON.stringify(parsed.items)}`)
      running = []
      const { file } = await service.perform({ operation, input: parsed.input, caller })
      if (typeof file?.content === 'object' && Symbol.asyncIterator in file.content)
        for await (const _ of file.content);
      recorded.push(running)
    }
    await close()
    return recorded
  } finally {
    SqliteDatabase.prototype.prepare = prepare
  }
}
