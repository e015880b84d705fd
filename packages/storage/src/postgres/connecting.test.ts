/**
 * How a node connects: with a password from each possible place, and with every TLS mode, against a server that
 * supports TLS.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { migrations } from '../notes.testing.ts'
import { databaseAddress } from './address.ts'
import { PostgresDatabase } from './database.ts'
import { inspectPostgres } from './inspection.ts'
import { openLimitedPostgresReader } from './limited-reader.ts'
import { canStartServer, onServer, privateServer, type TestServer } from './test-server.testing.ts'

const hasOpenssl = (() => {
  try {
    return execFileSync('openssl', ['version'], { encoding: 'utf8' }).startsWith('OpenSSL')
  } catch {
    return false
  }
})()
const missing = !canStartServer() ? ': no programs of PostgreSQL' : hasOpenssl ? undefined : ': no openssl'

/** Who may connect: by password over TLS, without it, or either; by certificate. */
const hosts = `
local all all trust
host all postgres 127.0.0.1/32 trust
host postgres guest 127.0.0.1/32 trust
hostssl certificate all 127.0.0.1/32 cert
hostssl encrypted all 127.0.0.1/32 scram-sha-256
hostnossl plain all 127.0.0.1/32 scram-sha-256
host either all 127.0.0.1/32 scram-sha-256
`

const password = 'a secret/of: its @own'

describe.skipIf(missing !== undefined)(`connecting to PostgreSQL${missing ?? ''}`, () => {
  let folder: string
  let server: TestServer
  let port: string

  const file = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

  function authority(name: string): void {
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
    )
  }

  function certificate(name: string, subject: string): void {
    openssl('req', ...newKey, '-subj', `/CN=${subject}`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2']
    openssl('x509', '-req', ...signed, '-in', `${name}.csr`, '-out', `${name}.pem`)
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'specboard-connecting-'))
    authority('ca')
    authority('stranger')
    certificate('server', 'localhost')
    certificate('client', 'node')
    const text = (name: string) => readFileSync(file(name), 'utf8')
    server = await privateServer({
      files: {
        'pg_hba.conf': hosts,
        'server.crt': text('server.pem'),
        'server.key': text('server.key'),
        'root.crt': text('ca.pem'),
      },
      options: ['ssl=on', 'ssl_ca_file=root.crt'],
    })
    port = new URL(server.url).port
    const client = new Client({ connectionString: server.url })
    await client.connect()
    await client.query(`create role node login superuser password '${password}'`)
    await client.query('create role guest login')
    for (const name of ['certificate', 'encrypted', 'plain', 'either']) await client.query(`create database ${name}`)
    await client.query(`create database ascii encoding 'SQL_ASCII' locale 'C' template template0`)
    await client.end()
  })

  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  afterEach(() => {
    delete process.env.PGPASSFILE
    delete process.env.PGPASSWORD
  })

  const address = (
    database: string,
    query: string,
    { host = '127.0.0.1', user = `node:${encodeURIComponent(password)}` } = {},
  ) => databaseAddress(`postgres://${user}@${host}:${port}/${database}${query}`)

  /** The version of TLS of a connection, or `none`. */
  const tlsOf = async (url: string) => (await inspectPostgres({ url, migrations }, [])).tls ?? 'none'

  test.each([
    ['either', ''],
    ['either', '?sslmode=prefer'],
    ['either', '?sslmode=require'],
    ['encrypted', '?sslmode=allow'],
    ['encrypted', ''],
  ])('on %s, "%s" is encrypted', async (database, query) => {
    expect(await tlsOf(address(database, query))).toMatch(/^TLS/)
  })

  test.each([
    ['either', '?sslmode=disable'],
    ['either', '?sslmode=allow'],
    ['plain', '?sslmode=prefer'],
    ['plain', ''],
  ])('on %s, "%s" is plain', async (database, query) => {
    expect(await tlsOf(address(database, query))).toBe('none')
  })

  test.each([
    ['encrypted', '?sslmode=disable'],
    ['plain', '?sslmode=require'],
    ['certificate', '?sslmode=require'],
  ])('on %s, "%s" is refused, without the password', async (database, query) => {
    const refused = expect(tlsOf(address(database, query))).rejects
    await refused.toMatchObject({ code: 'DATABASE_REFUSED' })
    await expect(tlsOf(address(database, query))).rejects.not.toThrow(/secret/)
  })

  test('the certificate of the server is verified as the mode says', async () => {
    const ca = `&sslrootcert=${file('ca.pem')}`
    const stranger = `&sslrootcert=${file('stranger.pem')}`
    const byName = { host: 'localhost' }
    expect(await tlsOf(address('either', `?sslmode=verify-full${ca}`, byName))).toMatch(/^TLS/)
    expect(await tlsOf(address('either', `?sslmode=verify-ca${ca}`))).toMatch(/^TLS/)
    expect(await tlsOf(address('either', `?sslmode=require${ca}`))).toMatch(/^TLS/)
    const refused = { code: 'DATABASE_REFUSED', message: expect.stringMatching(/No protected connection/) }
    // The certificate is that of another host.
    await expect(tlsOf(address('either', `?sslmode=verify-full${ca}`))).rejects.toMatchObject(refused)
    for (const mode of ['verify-full', 'verify-ca', 'require'])
      await expect(tlsOf(address('either', `?sslmode=${mode}${stranger}`, byName))).rejects.toMatchObject(refused)
    // It is not signed by any authority that Node trusts.
    for (const mode of ['', '&sslmode=verify-full'])
      await expect(tlsOf(address('either', `?sslrootcert=system${mode}`, byName))).rejects.toMatchObject(refused)
  })

  test('a certificate of its own lets a node in', async () => {
    const own = `?sslmode=require&sslcert=${file('client.pem')}&sslkey=${file('client.key')}`
    expect(await tlsOf(address('certificate', own, { user: 'node' }))).toMatch(/^TLS/)
  })

  test('a certificate that cannot be read is named', async () => {
    const query = `?sslmode=verify-full&sslrootcert=${file('nothing.pem')}`
    await expect(tlsOf(address('either', query))).rejects.toThrow(/Cannot read sslrootcert .*nothing\.pem/)
  })

  test.each([
    ['sslrootcert=empty.pem', /Cannot read sslrootcert .*empty\.pem.*no certificate/],
    ['sslrootcert=ca.key', /Cannot read sslrootcert .*ca\.key.*no certificate/],
    ['sslcert=empty.pem&sslkey=client.key', /Cannot read sslcert .*empty\.pem/],
    ['sslcert=client.pem&sslkey=empty.pem', /Cannot read sslkey .*empty\.pem/],
    ['sslcert=client.pem&sslkey=server.key', /Cannot read sslkey .*server\.key.*not the key of the certificate/],
  ])('%s is refused by the name of the file', async (query, message) => {
    writeFileSync(file('empty.pem'), '\n')
    const whole = query.replaceAll('=', `=${folder}/`)
    await expect(tlsOf(address('either', `?sslmode=verify-full&${whole}`))).rejects.toThrow(message)
  })

  test('the password may lie in a file, which is read again for each connection', async () => {
    const passwordFile = file('password')
    writeFileSync(passwordFile, `${password}\n`)
    const url = databaseAddress(`postgres://node@127.0.0.1:${port}/either`, passwordFile)
    const database = await PostgresDatabase.open({ url, migrations })
    await database.close()
    writeFileSync(passwordFile, 'another one')
    await expect(tlsOf(url)).rejects.toThrow(/password authentication failed.*SPECBOARD_DATABASE_PASSWORD_FILE/)
    rmSync(passwordFile)
    await expect(tlsOf(url)).rejects.toThrow(/Cannot read the password file/)
  })

  test('that the server wants a password is said where there is none', async () => {
    process.env.PGPASSFILE = file('no passwords')
    const url = address('either', '', { user: 'node' })
    await expect(tlsOf(url)).rejects.toThrow(/wants a password for node.*SPECBOARD_DATABASE_PASSWORD_FILE.*PGPASSFILE/)
    await expect(tlsOf(address('either', '', { user: 'node:' }))).rejects.toThrow(/wants a password for node/)
    writeFileSync(file('empty'), '\n')
    const fromFile = databaseAddress(`postgres://node@127.0.0.1:${port}/either`, file('empty'))
    await expect(tlsOf(fromFile)).rejects.toThrow(/password file .*empty.*it is empty/)
  })

  test('a socket is named by its folder, beside a user and a password', async () => {
    const [socket] = await onServer<{ folder: string }>(
      server.url,
      `select current_setting('unix_socket_directories') as folder`,
    )
    const url = databaseAddress(`postgres://node:secret@/either?host=${socket!.folder}&port=${port}`)
    expect(await tlsOf(url)).toBe('none')
  })

  test('a password in the address goes before one in a file', async () => {
    writeFileSync(file('wrong'), 'wrong')
    const own = `node:${encodeURIComponent(password)}`
    const url = databaseAddress(`postgres://${own}@127.0.0.1:${port}/either`, file('wrong'))
    expect(await tlsOf(url)).toMatch(/^TLS/)
  })

  test('the password may stand in PGPASSWORD', async () => {
    process.env.PGPASSWORD = password
    expect(await tlsOf(address('either', '', { user: 'node' }))).toMatch(/^TLS/)
  })

  test('limited readers, which run queries of callers, get in in the same way', async () => {
    const passwordFile = file('password of queries')
    writeFileSync(passwordFile, `${password}\n`)
    const ca = `?sslmode=verify-full&sslrootcert=${file('ca.pem')}`
    for (const url of [
      databaseAddress(`postgres://node@127.0.0.1:${port}/either?sslmode=require`, passwordFile),
      address('encrypted', ca, { host: 'localhost' }),
    ]) {
      const reader = await openLimitedPostgresReader(url, 1_000)
      const found = await reader.run({ sql: 'select 1', parameters: [], timeoutMs: 10_000 })
      await reader.close()
      expect(found).toMatchObject({ rows: [[1]] })
    }
  })

  test('the password may stand in PGPASSFILE', async () => {
    const passwords = file('pgpass')
    writeFileSync(passwords, `127.0.0.1:*:*:node:${password.replaceAll(/[:\\]/g, '\\$&')}\n`)
    chmodSync(passwords, 0o600)
    const url = address('either', '', { user: 'node' })
    process.env.PGPASSFILE = passwords
    expect(await tlsOf(url)).toMatch(/^TLS/)
  })

  test('a database that is not there, or cannot hold every text, is refused with what to do', async () => {
    const own = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
    const open = (database: string) => PostgresDatabase.open({ url: own(database), migrations })
    await expect(open('nowhere')).rejects.toThrow(/database "nowhere" does not exist; run: create database/)
    await expect(open('ascii')).rejects.toThrow(/has the encoding SQL_ASCII.*encoding 'UTF8'/)
  })

  test('a role counts the connections of others too', async () => {
    const others = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const client = new Client({ connectionString: server.url })
        await client.connect()
        return client
      }),
    )
    const { connections } = await inspectPostgres(
      { url: `postgres://guest@127.0.0.1:${port}/postgres`, migrations },
      [],
    )
    expect(connections.used).toBeGreaterThanOrEqual(6)
    for (const client of others) await client.end()
  })

  test('a role that may not limit temporary files runs no query whose plan needs large ones (walls 6)', async () => {
    const guest = `postgres://guest@127.0.0.1:${port}/postgres`
    const reader = await openLimitedPostgresReader(guest, 1 << 20)
    const run = (sql: string, parameters: readonly unknown[] = []) => reader.run({ sql, parameters, timeoutMs: 5_000 })
    const product = 'generate_series(1, 100000) a(x), generate_series(1, 100000) b(y)'
    try {
      expect(await run(`select x + y from ${product} order by 1`)).toEqual({ tooLarge: true })
      expect(await run(`select distinct x * $1::bigint + y from ${product}`, [2])).toEqual({ tooLarge: true })
      expect(await run(`select x from generate_series(1, 3) a(x) where x > $1::integer order by 1`, [1])).toMatchObject(
        {
          rows: [[2], [3]],
        },
      )
      expect(await run('select x from')).toMatchObject({ fault: expect.stringContaining('syntax error') })
    } finally {
      await reader.close()
    }
  })

  test('a role that may not make tables is told what it lacks', async () => {
    const open = PostgresDatabase.open({ url: `postgres://guest@127.0.0.1:${port}/postgres`, migrations })
    await expect(open).rejects.toMatchObject({
      code: 'DATABASE_REFUSED',
      message: expect.stringMatching(
        /permission denied for schema public\. .*alter database postgres owner to guest\.$/,
      ),
    })
  })

  test('a server that is not there is named', async () => {
    const open = PostgresDatabase.open({ url: 'postgres://node:secret@127.0.0.1:1/database', migrations })
    await expect(open).rejects.toThrow(/does not answer at postgres:\/\/node:\*\*\*@127\.0\.0\.1:1\/database/)
  })
})
