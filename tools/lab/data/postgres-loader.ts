import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type DatabasePlace, recountLists, writeWithoutLock } from '@specboard/domain'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { countedTables } from '../../../packages/domain/src/schema/list-counts.ts'
import { firstOfTransaction } from '../../../packages/storage/src/commit-order.ts'
import { forgetUnsearched, type Loader, type Row } from './loader.ts'

/**
 * Writes into a database of PostgreSQL by COPY. Its rows are counted at the end, all together.
 */
export async function postgresLoader(place: DatabasePlace & { readonly databaseUrl: string }): Promise<Loader> {
  const client = new Client({ connectionString: place.databaseUrl })
  await client.connect()
  await client.query('set synchronous_commit = off')
  await count(client, 'disable')
  return {
    load: async ({ board_id, seq, last_number, records, events }) => {
      await client.query('begin')
      for (const [table, rows] of records) await copy(client, table, rows)
      const first = await firstPlace(client)
      await copy(
        client,
        'events',
        events.map((row, index) => ({ ...row, position: first + index })),
      )
      const counted = 'update boards set seq = $2, last_number = $3 where id = $1'
      await client.query(counted, [board_id, seq, last_number])
      await client.query('commit')
    },
    end: async () => {
      await count(client, 'enable')
      await writeWithoutLock(place, recountLists)
      await client.query(forgetUnsearched)
      // The server would do this later on its own.
      await client.query('vacuum analyze')
      await client.end()
    },
  }
}

/** Turns the counting of new rows on or off. */
async function count(client: Client, change: 'enable' | 'disable'): Promise<void> {
  for (const { table } of countedTables) await client.query(`alter table ${table} ${change} trigger ${table}_counted`)
}

/** The place of the first event of this transaction, as units of work count it. */
async function firstPlace(client: Client): Promise<number> {
  const { rows } = await client.query(
    `select value + ${firstOfTransaction} as place from counters where name = 'events'`,
  )
  return Number(rows[0].place)
}

async function copy(client: Client, table: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!)
  const lines = rows.map(row => `${columns.map(column => copied(row[column])).join('\t')}\n`)
  await pipeline(Readable.from(lines), client.query(copyFrom(`copy ${table} (${columns}) from stdin`)))
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A value in the text format of COPY. */
const copied = (value: unknown): string =>
  value === null ? '\\N' : String(value).replaceAll(/[\\\t\n\r]/g, character => escapes[character]!)
