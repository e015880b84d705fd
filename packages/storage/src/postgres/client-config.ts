import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import type { ClientConfig } from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'
import pgpass from 'pgpass'
import { StorageError } from '../storage-error.ts'
import { passwordFileOf } from './address.ts'

/**
 * What `pg` connects with. A password that is not in the address comes from its file, which is read for each
 * connection, else from `PGPASSFILE` or `~/.pgpass`.
 * @throws StorageError DATABASE_REFUSED when a file of its certificates cannot be read
 */
export function clientConfig(address: string): ClientConfig {
  const config = parsed(address)
  const file = passwordFileOf(address)
  if (file !== undefined) return { ...config, password: () => passwordIn(file) }
  if (config.password || process.env.PGPASSWORD) return config
  return { ...config, password: passwordFor as NonNullable<ClientConfig['password']> }
}

/** The password of a connection in `PGPASSFILE` or `~/.pgpass`; `pg` takes undefined for none. */
const passwordFor = (connection: Parameters<typeof pgpass>[0]): Promise<string | undefined> =>
  new Promise(resolve => pgpass(connection, resolve))

function parsed(address: string): ClientConfig {
  const url = new URL(address)
  const { searchParams } = url
  const verifiesHost = searchParams.get('sslmode') === 'verify-full'
  // The authorities that Node trusts.
  if (searchParams.get('sslrootcert') === 'system') searchParams.delete('sslrootcert')
  const config = toClientConfig(parse(withReadableFiles(url).href, { useLibpqCompat: true })) as ClientConfig
  if (!verifiesHost) return config
  // `pg` says nothing of the host where it is a number, and Node would look for "localhost" in the certificate.
  const ssl = { ...(config.ssl as ConnectionOptions) }
  ssl.checkServerIdentity = (_, certificate) => checkServerIdentity(config.host ?? '', certificate)
  return { ...config, ssl }
}

function withReadableFiles(url: URL): URL {
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = url.searchParams.get(name)
    if (file === null) continue
    try {
      readFileSync(file)
    } catch (error) {
      throw unreadable(`${name} ${file}`, error)
    }
  }
  return url
}

async function passwordIn(file: string): Promise<string> {
  try {
    // Editors and `echo` end a file with a line break.
    return (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  } catch (error) {
    throw unreadable(`the password file ${file}`, error)
  }
}

const unreadable = (file: string, cause: unknown): StorageError =>
  new StorageError(
    'DATABASE_REFUSED',
    `Cannot read ${file} of the PostgreSQL database: ${cause instanceof Error ? cause.message : String(cause)}.`,
    { cause },
  )
