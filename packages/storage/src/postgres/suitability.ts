import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { errorMessage } from '../error-message.ts'
import { StorageError } from '../storage-error.ts'
import { addressesOf, shownAddress } from './address.ts'
import { clientConfig } from './client-config.ts'
import { codeOf, isLost } from './faults.ts'

/** The oldest supported PostgreSQL, as `server_version_num`. */
const oldest = 150_000

/** How long the first connection may take, ms. */
const connectMs = 10_000

/** What a server reports about itself and a database. */
export interface ServerFacts {
  readonly version: string
  readonly version_num: number
  readonly encoding: string
}

/** The same, and whether it accepts no writes because it follows another server. */
type OpeningFacts = ServerFacts & { readonly is_standby: boolean }

/**
 * Connects once to find out which TLS mode the server accepts.
 * @returns the address that all further connections use
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED, which say what to do
 */
export async function settledAddress(address: string): Promise<string> {
  const candidates = addressesOf(address)
  for (const [index, candidate] of candidates.entries()) {
    try {
      refuseUnsuitable(await factsOf(candidate))
      if (await isPooled(candidate)) throw pooled()
      return candidate
    } catch (error) {
      const isLast = index === candidates.length - 1
      if (isLast || !asksForOther(error)) throw openingFault(error, address)
    }
  }
  throw openingFault(undefined, address)
}

/**
 * The address of a replica with the TLS mode that the server accepts. Whether it follows the primary is checked later.
 * @throws StorageError UNREACHABLE, DATABASE_REFUSED
 */
export async function settledReplica(address: string): Promise<string> {
  const candidates = addressesOf(address)
  for (const [index, candidate] of candidates.entries()) {
    try {
      await factsOf(candidate)
      if (await isPooled(candidate)) throw pooled()
      return candidate
    } catch (error) {
      if (index === candidates.length - 1 || !asksForOther(error)) throw openingFault(error, address)
    }
  }
  throw openingFault(undefined, address)
}

async function factsOf(address: string): Promise<OpeningFacts> {
  const client = new Client({ ...clientConfig(address), connectionTimeoutMillis: connectMs })
  // The query reports the end of the connection too.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<OpeningFacts>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::integer as version_num,
        current_setting('server_encoding') as encoding, pg_is_in_recovery() as is_standby`,
    )
    return rows[0]!
  } finally {
    await client.end().catch(() => {})
  }
}

/** How long a connection may wait for a server that another connection uses, ms. */
const pooledMs = 2_000

/**
 * Whether each transaction of a connection may get another server, as with a pooler: what one connection sets is then
 * missing while another one is in a transaction.
 */
async function isPooled(address: string): Promise<boolean> {
  const config = { ...clientConfig(address), connectionTimeoutMillis: connectMs, query_timeout: pooledMs }
  const [one, other] = [new Client(config), new Client(config)]
  for (const client of [one, other]) client.on('error', () => {})
  const mark = randomUUID()
  try {
    await one.connect()
    await one.query("select set_config('specboard.connection', $1, false)", [mark])
    await other.connect()
    await other.query('begin')
    const { rows } = await one.query<{ mark: string | null }>(
      "select current_setting('specboard.connection', true) as mark",
    )
    return rows[0]!.mark !== mark
  } catch (error) {
    // A pooler with a single server, or one that allows no transactions at all.
    if (codeOf(error) === '08P01' || errorMessage(error) === 'Query read timeout') return true
    throw error
  } finally {
    await Promise.all([one, other].map(client => client.end().catch(() => {})))
  }
}

const pooled = (): StorageError =>
  new StorageError(
    'DATABASE_REFUSED',
    'A pooler such as PgBouncer is in front of the PostgreSQL server, in transaction mode or without a connection left: announcements, prepared statements and settings are lost between its connections. Name the server itself, or a pooler in session mode that keeps enough connections: a node opens up to twice SPECBOARD_DATABASE_POOL, and 4 more.',
  )

/**
 * Refuses a server that is too old or a standby, and a database that cannot store every text.
 * @throws StorageError DATABASE_REFUSED
 */
export function refuseUnsuitable({ version, version_num, encoding, is_standby }: OpeningFacts): void {
  if (version_num < oldest)
    throw new StorageError(
      'DATABASE_REFUSED',
      `PostgreSQL ${version} is too old: 15 or newer is needed. Upgrade the server (pg_upgrade), or name another one.`,
    )
  if (is_standby)
    throw new StorageError(
      'DATABASE_REFUSED',
      'The PostgreSQL server is a standby, which takes no writes. Name the server that it follows.',
    )
  if (encoding !== 'UTF8')
    throw new StorageError(
      'DATABASE_REFUSED',
      `The database has the encoding ${encoding}, and texts need UTF8. Create one: ` +
        "create database specboard encoding 'UTF8' template template0.",
    )
}

/** Whether the server only accepts connections with, or without, TLS. */
const asksForOther = (error: unknown): boolean =>
  codeOf(error) === '28000' || /does not support SSL connections/.test(errorMessage(error))

/** What to do about the codes with which a server refuses a connection. */
const advice: Readonly<Record<string, string>> = {
  '28P01':
    'check the user and the password (in the address, SPECBOARD_DATABASE_PASSWORD_FILE, PGPASSWORD or PGPASSFILE)',
  '28000': "check the user, and what the server's pg_hba.conf lets in",
  '3D000': "run: create database … encoding 'UTF8' template template0",
  '53300':
    'allow more of them (max_connections of the server, or the limit of the role or the database), or set a smaller SPECBOARD_DATABASE_POOL: a node opens up to twice as many, and 4 more',
}

/** The message to the operator when a database cannot be opened; it contains no password. */
export function openingFault(error: unknown, address: string): unknown {
  if (error instanceof StorageError) return error
  const message = errorMessage(error)
  const server = shownAddress(address)
  const hint = advice[codeOf(error) ?? '']
  if (hint !== undefined)
    return new StorageError('DATABASE_REFUSED', `PostgreSQL refuses ${server}: ${message}; ${hint}.`, { cause: error })
  if (isLost(error))
    return new StorageError(
      'UNREACHABLE',
      `PostgreSQL does not answer at ${server} (${message}). Check that it runs there, and that SPECBOARD_DATABASE_URL names it.`,
      { cause: error },
    )
  if (/SSL|certificate|self-signed|altname/i.test(message))
    return new StorageError(
      'DATABASE_REFUSED',
      `No protected connection to ${server}: ${message}. Check sslmode, sslrootcert, and the certificate of the server.`,
      { cause: error },
    )
  return error
}
