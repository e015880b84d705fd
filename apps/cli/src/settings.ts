import { type RuntimeSettingKey, runtimeSettings } from '@specboard/contract'
import type { DatabasePlace } from '@specboard/domain'
import { pinnedSettings } from '@specboard/domain/runtime-settings'
import { databaseAddress } from '@specboard/storage/address'
import type { z } from 'zod'
import { errorMessage } from './error-message.ts'
import { UsageError } from './frame/usage-error.ts'
import { type Flags, type FoundSettings, findSettings, SettingError, type Variables } from './setting-sources.ts'
import { settingTable } from './setting-table.ts'

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
  /** The address of a replica of this database, which answers reads if it has caught up far enough. */
  readonly databaseReadUrl?: string | undefined
  /** The file with the password for both. */
  readonly databasePasswordFile?: string | undefined
  /** How nodes hear each other: by NOTIFY, or by polling a table. */
  readonly announcements?: 'notify' | 'poll' | undefined
  /** What units of work lock: advisory locks of the server, or rows of a table. */
  readonly databaseLocks?: 'advisory' | 'rows' | undefined
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
  /** The path below which the service is reached; by default the root of its host. */
  readonly basePath?: string | undefined
  /**
   * The address at which people reach the service, with its base path; without it the service gives out no links
   * (people 7.4).
   */
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
  /** Hosts of identity providers that are accepted at any network address, and without TLS. */
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
  /** Hosts that webhooks may reach at any network address, and without TLS. */
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
  /** The OTLP endpoint, over HTTP, that traces are sent to; without it no traces are made. */
  readonly tracesUrl?: string | undefined
  /** The sampling ratio, from 0 to 1, of requests without a trace decision of their caller. */
  readonly tracesRatio?: number | undefined
  /** Runtime settings fixed by the environment. */
  readonly pinned: Readonly<Partial<Record<RuntimeSettingKey, number>>>
}

/** The values parsed by the schemas of the table. */
type ReadSettings = { readonly [Name in keyof typeof settingTable]: z.output<(typeof settingTable)[Name]['schema']> }

/** The names of the settings; flags are in kebab case, variables in upper case. */
export const settingNames = Object.keys(settingTable) as (keyof typeof settingTable)[]

/** Settings that may be, or hold, a secret: a variable may name a file with the value. */
export const settingsInFiles = settingNames.filter(
  name => settingTable[name].secret || name === 'databaseUrl' || name === 'databaseReadUrl',
)

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
      const { text, source, from } = found(name)
      const { schema, takes, secret } = settingTable[name]
      const parsed = schema.safeParse(text)
      if (!parsed.success) {
        const says = `${from} must be ${takes}${secret ? '' : `, not "${withoutSecrets(text)}"`}.`
        throw source === 'flag' ? new UsageError(says) : new SettingError(says)
      }
      return [name, parsed.data]
    }),
  )
  const settings = read as ReadSettings
  refuseUnevenBackups(settings)
  if ((settings.smtpUrl === undefined) !== (settings.mailFrom === undefined))
    throw new SettingError('SPECBOARD_SMTP_URL and SPECBOARD_MAIL_FROM go together: set both, or neither.')
  try {
    return {
      ...settings,
      publicUrl: publicAddress(settings),
      databaseUrl: completeAddress(settings),
      databaseReadUrl: replicaAddress(settings),
      pinned: pinnedSettings(variables),
    }
  } catch (error) {
    throw new SettingError(errorMessage(error))
  }
}

/** @throws SettingError for a time of day with an interval of more than a day that is not a number of whole days */
function refuseUnevenBackups({ backupAt, backupEvery }: ReadSettings): void {
  if (backupAt !== undefined && backupEvery > 24 && backupEvery % 24 !== 0)
    throw new SettingError(
      'SPECBOARD_BACKUP_AT needs a SPECBOARD_BACKUP_EVERY of at most 24 hours, or of whole days, such as 48.',
    )
}

/** The public address including the base path, which may be part of the setting or not. */
function publicAddress({ publicUrl, basePath = '' }: ReadSettings): string | undefined {
  if (publicUrl === undefined) return undefined
  const { origin, pathname } = new URL(publicUrl)
  if (pathname !== '/' && pathname !== basePath)
    throw new SettingError(`SPECBOARD_PUBLIC_URL has the path "${pathname}": set SPECBOARD_BASE_PATH to it, too.`)
  return origin + basePath
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

/** The address of the replica with the file of the password, which is that of the primary. */
function replicaAddress({ databaseUrl, databaseReadUrl, databasePasswordFile }: ReadSettings): string | undefined {
  if (databaseReadUrl === undefined) return undefined
  if (databaseUrl === undefined)
    throw new SettingError('SPECBOARD_DATABASE_READ_URL needs SPECBOARD_DATABASE_URL, the primary that it follows.')
  try {
    return databaseAddress(databaseReadUrl, databasePasswordFile)
  } catch (error) {
    throw new SettingError(`SPECBOARD_DATABASE_READ_URL: ${errorMessage(error)}`)
  }
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
