import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type RuntimeSettingKey, runtimeSettings } from '@specboard/contract'
import { type DatabasePlace, pinnedSettings, s3Address } from '@specboard/domain'
import { databaseAddress, shownAddress } from '@specboard/storage'
import { z } from 'zod'
import { type Flags, type FoundSettings, findSettings, SettingError, type Variables } from './setting-sources.ts'

/** The settings of a process, from flags, otherwise `SPECBOARD_…` variables, otherwise defaults. */
export interface Settings {
  /** The file that other settings were read from. */
  readonly configFile?: string | undefined
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /**
   * The address of the PostgreSQL database that several nodes share; by default the data folder holds a SQLite
   * database.
   */
  readonly databaseUrl?: string | undefined
  /** The file of its password. */
  readonly databasePasswordFile?: string | undefined
  /** The number of connections for reading, and the same number for writing. */
  readonly databasePool?: number | undefined
  /** Limits on how long a statement may run and wait for a lock, seconds. */
  readonly databaseStatementSeconds?: number | undefined
  readonly databaseLockSeconds?: number | undefined
  /** The file with the key that encrypts the service's secrets; by default the one in the data folder. */
  readonly secretKeyFile: string | undefined
  /** How long a node may be silent before the others take over, ms; no flag or variable sets it. */
  readonly leaseMs?: number | undefined
  readonly ownerApiKey: string | undefined
  /** The file that the first start writes the owner's key to, instead of printing it. */
  readonly ownerKeyFile?: string | undefined
  readonly allowedHosts: readonly string[]
  /** The origin at which people reach the service; without one it gives out no links (people 7.4). */
  readonly publicUrl?: string | undefined
  /** The file with the identity providers for signing in. */
  readonly signInFile?: string | undefined
  /** Trusted proxies, which report the address of a caller. */
  readonly trustedProxies?: readonly string[] | undefined
  /** Whether people can connect MCP clients with just an address. */
  readonly oauth?: 'on' | 'off' | undefined
  readonly oauthRegistration?: 'on' | 'off' | undefined
  /** Hosts whose metadata documents are accepted as clients; all if empty. */
  readonly oauthClientHosts?: readonly string[] | undefined
  /** How long an access token is valid, minutes. */
  readonly oauthAccessMinutes?: number | undefined
  /** How long a refresh token stays valid after another replaced it, seconds. */
  readonly oauthRefreshGraceSeconds?: number | undefined
  /** Hosts at which providers may be wherever they are, and without TLS. */
  readonly oidcAllowedHosts?: readonly string[] | undefined
  /** A JSON file {issuer: JWKS}: issuers of CI tokens in it are never queried for their keys (evidence 6.2). */
  readonly oidcJwksFile?: string | undefined
  /** Whether people can sign in to a browser with a key (people 2.5). */
  readonly keySignIn?: 'on' | 'off' | undefined
  /** Whether people can sign in with a mailed link (people 2.5). */
  readonly mailSignIn?: 'on' | 'off' | undefined
  /** Whether agents can sign in with a key; `auto` if they could before people were distinguished (people 1.2). */
  readonly agentSignIn?: 'auto' | 'on' | 'off' | undefined
  /** Hours without use after which a session ends, and days after which it ends in any case (people 2.4). */
  readonly sessionIdleHours?: number | undefined
  readonly sessionMaxDays?: number | undefined
  readonly logLevel: string
  /** Whether every request is logged, rather than only those that fail or are slow. */
  readonly accessLog?: 'on' | 'off' | undefined
  readonly attachmentMaxBytes: number
  /** The address of an S3 store for attachments; by default they are stored where the database is. */
  readonly attachmentsUrl: string | undefined
  /** The largest archive that is imported, bytes. */
  readonly importMaxBytes: number
  /** The largest forge event that is accepted, bytes. */
  readonly forgeMaxBytes: number
  /** HTTP calls a second for each key; 0 turns the limit off. */
  readonly rateLimit: number
  /** Wrong keys from one address in a minute that are answered at once; 0 turns counting off. */
  readonly wrongKeysPerMin: number
  /** Boards that one agent may own; 0 means no limit. */
  readonly maxBoardsPerAgent: number
  /** The maximum total size of all attachments, MiB; 0 means no limit. */
  readonly maxAttachmentsMb: number
  /** The default toolsets of MCP connections. */
  readonly mcpDefaultToolsets: string
  readonly mcpConfirm: 'off' | 'destructive'
  /** MCP calls a second for each key; 0 turns the limit off. */
  readonly mcpRateLimit: number
  /**
   * Minutes during which a text written by another agent is not overwritten unseen over MCP; 0 turns this off (crew
   * 2.3).
   */
  readonly mcpConflictMinutes: number
  /** Minutes during which an identical call over MCP counts as a repetition of the first; 0 turns this off (crew 3). */
  readonly mcpRepeatMinutes: number
  /** The maximum number of characters of an answer over MCP (crew 1.7). */
  readonly mcpAnswerCharacters: number
  /** The embeddings endpoint of the knowledge graph; by default the built-in embedder. */
  readonly kgEmbeddingUrl: string | undefined
  readonly kgEmbeddingModel: string | undefined
  readonly kgEmbeddingApiKey: string | undefined
  readonly kgEmbeddingDim: number | undefined
  /** The maximum Cypher queries of one agent in a minute. */
  readonly kgCypherRatePerMin: number
  /** Days for which the tests of a report are kept that no scenario names. */
  readonly reportCasesDays: number
  /** The age from which entries of event logs that no record needs are archived; by default they stay. */
  readonly eventsKeepDays?: number | undefined
  /** The folder of these archives; by default one in the data folder. */
  readonly eventsArchiveDir?: string | undefined
  /** Hosts that webhooks may reach wherever they are, and without TLS. */
  readonly webhookAllowedHosts: readonly string[]
  /** `mailto:` or `https:`, the contact for push services; by default the public address. */
  readonly contact?: string | undefined
  /** The mail server: `smtp://` or `smtps://`, with the user. */
  readonly smtpUrl?: string | undefined
  readonly smtpPasswordFile?: string | undefined
  readonly mailFrom?: string | undefined
  readonly slackTokenFile?: string | undefined
  readonly slackApi?: string | undefined
  readonly telegramTokenFile?: string | undefined
  readonly telegramApi?: string | undefined
  /** What messages say about records: `ref` leaves the title out (people 5.4). */
  readonly notifyContent?: 'title' | 'ref' | undefined
  /** The folder into which a running service backs itself up; without one it makes no backups. */
  readonly backupDir: string | undefined
  /** The interval, hours; fractions are allowed. */
  readonly backupEvery: number
  /** The local time of day; by default whenever the interval ends. */
  readonly backupAt: string | undefined
  /** How many of its backups are kept. */
  readonly backupKeep: number
  /** Whether /metrics is available to keys with SETTINGS_READ. */
  readonly metrics: 'on' | 'off'
  /** A separate port for /metrics, without keys; 0 takes a free one. */
  readonly metricsPort: number | undefined
  /** The address on which this port listens. */
  readonly metricsHost: string
  /** The OTLP endpoint, over HTTP, that traces are sent to; without it there are none. */
  readonly tracesUrl?: string | undefined
  /** The sampling ratio, from 0 to 1, of requests without a trace decision of their caller. */
  readonly tracesRatio?: number | undefined
  /** Runtime settings fixed by the environment. */
  readonly pinned: Readonly<Partial<Record<RuntimeSettingKey, number>>>
}

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

/** Whether a text can be the public origin of the service: over TLS, or on this machine. */
function isPublicOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol, hostname } = new URL(text)
  return text === origin && (protocol === 'https:' || (protocol === 'http:' && loopbackNames.has(hostname)))
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
  databasePasswordFile: { schema: z.string().min(1).optional(), takes: 'a file', secret: false },
  databasePool: { schema: whole(2, 100).default(8), takes: 'a number of connections from 2 to 100', secret: false },
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
  publicUrl: {
    schema: z.string().refine(isPublicOrigin).optional(),
    takes: 'the origin by which people reach the service: https://host, or http to this machine, without a path',
    secret: false,
  },
  signInFile: {
    schema: z.string().min(1).optional(),
    takes: 'a JSON file with the providers of sign-in',
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
  slackApi: { schema: apiAddress, takes: 'an http address', secret: false },
  telegramTokenFile: { schema: z.string().min(1).optional(), takes: 'a file', secret: false },
  telegramApi: { schema: apiAddress, takes: 'an http address', secret: false },
  notifyContent: { schema: z.enum(['title', 'ref']).default('title'), takes: 'title or ref', secret: false },
  webhookAllowedHosts: { schema: hosts, takes: 'host names, separated by commas', secret: false },
} as const

/** The values parsed by the schemas of the table. */
type ReadSettings = { readonly [Name in keyof typeof settingTable]: z.output<(typeof settingTable)[Name]['schema']> }

/** The names of the settings; flags are in kebab case, variables in upper case. */
export const settingNames = Object.keys(settingTable) as (keyof typeof settingTable)[]

/** Settings that may be, or hold, a secret: a variable may name a file with the value. */
export const settingsInFiles = settingNames.filter(name => settingTable[name].secret || name === 'databaseUrl')

/** The values of settings and their sources. */
export const foundSettings = (flags: Flags, environment: Variables): FoundSettings =>
  findSettings(flags, environment, {
    names: settingNames,
    secrets: settingsInFiles,
    others: Object.keys(runtimeSettings).map(key => `SPECBOARD_${key.toUpperCase()}`),
  })

/**
 * Reads the settings once.
 * @throws SettingError naming the flag or variable at fault
 */
export function readSettings(flags: Flags, environment: Variables): Settings {
  const { found, variables } = foundSettings(flags, environment)
  const read = Object.fromEntries(
    settingNames.map(name => {
      const { text, from } = found(name)
      const { schema, takes, secret } = settingTable[name]
      const parsed = schema.safeParse(text)
      if (!parsed.success)
        throw new SettingError(`${from} must be ${takes}${secret ? '' : `, not "${withoutSecrets(text)}"`}.`)
      return [name, parsed.data]
    }),
  )
  const settings = read as ReadSettings
  refuseUnevenBackups(settings)
  if ((settings.smtpUrl === undefined) !== (settings.mailFrom === undefined))
    throw new SettingError('SPECBOARD_SMTP_URL and SPECBOARD_MAIL_FROM go together: set both, or none.')
  try {
    return { ...settings, databaseUrl: completeAddress(settings), pinned: pinnedSettings(variables) }
  } catch (error) {
    throw new SettingError(error instanceof Error ? error.message : String(error))
  }
}

/** @throws SettingError for a time of day with an interval of more than a day that is not a number of whole days */
function refuseUnevenBackups({ backupAt, backupEvery }: ReadSettings): void {
  if (backupAt !== undefined && backupEvery > 24 && backupEvery % 24 !== 0)
    throw new SettingError(
      'SPECBOARD_BACKUP_AT needs a SPECBOARD_BACKUP_EVERY of at most 24 hours, or of whole days, such as 48.',
    )
}

/** The address of the database with the file of its password. */
function completeAddress({ databaseUrl, databasePasswordFile, backupDir }: ReadSettings): string | undefined {
  if (databaseUrl === undefined) return undefined
  if (backupDir !== undefined)
    throw new SettingError(
      'SPECBOARD_BACKUP_DIR backs up the embedded database only. Unset it, and back PostgreSQL up with pg_basebackup or pg_dump.',
    )
  return databaseAddress(databaseUrl, databasePasswordFile)
}

/** The location of the settings' database, for verbs that open it while a service may be running. */
export const placeOf = ({ dataDir, databaseUrl }: Settings): DatabasePlace => ({ folder: dataDir, databaseUrl })

/** A refused text without the possibly secret parts of an address: user, password, and the values of its query. */
function withoutSecrets(text = ''): string {
  if (!text.includes('://')) return text
  const masked = text.replaceAll(/([?&][^=&?]*=)[^&]*/g, '$1…')
  const from = masked.indexOf('://') + 3
  const to = masked.lastIndexOf('@')
  return to < from ? masked : `${masked.slice(0, from)}…${masked.slice(to)}`
}
