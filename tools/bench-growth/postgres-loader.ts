import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { firstOfTransaction } from '../../packages/storage/src/commit-order.ts'
import type { Loader, Row } from './loader.ts'

/** Writes into a database of PostgreSQL by COPY. */
export async function postgresLoader(url: string): Promise<Loader> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('set synchronous_commit = off')
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
      // As the server does by itself, later.
      await client.query('vacuum analyze')
      await client.end()
    },
  }
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
