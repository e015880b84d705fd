import type { AnyOperation, features, Permission } from '@specboard/contract'
import type { StorageCondition, StoreAddress } from '@specboard/storage'
import type { z } from 'zod'
import type { StoredCiRun } from '../schema/contents.ts'
import type { Db, ReadWrite } from '../schema/database.ts'
import type { ActorVia, Origin, PrincipalKind } from '../schema/tables.ts'
import { Access, type BoardReach } from './access/access.ts'
import type { Base } from './access/base.ts'
import { waysOf } from './access/boards.ts'
import { type Address, type AddressedRecord, type RecordType, reachByType } from './access/records.ts'
import type { AgentSlots } from './agent-slots.ts'
import type { BoardGates } from './board-gates.ts'
import { notFound } from './errors.ts'
import { appendEvent, confirmedByClient, type Entry, type RecordedEvent } from './events.ts'
import type { Leases } from './leases.ts'
import type { RuntimeSettings } from './runtime-settings.ts'
import type { SecretKey } from './secret-key.ts'
import type { WorkerSigns } from './worker-signs.ts'

/** The resources that a thread may use for the file that it reads. */
export interface ReaderLimits {
  /** Its heap limit, MiB. */
  readonly heapMb: number
  /** The time limit for reading a file of the given size in bytes, ms. */
  readonly msFor: (bytes: number) => number
}

/** A session of a browser. */
export interface BrowserSession {
  /** The hash of its id. */
  readonly hash: string
  /** How often its agent had been disabled when the session began. */
  readonly generation: number
  /** The session's agent, where the session does not depend on a key. */
  readonly agentId?: string | undefined
  /** Whether it began with a credential that only a person has, rather than with a key (people). */
  readonly present: boolean
}

/** The credential that proves the caller's identity for as long as it is valid. */
export interface Proof {
  /** The hash of the key that was sent, or that the session or ticket was signed with; empty without one. */
  readonly keyHash: string
  /** The session, where a browser sent the two halves of a session instead of a key. */
  readonly session?: BrowserSession
}

/** The CI run that a session acts for, and the board it may act on (evidence 6.2). */
export interface CiCall {
  readonly boardId: string
  /** The agent whose access to the board the session uses. */
  readonly ownerId: string
  readonly repositoryId: string
  readonly run: StoredCiRun
}

/** The principal that a call is made as. */
export interface Caller {
  readonly id: string
  readonly name: string
  /** Its kind (people 1.1). */
  readonly kind: PrincipalKind
  /** The channel through which it came. */
  readonly via: ActorVia
  /** Whether it is a person in a session that the person began: this satisfies gates that require a person (people). */
  readonly present: boolean
  readonly presetId: string | null
  /** The agent's own flags as stored: only those that differ from its preset. */
  readonly flags: Readonly<Record<string, boolean>> | null
  readonly base: Base
  /** Verified anew with each read and unit of work; undefined for what the service does itself. */
  readonly proof?: Proof | undefined
  /** Set only for the session of a CI run. */
  readonly ci?: CiCall | undefined
}

/** The agent whose access to boards a caller uses: itself, except for the session of a CI run. */
export const seenBy = ({ id, ci }: Pick<Caller, 'id' | 'ci'>): string => ci?.ownerId ?? id

/** The caller that a browser's session identifies: present only if it is the person who began the session. */
export const inSession = (caller: Caller, keyHash: string, session: BrowserSession): Caller => ({
  ...caller,
  via: 'session',
  present: session.present && caller.kind === 'person',
  proof: { keyHash, session },
})

/** The author of an entry: id, name, kind, and channel. */
const actorOf = ({ id, name, kind, via }: Pick<Caller, 'id' | 'name' | 'kind' | 'via'>) => ({
  actorId: id,
  actorName: name,
  actorType: kind,
  actorVia: via,
})

/** An OpenAPI document. */
export type OpenApiDocument = z.output<(typeof features)['knowledge-graph']['get_kg_openapi']['response']>

/** The parts of a unit of work that a joining write needs. */
export interface Unit {
  readonly now: string
  readonly newId: () => string
}

/** How a call came in. */
export interface Entrance {
  /** The origin of the call. */
  readonly origin: Origin
  /** The one board that the call may see; by default every board that the caller sees. */
  readonly within?: string | undefined
  /** Whether the person at the client was asked and agreed (people 4). */
  readonly isConfirmed?: boolean | undefined
}

/** Quotas shared by all agents; 0 means no limit (trust 1). */
export interface Quotas {
  /** Boards that one agent may own. */
  readonly boardsPerAgent: number
  /** Total size of all attachments, bytes. */
  readonly attachmentBytes: number
}

/** A process of the service. */
export interface Node {
  readonly id: string
  /** The address on which it listens; empty and 0 if it does not listen. */
  readonly host: string
  readonly port: number
  /** When the process started, ms. */
  readonly startedAt: number
}

/** A call that wrote something, with its answer. */
export interface WrittenCall {
  readonly operation: string
  readonly params: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly answer: unknown
}

/** The progress of an import (exchange 1). */
export interface ImportProgress {
  readonly import_id: string
  readonly filename: string
  readonly phase: 'reading' | 'writing'
  readonly done: number
  readonly total: number
}

/**
 * The environment of the service: time, ids, the data folder, the settings in effect. Tests supply their own. A part
 * that runs in the background adds itself by declaration merging (`graph/environment.ts`).
 */
export interface Environment {
  /** The current time, ms. */
  readonly clock: () => number
  readonly newId: () => string
  readonly folder: string
  /** The running version, `info.version` of /openapi.json. */
  readonly version: string
  readonly settings: RuntimeSettings
  /** Observations of workers, in addition to what is stored (harness 6). */
  readonly workerSigns: WorkerSigns
  /** This process, among the nodes of the service. */
  readonly node: Node
  /** The leases on everything that this process works on exclusively. */
  readonly leases: Leases
  /** Runs a small operation; returns the unexpected error, if any (walls 2). */
  readonly selfTest: () => Promise<unknown>
  /** The address of the database, for threads that read it. */
  readonly address: StoreAddress
  /** The database that the service runs on, and its size. */
  readonly database: () => {
    readonly engine: string
    readonly size_bytes: number
    readonly ignored_announcements: number
    readonly replica: ReplicaReport | null
  }
  /** Maximum size of an attachment, bytes. */
  readonly attachmentMaxBytes: number
  /** The slots of board exports: each runs in a thread of its own. */
  readonly exports: AgentSlots
  /** The slots for reading and storing test reports (evidence 2). */
  readonly reports: AgentSlots
  /** Maximum size of an imported archive, bytes. */
  readonly importMaxBytes: number
  /** The resources that a thread may use to read another tool's file. */
  readonly readerLimits: ReaderLimits
  readonly quotas: Quotas
  /** The origin at which people reach the service; undefined if it gives out no links (people 7.4). */
  readonly publicUrl: string | undefined
  /** How long browser sessions last, ms: without use, and from their beginning (people 2.4). */
  readonly sessionLife: { readonly idleMs: number; readonly maxMs: number }
  /**
   * Minutes during which a text written by another agent is not overwritten unseen over MCP; 0 turns this off (crew
   * 2.3).
   */
  readonly conflictMinutes: number
  /** Minutes during which an identical call over MCP counts as a repetition of the first; 0 turns this off (crew 3). */
  readonly repeatMinutes: number
  /** The maximum number of characters of an answer over MCP (crew 1.7). */
  readonly answerCharacters: number
  /** The condition of the database's files. */
  readonly storage: StorageCondition
  /** Holds back the calls of a board while it is changed in several units of work. */
  readonly gates: BoardGates
  /** Encrypts the secrets that are stored. */
  readonly secretKey: SecretKey
  /** Called with errors that cannot be reported to any caller. */
  readonly onFault: (error: unknown) => void
  /** Called for every entry of the event log, in its own transaction. */
  readonly onEntry: (db: Db, unit: Unit, entry: RecordedEvent) => Promise<void>
  /** Called for each call that wrote something, in the same transaction. */
  readonly onTexts: (ctx: Context, call: WrittenCall) => Promise<void>
  /** Called with the progress of an agent's import. */
  readonly onImport: (agentId: string, progress: ImportProgress) => void
  /**
   * Makes the OpenAPI document of some operations. An adapter supplies it, because the domain does not depend on HTTP.
   */
  readonly openApi: (operations: readonly AnyOperation[]) => OpenApiDocument
}

const lastTime = { ms: Number.NaN, text: '' }

/** A time as text, cached: calls of one group mostly share it, and formatting takes as long as a small query. */
function timeOf(ms: number): string {
  if (ms !== lastTime.ms) Object.assign(lastTime, { ms, text: new Date(ms).toISOString() })
  return lastTime.text
}

type AfterCommit = (database: ReadWrite) => void | Promise<void>

/** What a unit of work has recorded, and what to do once it is durable. */
interface WriteLog {
  readonly recorded: RecordedEvent[]
  readonly afterCommit: AfterCommit[]
}

/** The state of the replica that reads go to. */
interface ReplicaReport {
  readonly used: boolean
  readonly lag_bytes: number | null
  readonly problem: string | null
}

/**
 * The context of an implementation: the database of its unit of work, the caller and its permissions, the records
 * that the path addresses, time and ids, and the event log.
 */
export class Context {
  readonly db: Db
  readonly caller: Caller
  /** What the caller may do on the addressed board; if the path addresses no board, what its base alone allows. */
  readonly access: Access
  /** Every record of the path, by parameter name. */
  readonly records: Readonly<Record<string, AddressedRecord>>
  /** Entries recorded so far. */
  readonly recorded: RecordedEvent[]
  /** Actions to run once the write is durable; if one fails, nothing is undone. */
  readonly afterCommit: AfterCommit[]
  /** Writes to run after a read and before its answer, each a unit of work of its own. */
  readonly following: ((ctx: Context) => Promise<void>)[] = []
  /** Warnings for the caller, although the call was not refused; shown over MCP. */
  readonly warnings: string[] = []
  readonly environment: Environment
  /** The origin of the call. */
  readonly origin: Origin
  readonly #target: AddressedRecord | null
  /** The one board that the call may see; by default every board that the caller sees. */
  readonly within: string | undefined
  /**
   * Whether the person at the client was asked and agreed (people 4): noted in the entries, but no proof of identity.
   */
  readonly isConfirmed: boolean
  #now: string | undefined

  constructor(
    db: Db,
    caller: Caller,
    address: Address,
    environment: Environment,
    { origin, within, isConfirmed }: Entrance,
    { recorded, afterCommit }: WriteLog = { recorded: [], afterCommit: [] },
  ) {
    this.db = db
    this.caller = caller
    this.access = new Access(caller.base, address.way)
    this.records = address.records
    this.#target = address.target
    this.environment = environment
    this.origin = origin
    this.within = within
    this.isConfirmed = isConfirmed === true
    this.recorded = recorded
    this.afterCommit = afterCommit
  }

  /**
   * A context of the same caller in the same unit of work at another address, to check a call that nobody has made.
   * @throws DomainError NOT_FOUND when the address is outside the one board that the call may see
   */
  at(address: Address): Context {
    const { target, way } = address
    if (target !== null && way !== null && this.within !== undefined && way.boardId !== this.within)
      throw notFound(target.type, target.id)
    return new Context(this.db, this.caller, address, this.environment, this)
  }

  /** A context of another caller in the same unit of work: its records are added to those of this context. */
  as(caller: Caller, address: Address): Context {
    return new Context(this.db, caller, address, this.environment, this, this)
  }

  /** The record that the operation is about. */
  get target(): AddressedRecord {
    if (this.#target === null) throw new Error('This operation addresses no record.')
    return this.#target
  }

  /** The addressed board's id. */
  get boardId(): string {
    return this.target.board_id
  }

  /** The time of this call, the same for all of its writes. */
  now(): string {
    this.#now ??= timeOf(this.environment.clock())
    return this.#now
  }

  /** A new id; later ones sort after earlier ones. */
  newId(): string {
    return this.environment.newId()
  }

  /**
   * Refuses a caller that lacks one of the permissions; for rules that depend on the stored record.
   * @throws DomainError FORBIDDEN
   */
  require(...names: readonly Permission[]): void {
    this.access.require(names)
  }

  /** Appends an entry to the event log of a board, and calls `onEntry` in the same transaction. */
  async record(entry: Entry): Promise<void> {
    const authorship = { id: this.newId(), ...actorOf(this.caller), createdAt: this.now() }
    const recorded = await appendEvent(this.db, this.isConfirmed ? confirmedEntry(entry) : entry, authorship)
    this.recorded.push(recorded)
    await this.environment.onEntry(this.db, { now: this.now(), newId: this.environment.newId }, recorded)
  }

  /** How the caller reaches each board that it sees, by board id; only the one board for a call confined to one. */
  async ways(): Promise<BoardReach[]> {
    const ways = await waysOf(this.db, seenBy(this.caller))
    return this.within === undefined ? ways : ways.filter(({ boardId }) => boardId === this.within)
  }

  /**
   * The caller's access to each board where it has the permission, ordered by board id; for lists across boards
   * (access 2.2).
   */
  async boardsAllowing(permission: Permission): Promise<Access[]> {
    const ways = await this.ways()
    return ways.map(way => new Access(this.caller.base, way)).filter(access => access.allows(permission))
  }

  /**
   * A record that a query or body names, with the caller's access to its board.
   * @throws DomainError NOT_FOUND when it does not exist or is not visible
   */
  async reach(type: RecordType, id: string): Promise<{ readonly record: AddressedRecord; readonly access: Access }> {
    const { record, way } = await reachByType(this.db, type, id, seenBy(this.caller))
    if (this.within !== undefined && record.board_id !== this.within) throw notFound(type, id)
    return { record, access: new Access(this.caller.base, way) }
  }
}

/** The entry, marked as confirmed by the person at the client. */
const confirmedEntry = (entry: Entry): Entry =>
  entry.activity === undefined
    ? entry
    : { ...entry, activity: { ...entry.activity, details: { ...entry.activity.details, ...confirmedByClient } } }
