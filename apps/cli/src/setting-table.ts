import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { s3Address } from '@specboard/domain/s3-address'
import { shownAddress } from '@specboard/storage/address'
import { z } from 'zod'

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .refine(value => value >= min && value <= max)

const hours = z
  .string()
  .regex(/^\d{1,4}(?:\.\d{1,3})?$/)
  .transform(Number)
  .refine(value => value >= 0.1 && value <= 8_760)

const ratio = z
  .string()
  .regex(/^(?:0|1|0\.\d{1,4})$/)
  .transform(Number)

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)

const hosts = z
  .string()
  .default('')
  .transform(text =>
    text
      .split(',')
      .map(host => host.trim())
      .filter(host => host !== ''),
  )

function isS3Address(text: string): boolean {
  try {
    return s3Address(text) !== undefined
  } catch {
    return false
  }
}

/** Whether a text can be the public address of the service: over TLS, or on this machine. */
function isPublicAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, pathname, protocol, hostname } = new URL(text)
  const isPlain = text === origin || (text === origin + pathname && !pathname.endsWith('/'))
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && loopbackNames.has(hostname)))
}

/** Whether a text is the address of a proxy, or a network of them. */
function isProxy(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 6 ? 128 : 32))
}

/** Whether a text is the address of a mail server. */
const isSmtpAddress = (text: string): boolean =>
  URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== ''

const apiAddress = z
  .url({ protocol: /^https?$/ })
  .transform(url => url.replace(/\/$/, ''))
  .optional()

/**
 * The paths of the service at the root of a host. A base path must not begin with any of them, so that a request below
 * it can be distinguished from one whose base path a proxy has removed.
 */
const ownPaths: ReadonlySet<string> = new Set(
  (
    'admin api assets authorize b connect docs health hooks i invite mcp me metrics now openapi.json ready redoc ' +
    'register revoke sign-in token web'
  ).split(' '),
)

/** Whether a text can be a base path: names, each after a slash. */
function isBasePath(text: string): boolean {
  const names = text.slice(1).split('/')
  return text.startsWith('/') && names.every(name => /^\w[\w.~-]*$/.test(name)) && !ownPaths.has(names[0]!)
}

const basePath = z
  .string()
  .transform(text => (text.endsWith('/') ? text.slice(0, -1) : text))
  .refine(text => text === '' || isBasePath(text))
  .optional()

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Each setting: its schema, a description of its values, and whether it is a secret, which has a variable but no flag.
 */
export const settingTable = {
  configFile: { schema: z.string().min(1).optional(), takes: 'a file of settings', secret: false },
  host: { schema: z.string().min(1).default('127.0.0.1'), takes: 'a host name or address', secret: false },
  port: { schema: whole(0, 65_535).default(8100), takes: 'a port from 0 to 65535 (0 takes a free one)', secret: false },
  dataDir: { schema: z.string().min(1).default(join(homedir(), '.specboard')), takes: 'a folder', secret: false },
  databaseUrl: {
    schema: z.string().optional(),
    takes: 'postgres://user@host:port/database',
    secret: false,
    shown: shownAddress,
  },
  databaseReadUrl: {
    schema: z.string().optional(),
    takes: 'postgres://user@host:port/database, of a replica',
    secret: false,
    shown: shownAddress,
  },
  databasePasswordFile: { schema: z.string().min(1).optional(), takes: 'a file', secret: false },
  databasePool: { schema: whole(2, 100).default(8), takes: 'a number of connections from 2 to 100', secret: false },
  databaseLocks: { schema: z.enum(['advisory', 'rows']).default('advisory'), takes: 'advisory or rows', secret: false },
  announcements: { schema: z.enum(['notify', 'poll']).default('notify'), takes: 'notify or poll', secret: false },
  databaseStatementSeconds: { schema: whole(1, 3_600).default(60), takes: 'seconds from 1 to 3600', secret: false },
  databaseLockSeconds: { schema: whole(1, 600).default(20), takes: 'seconds from 1 to 600', secret: false },
  secretKeyFile: { schema: z.string().min(1).optional(), takes: 'a file', secret: false },
  // Checked at the first start, the only one that uses it.
  ownerApiKey: {
    schema: z.string().optional(),
    takes: '"dash_" and 48 lower-case hexadecimal digits',
    secret: true,
  },
  ownerKeyFile: { schema: z.string().min(1).optional(), takes: 'a file', secret: false },
  allowedHosts: { schema: hosts, takes: 'host names, separated by commas', secret: false },
  basePath: {
    schema: basePath,
    takes: 'a path such as /board, but not one the service uses, such as /api',
    secret: false,
  },
  publicUrl: {
    schema: z.string().refine(isPublicAddress).optional(),
    takes: 'the address by which people reach the service: https://host, or http to this machine',
    secret: false,
  },
  signInFile: {
    schema: z.string().min(1).optional(),
    takes: 'a JSON file with the sign-in providers',
    secret: false,
  },
  oidcAllowedHosts: { schema: hosts, takes: 'host names, separated by commas', secret: false },
  oidcJwksFile: {
    schema: z.string().min(1).optional(),
    takes: 'a JSON file with the keys of issuers of CI tokens',
    secret: false,
  },
  oauth: { schema: z.enum(['on', 'off']).default('on'), takes: 'on or off', secret: false },
  oauthRegistration: { schema: z.enum(['on', 'off']).default('on'), takes: 'on or off', secret: false },
  oauthClientHosts: { schema: hosts, takes: 'host names, separated by commas', secret: false },
  oauthAccessMinutes: { schema: whole(5, 1_440).default(60), takes: 'minutes from 5 to 1440', secret: false },
  oauthRefreshGraceSeconds: { schema: whole(0, 3_600).default(60), takes: 'seconds from 0 to 3600', secret: false },
  trustedProxies: {
    schema: hosts.refine(proxies => proxies.every(isProxy)),
    takes: 'addresses and networks such as 10.0.0.0/8, separated by commas',
    secret: false,
  },
  keySignIn: { schema: z.enum(['on', 'off']).default('on'), takes: 'on or off', secret: false },
  mailSignIn: { schema: z.enum(['on', 'off']).default('off'), takes: 'on or off', secret: false },
  agentSignIn: { schema: z.enum(['auto', 'on', 'off']).default('auto'), takes: 'auto, on or off', secret: false },
  sessionIdleHours: { schema: whole(1, 720).default(12), takes: 'hours from 1 to 720', secret: false },
  sessionMaxDays: { schema: whole(1, 365).default(30), takes: 'days from 1 to 365', secret: false },
  logLevel: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    takes: 'fatal, error, warn, info, debug, trace or silent',
    secret: false,
  },
  accessLog: { schema: z.enum(['on', 'off']).default('off'), takes: 'on or off', secret: false },
  attachmentMaxBytes: {
    schema: whole(0, Number.MAX_SAFE_INTEGER).default(10_485_760),
    takes: 'a number of bytes',
    secret: false,
  },
  attachmentsUrl: {
    schema: z.string().refine(isS3Address).optional(),
    takes: 'the address of an S3 store, s3://bucket/prefix?endpoint=…&region=…, without keys',
    secret: false,
  },
  importMaxBytes: {
    schema: whole(0, Number.MAX_SAFE_INTEGER).default(2 * 2 ** 30),
    takes: 'a number of bytes',
    secret: false,
  },
  forgeMaxBytes: {
    schema: whole(0, 1 << 28).default(10_485_760),
    takes: 'a number of bytes, 268435456 at most',
    secret: false,
  },
  rateLimit: { schema: whole(0, 1_000_000).default(0), takes: 'calls a second for each key', secret: false },
  wrongKeysPerMin: { schema: whole(0, 200).default(20), takes: 'a number from 0 to 200', secret: false },
  maxBoardsPerAgent: { schema: whole(0, 1_000_000_000).default(0), takes: 'a number of boards', secret: false },
  maxAttachmentsMb: { schema: whole(0, 1_000_000_000).default(0), takes: 'a number of MiB', secret: false },
  mcpDefaultToolsets: {
    schema: z.string().min(1).default('all'),
    takes: 'names of toolsets, separated by commas',
    secret: false,
  },
  mcpConfirm: { schema: z.enum(['off', 'destructive']).default('off'), takes: 'off or destructive', secret: false },
  mcpRateLimit: { schema: whole(0, 1_000_000).default(100), takes: 'calls a second for each key', secret: false },
  mcpConflictMinutes: { schema: whole(0, 1_440).default(15), takes: 'minutes from 0 to 1440', secret: false },
  mcpRepeatMinutes: { schema: whole(0, 1_440).default(10), takes: 'minutes from 0 to 1440', secret: false },
  mcpAnswerCharacters: {
    schema: whole(4_000, 200_000).default(20_000),
    takes: 'characters from 4000 to 200000',
    secret: false,
  },
  kgEmbeddingUrl: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    takes: 'the http address of an embeddings endpoint',
    secret: false,
    shown: shownAddress,
  },
  kgEmbeddingModel: { schema: z.string().min(1).optional(), takes: 'the name of an embedding model', secret: false },
  kgEmbeddingApiKey: { schema: z.string().optional(), takes: 'the key of the embeddings endpoint', secret: true },
  kgEmbeddingDim: { schema: whole(1, 8_192).optional(), takes: 'the dimension of the model, 1 to 8192', secret: false },
  kgCypherRatePerMin: {
    schema: whole(1, 1_000_000).default(120),
    takes: 'queries a minute for each agent',
    secret: false,
  },
  backupDir: { schema: z.string().min(1).optional(), takes: 'a folder', secret: false },
  backupEvery: { schema: hours.default(24), takes: 'hours from 0.1 to 8760, such as 24 or 0.5', secret: false },
  backupAt: { schema: timeOfDay.optional(), takes: 'a time of day, such as 02:30', secret: false },
  backupKeep: { schema: whole(1, 1_000_000).default(7), takes: 'a number of backups', secret: false },
  metrics: { schema: z.enum(['on', 'off']).default('off'), takes: 'on or off', secret: false },
  metricsPort: { schema: whole(0, 65_535).optional(), takes: 'a port from 0 to 65535', secret: false },
  metricsHost: { schema: z.string().min(1).default('127.0.0.1'), takes: 'a host name or address', secret: false },
  tracesUrl: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    takes: 'the http address of a collector, http://collector:4318/v1/traces',
    secret: false,
    shown: shownAddress,
  },
  tracesRatio: { schema: ratio.default(1), takes: 'a number from 0 to 1, such as 0.1', secret: false },
  reportCasesDays: { schema: whole(1, 3_650).default(30), takes: 'days from 1 to 3650', secret: false },
  eventsKeepDays: { schema: whole(90, 36_500).optional(), takes: 'days from 90 to 36500', secret: false },
  eventsArchiveDir: { schema: z.string().min(1).optional(), takes: 'a folder', secret: false },
  contact: {
    schema: z
      .string()
      .regex(/^(?:mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/)
      .optional(),
    takes: 'mailto: and an address, or an https address',
    secret: false,
  },
  smtpUrl: {
    schema: z.string().refine(isSmtpAddress).optional(),
    takes: 'smtp://user@host:port or smtps://user@host:port',
    secret: false,
    shown: shownAddress,
  },
  smtpPasswordFile: { schema: z.string().min(1).optional(), takes: 'a file', secret: false },
  mailFrom: {
    schema: z
      .string()
      .max(320)
      .regex(/^[^@\r\n]*@[^@\r\n]+$/)
      .optional(),
    takes: 'an address, or a name with an address in angle brackets',
    secret: false,
  },
  slackTokenFile: { schema: z.string().min(1).optional(), takes: 'a file', secret: false },
  slackApi: { schema: apiAddress, takes: 'an http address', secret: false, shown: shownAddress },
  telegramTokenFile: { schema: z.string().min(1).optional(), takes: 'a file', secret: false },
  telegramApi: { schema: apiAddress, takes: 'an http address', secret: false, shown: shownAddress },
  notifyContent: { schema: z.enum(['title', 'ref']).default('title'), takes: 'title or ref', secret: false },
  webhookAllowedHosts: { schema: hosts, takes: 'host names, separated by commas', secret: false },
} as const
