import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import type { ClientConfig } from 'pg'
import { parse, toClientConfig } from 'pg-connection-string'
import pgpass from 'pgpass'
import { errorMessage } from '../error-message.ts'
import { StorageError } from '../storage-error.ts'
import { passwordFileOf } from './address.ts'

/**
 * The configuration with which `pg` connects. A password that is not in the address comes from its file, which is read
 * for each connection, otherwise from `PGPASSWORD`, `PGPASSFILE` or `~/.pgpass`.
 * @throws StorageError DATABASE_REFUSED when a certificate file is unusable
 */
export function clientConfig(address: string): ClientConfig {
  const config = parsed(address)
  const file = passwordFileOf(address)
  if (config.password) return config
  if (file !== undefined) return { ...config, password: () => passwordIn(file) }
  if (process.env.PGPASSWORD) return config
  return { ...config, password: passwordFor as NonNullable<ClientConfig['password']> }
}

/**
 * The password of a connection in `PGPASSFILE` or `~/.pgpass`; read when the server asks for one.
 * @throws StorageError DATABASE_REFUSED when there is none
 */
async function passwordFor(connection: Parameters<typeof pgpass>[0]): Promise<string> {
  const password = await new Promise<string | undefined>(resolve => pgpass(connection, resolve))
  if (password) return password
  throw new StorageError(
    'DATABASE_REFUSED',
    `PostgreSQL wants a password for ${connection.user}, and none is set: name its file with SPECBOARD_DATABASE_PASSWORD_FILE, or give it in the address, in PGPASSWORD or in PGPASSFILE.`,
  )
}

function parsed(address: string): ClientConfig {
  const url = new URL(address)
  const { searchParams } = url
  const verifiesHost = searchParams.get('sslmode') === 'verify-full'
  // `system` means the certificate authorities that Node trusts.
  if (searchParams.get('sslrootcert') === 'system') searchParams.delete('sslrootcert')
  const config = toClientConfig(parse(withReadableFiles(url).href, { useLibpqCompat: true })) as ClientConfig
  if (!verifiesHost) return config
  // `pg` omits the host name when it is an IP address, and Node would then look for "localhost" in the certificate.
  const ssl = { ...(config.ssl as ConnectionOptions) }
  ssl.checkServerIdentity = (_, certificate) => checkServerIdentity(config.host ?? '', certificate)
  return { ...config, ssl }
}

/** Checks the files in an address, so that a faulty one is reported by name. */
function withReadableFiles(url: URL): URL {
  const content = (name: string) => {
    const file = url.searchParams.get(name)
    return file === null ? undefined : checkedFile(name, file)
  }
  content('sslrootcert')
  const [certificate, key] = [content('sslcert'), content('sslkey')]
  if (
    certificate !== undefined &&
    key !== undefined &&
    !new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  )
    throw unreadable(`sslkey ${url.searchParams.get('sslkey')}`, 'it is not the key of the certificate in sslcert')
  return url
}

/** The text of a certificate or key file. */
function checkedFile(name: string, file: string): string {
  try {
    const text = readFileSync(file, 'utf8')
    if (name === 'sslkey') createPrivateKey(text)
    else {
      const certificates = text.split(/(?=-----BEGIN )/).filter(part => pemCertificate.test(part))
      if (certificates.length === 0) throw new Error('it holds no certificate in PEM')
      for (const certificate of certificates) new X509Certificate(certificate)
    }
    return text
  } catch (error) {
    throw unreadable(`${name} ${file}`, error)
  }
}

const pemCertificate = /^-----BEGIN (?:TRUSTED )?CERTIFICATE-----/

async function passwordIn(file: string): Promise<string> {
  let password: string
  try {
    // Editors and `echo` end a file with a line break.
    password = (await readFile(file, 'utf8')).replace(/\r?\n$/, '')
  } catch (error) {
    throw unreadable(`the password file ${file}`, error)
  }
  if (password === '') throw unreadable(`the password file ${file}`, 'it is empty')
  return password
}

const unreadable = (file: string, cause: unknown): StorageError =>
  new StorageError('DATABASE_REFUSED', `Cannot read ${file} of the PostgreSQL database: ${errorMessage(cause)}.`, {
    cause,
  })
