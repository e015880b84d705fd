/** The error about a setting with an invalid value, which may contain secrets. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { settingTable } from '../src/setting-table.ts'
import { foundSettings, readSettings } from '../src/settings.ts'

const refusalOf = (environment: Readonly<Record<string, string>>): string => {
  try {
    readSettings({}, environment)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('The settings were taken.')
}

test.each([
  ['s3://bucket?secret=hidden&region=x', 's3://bucket?secret=…&region=…'],
  ['s3://key:hidden@bucket/prefix', 's3://…@bucket/prefix'],
  ['s3://key:hid/den@bucket', 's3://…@bucket'],
  ['s3://bucket?endpoint=https://key:hidden@host', 's3://bucket?endpoint=…'],
  ['s3://bucket?token=hid?den=hid&secret=', 's3://bucket?token=…&secret=…'],
])('the address %s is repeated without its secrets', (url, masked) => {
  const message = refusalOf({ SPECBOARD_ATTACHMENTS_URL: url })
  expect(message).toMatch(/^SPECBOARD_ATTACHMENTS_URL must be the address of an S3 store/)
  expect(message).toContain(`not "${masked}"`)
})

test('a value that is no address is repeated as it is', () => {
  expect(refusalOf({ SPECBOARD_PORT: 'a?b=c' })).toContain('not "a?b=c"')
})

test('what Kubernetes sets beside a service named specboard is no port, and other text is refused as before', () => {
  const linked = { SPECBOARD_PORT: 'tcp://10.96.0.7:8100' }
  expect(readSettings({}, linked).port).toBe(8100)
  expect(foundSettings({}, linked).found('port').source).toBe('default')
  expect(readSettings({ port: '9000' }, linked).port).toBe(9000)
  expect(refusalOf({ SPECBOARD_PORT: 'udp://10.96.0.7:8100' })).toMatch(/^SPECBOARD_PORT must be a port/)
})

const folder = mkdtempSync(join(tmpdir(), 'specboard-settings-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

test('a file of settings comes after flags and variables, and says what a default would', () => {
  const file = fileOf('all.env', '# ours\nSPECBOARD_PORT=9001\nSPECBOARD_HOST="0.0.0.0"\nSPECBOARD_PAGE_CACHE_MB=32\n')
  const environment = { SPECBOARD_CONFIG_FILE: file, SPECBOARD_HOST: '127.0.0.2' }
  expect(readSettings({}, environment)).toMatchObject({ port: 9001, host: '127.0.0.2', pinned: { page_cache_mb: 32 } })
  expect(readSettings({ configFile: file, port: '9002' }, {})).toMatchObject({ port: 9002, host: '0.0.0.0' })
  const { found } = foundSettings({ configFile: file }, { SPECBOARD_HOST: '127.0.0.2' })
  expect(['port', 'host', 'dataDir'].map(name => found(name).source)).toEqual(['file', 'environment', 'default'])
})

test('a file of settings with a mistake, or that is not there, is refused with its name', () => {
  const saidOfFile = (text: string) => refusalOf({ SPECBOARD_CONFIG_FILE: fileOf('wrong.env', text) })
  expect(saidOfFile('SPECBOARD_PROT=1')).toMatch(
    /wrong\.env: SPECBOARD_PROT is not a setting; "specboard serve --help"/,
  )
  expect(saidOfFile('SPECBOARD_PORT=x')).toMatch(/^SPECBOARD_PORT must be a port/)
  expect(saidOfFile('# ours\n\nSPECBOARD_PORT: 9001\n')).toMatch(/wrong\.env: line 3 has no "="/)
  expect(refusalOf({ SPECBOARD_CONFIG_FILE: join(folder, 'none') })).toMatch(/none, which cannot be read \(ENOENT\)\.$/)
})

test('a file of settings may have quotes over lines, ends of lines of Windows and a mark of its encoding', () => {
  const text =
    '\uFEFFexport SPECBOARD_PORT=9001\r\n\r\nSPECBOARD_MAIL_FROM="a\nb"\nSPECBOARD_HOST=\'0.0.0.0\' # all\r\n'
  expect(foundSettings({ configFile: fileOf('quoted.env', text) }, {}).variables).toEqual({
    SPECBOARD_PORT: '9001',
    SPECBOARD_MAIL_FROM: 'a\nb',
    SPECBOARD_HOST: '0.0.0.0',
  })
})

test('each secret may stand in a file of its own', () => {
  const key = `dash_${'a'.repeat(48)}`
  const environment = {
    SPECBOARD_OWNER_API_KEY_FILE: fileOf('owner', `${key}\n`),
    SPECBOARD_KG_EMBEDDING_API_KEY_FILE: fileOf('embedding', 'key'),
    SPECBOARD_DATABASE_URL_FILE: fileOf('url', 'postgres://me:hidden@db/board\n'),
  }
  expect(readSettings({}, environment)).toMatchObject({
    ownerApiKey: key,
    kgEmbeddingApiKey: 'key',
    databaseUrl: expect.stringMatching(/^postgres:\/\/me:hidden@db\/board/),
  })
  const config = fileOf('secrets.env', `SPECBOARD_OWNER_API_KEY_FILE=${environment.SPECBOARD_OWNER_API_KEY_FILE}`)
  expect(readSettings({ configFile: config }, {}).ownerApiKey).toBe(key)
  expect(refusalOf({ ...environment, SPECBOARD_OWNER_API_KEY: key })).toBe(
    'SPECBOARD_OWNER_API_KEY and SPECBOARD_OWNER_API_KEY_FILE are both set: unset one of them.',
  )
})

test.each(['slackApi', 'telegramApi', 'kgEmbeddingUrl', 'tracesUrl', 'smtpUrl'] as const)(
  'doctor prints %s without a password',
  name => {
    const setting = settingTable[name]
    expect('shown' in setting && setting.shown('https://me:hidden@host/api')).toBe('https://me:***@host/api')
    expect('shown' in setting && setting.shown('https://host/api/')).toBe('https://host/api/')
  },
)
