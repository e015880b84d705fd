import type { RuntimeSettingKey } from '@specboard/contract'
import type { StatementLimits, StorageLoss } from '@specboard/storage'
import { readerLimits as usualReaderLimits } from './exchange/import/reader-threads.ts'
import type { KnowledgeGraphSettings } from './graph/knowledge-graph.ts'
import type { Environment, Quotas, ReaderLimits } from './kernel/context.ts'
import type { PerformedCall } from './kernel/service/service.ts'
import type { NotificationSettings } from './notifications/notifications.ts'
import type { BackupSettings } from './workspace/backups/schedule.ts'
import type { CiIssuerSettings } from './workspace/ci/issuers.ts'
import { defaultSessionLife, type SessionLife } from './workspace/people/web-sessions.ts'
import type { WebhookState } from './workspace/webhooks/lane.ts'
import type { WebhookSettings } from './workspace/webhooks/webhooks.ts'

/** Options for opening a service. */
export interface ServiceOptions {
  /** The data folder. */
  readonly folder: string
  /** The address of the PostgreSQL database that several nodes share; by default the folder holds a SQLite database. */
  readonly databaseUrl?: string | undefined
  /**
   * The address of a replica of this database, which answers reads when it is sufficiently up to date; none by default.
   */
  readonly databaseReadUrl?: string | undefined
  /** How nodes on PostgreSQL notify each other; by NOTIFY, unless the database does not have it. */
  readonly announcements?: 'notify' | 'poll' | undefined
  /** What units of work on PostgreSQL lock; advisory locks, unless the database does not have them. */
  readonly databaseLocks?: 'advisory' | 'rows' | undefined
  /** The number of connections for reading, and the same number for writing; default 8. */
  readonly databaseConnections?: number | undefined
  /** Limits on how long a statement may run and wait for a lock. */
  readonly databaseLimits?: StatementLimits | undefined
  /** The address of an S3 store for attachments; by default they are stored where the database is. */
  readonly attachmentsUrl?: string | undefined
  readonly version: string
  /** The file with the key that encrypts the service's secrets; by default the one in the data folder. */
  readonly secretKeyFile?: string | undefined
  /** The owner's key at the first start; generated when undefined. */
  readonly ownerKey?: string | undefined
  /** Runtime settings pinned by environment variables. */
  readonly pinned?: Readonly<Partial<Record<RuntimeSettingKey, number>>>
  /** The largest size of an attachment, bytes; 10 MiB by default. */
  readonly attachmentMaxBytes?: number | undefined
  /** The largest archive that import_board takes, bytes; 2 GiB by default. */
  readonly importMaxBytes?: number | undefined
  /** The number of days for which those tests of a report are kept that no scenario names; 30 by default. */
  readonly reportCasesDays?: number | undefined
  /** The age from which entries of event logs are archived, and the folder; by default they stay. */
  readonly eventArchives?: { readonly days: number; readonly folder: string } | undefined
  /** The resources that a thread may use to read another tool's file; 512 MiB and a minute by default. */
  readonly readerLimits?: ReaderLimits | undefined
  /** Quotas shared by all agents; by default none. */
  readonly quotas?: Quotas | undefined
  /** The origin at which people reach the service, if there is one. */
  readonly publicUrl?: string | undefined
  /** How long sessions of browsers last; 12 hours without use and 30 days by default. */
  readonly sessionLife?: SessionLife | undefined
  /** Minutes during which a text written by another agent is not overwritten unseen over MCP; 15 by default. */
  readonly conflictMinutes?: number | undefined
  /** Minutes during which an identical call over MCP counts as a repetition of the first; 10 by default. */
  readonly repeatMinutes?: number | undefined
  /** The maximum number of characters of an answer over MCP; 20,000 by default. */
  readonly answerCharacters?: number | undefined
  /** The source of embeddings, and the limits of the knowledge graph. */
  readonly graph?: KnowledgeGraphSettings
  /** How webhooks are sent. */
  readonly webhooks?: WebhookSettings
  /** How the keys of issuers of CI tokens are obtained. */
  readonly ciIssuers?: CiIssuerSettings | undefined
  /** How people are notified. */
  readonly notifications?: NotificationSettings | undefined
  /** Where and how often the service backs itself up; by default never. */
  readonly backups?: BackupSettings | undefined
  /** Whether this process consolidates queued records and sends to webhooks; true by default. */
  readonly workers?: boolean
  /** The amount of stored data from which reads of whole boards run in threads, bytes; 16 MiB by default. */
  readonly readBesideFrom?: number | undefined
  /** Makes the OpenAPI document of some operations, for get_kg_openapi. */
  readonly openApi?: Environment['openApi']
  /** How long a node may be silent before the others on its database take over its work, ms; 30 s by default. */
  readonly leaseMs?: number | undefined
  /** The address on which this process listens; by default none. */
  readonly listensAt?: { readonly host: string; readonly port: number } | undefined
  readonly clock?: () => number
  /** Called for each call once it is answered or refused. */
  readonly onPerformed?: ((call: PerformedCall) => void) | undefined
  /** Called with failures that no caller learns of: after an answer, in the background, and in the cleanup at start. */
  readonly onFault?: (error: unknown) => void
  /** Called once for each problem with the files of the data folder (trust 5). */
  readonly onProblem?: (problem: string) => void
  /** Called when something begins to be wrong with the service, and when it is over (access 13). */
  readonly onCondition?: (problem: string, isOver: boolean) => void
  /** Called when a webhook begins to fail, and when it works again (work 6). */
  readonly onWebhook?: ((webhook: WebhookState) => void) | undefined
  /** Called for each migration that ran on existing data, with what it decided for that data. */
  readonly onMigration?: (name: string, note: string | undefined) => void
  /** Called when the files of the database were lost and everything is closed: the process can only exit (trust 5). */
  readonly onLoss?: (loss: StorageLoss) => void
}

const defaults = {
  pinned: {},
  attachmentMaxBytes: 10_485_760,
  importMaxBytes: 2 * 2 ** 30,
  reportCasesDays: 30,
  readerLimits: usualReaderLimits,
  quotas: { boardsPerAgent: 0, attachmentBytes: 0 },
  sessionLife: defaultSessionLife,
  conflictMinutes: 15,
  repeatMinutes: 10,
  answerCharacters: 20_000,
  graph: {},
  webhooks: {},
  ciIssuers: {},
  notifications: {},
  workers: true,
  readBesideFrom: 16 << 20,
  openApi: (): never => {
    throw new Error('The service was opened without the option openApi.')
  },
  listensAt: { host: '', port: 0 },
  clock: () => Date.now(),
  onFault: () => {},
  onProblem: () => {},
  onCondition: () => {},
  onWebhook: () => {},
  onMigration: () => {},
  onLoss: () => {},
} satisfies Partial<ServiceOptions>

type DefaultedOption = keyof typeof defaults

/** The options, with defaults for what was not given. */
export type SettledOptions = Omit<ServiceOptions, DefaultedOption> & {
  readonly [Name in DefaultedOption]: NonNullable<ServiceOptions[Name]>
}

export const withDefaults = (options: ServiceOptions): SettledOptions => {
  const explicit = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  return { ...defaults, ...(explicit as ServiceOptions) } as SettledOptions
}
