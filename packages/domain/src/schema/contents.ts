/** The contents of JSON columns for which the contract has no schema. */
import type {
  ArchitectureDesign,
  ArchitectureDiagram,
  CardKnowledge,
  EvidenceTier,
  KgDeadLetter,
  Permission,
  ReportFormat,
  TierReason,
} from '@specboard/contract'
import type { z } from 'zod'

/** The flags of a preset, agent or grant, by permission name. */
export type Flags = Readonly<Partial<Record<Permission, boolean>>>

/** A changed field, with its old and new value. */
export interface Change {
  readonly field: string
  readonly old?: unknown
  readonly new?: unknown
  readonly [extra: string]: unknown
}

/** A domain event, for the knowledge graph and live streams. */
export interface DomainEvent {
  readonly name: string
  readonly [member: string]: unknown
}

/** The result of a call: the status of the record that it addressed, and for a card its current validation round. */
export interface Result {
  readonly status: string
  readonly stay: number | null
}

/** An answer that is stored for replay. */
export interface KeptAnswer {
  readonly status: number
  readonly body: unknown
  /** What must still be true for it to be replayed; absent if it always may be. */
  readonly result?: Result | undefined
}

/** What a message says about an item of the inbox (people 5.4). */
export interface ShownArrival {
  /** The record that it is about; messages about the same record are grouped. */
  readonly record: string
  readonly ref: string | null
  readonly title: string
  readonly actor: string | null
}

/** The refusals with one code, of an agent on a board within one minute. */
export type RefusalCount = readonly [minute: number, agentId: string, boardId: string, code: string, count: number]

/** What a session has already been notified of, so that it is notified only once (harness 3.2). */
export interface SessionMemory {
  /** Ids of news, and of other one-time messages. */
  readonly told?: readonly string[]
  /** When it was last notified of an edit in a path that another agent works on, by path and claim. */
  readonly edits?: Readonly<Record<string, string>>
  /** The cards whose claims were bound to it. */
  readonly cards?: readonly string[]
}

/** Knowledge as stored in its card; entries without a number are numbered by position (crew 8.2). */
export type StoredKnowledge = Omit<z.output<typeof CardKnowledge>, 'ref'> & { readonly number?: number }

/** A replaced secret of a webhook, encrypted like the current one. */
export interface FormerSecret {
  secret: string
  /** When it stops signing. */
  until: string
  /** For a repository: who was shown it. */
  seen_by?: string | null
}

/** A diagram as stored; its payload is a row of its own with the id `adapter_payload_ref`. */
export type Diagram = Omit<z.output<typeof ArchitectureDiagram>, 'adapter_payload'>

/** The content of a design's version: everything that a write can change. */
export type DesignVersion = Omit<
  z.output<typeof ArchitectureDesign>,
  | 'id'
  | 'ref'
  | 'board_id'
  | 'parent_type'
  | 'parent_id'
  | 'diagrams'
  | 'version'
  | 'rev'
  | 'versions'
  | 'created_by'
  | 'created_at'
  | 'updated_at'
> & { readonly diagrams: Diagram[] }

/** A failed attempt to consolidate a record, as dead letters list it (knowledge-graph 4.7). */
export type Attempt = z.output<typeof KgDeadLetter>['errors'][number]

type Columns = Readonly<Record<string, unknown>>

/** One change that an import makes, as data: it may wait in the database until all of them are known (exchange 1). */
export type ImportWrite =
  | { readonly kind: 'insert'; readonly table: string; readonly row: Columns }
  | { readonly kind: 'update'; readonly table: string; readonly id: string; readonly row: Columns }
  /** Knowledge of a card is stored in the card. */
  | { readonly kind: 'card knowledge'; readonly row: Columns }
  /** An entry of an archive's event log. */
  | { readonly kind: 'log entry'; readonly row: Columns }
  /** The entry in the event log for a record from another tool, or for one that an import changed. */
  | {
      readonly kind: 'imported'
      readonly owner: { readonly type: string; readonly id: string }
      readonly changes?: readonly Change[]
      readonly details: Columns
      readonly by: { readonly id: string; readonly name: string }
    }
  /** An existing design, with the changes to its parts. */
  | {
      readonly kind: 'design'
      readonly id: string
      readonly row: Columns
      /** The diagrams whose content is replaced or removed. */
      readonly replaced: readonly Diagram[]
      /** The refs of the payloads to remove. */
      readonly dropped: readonly string[]
      readonly payloads: readonly Columns[]
      readonly versions: readonly Columns[]
      readonly formerPayloads: readonly Columns[]
    }
  /** The writes of one record: all of them are made, or none. */
  | { readonly kind: 'together'; readonly writes: readonly ImportWrite[] }
  /** What is known from a record's last import. */
  | { readonly kind: 'known'; readonly source: string; readonly externalId: string; readonly imported: string }

/** What only a commit, a branch or a pull request has (git); absent members are not known yet. */
export interface ChangeContent {
  readonly body?: string | null
  readonly tree?: string | null
  readonly parents?: readonly string[] | null
  readonly paths?: readonly string[] | null
  readonly authored_at?: string | null
  readonly committed_at?: string | null
  readonly merged_at?: string | null
  readonly rewritten_as?: string | null
  readonly merged_as?: string | null
  readonly co_authors?: readonly { readonly name: string | null; readonly email: string }[]
  /** Of a pull request. */
  readonly draft?: boolean
  readonly target_branch?: string | null
  readonly merged_by?: string | null
  /** Each reviewer's verdict, and its time. */
  readonly reviews?: Readonly<
    Record<string, { readonly decision: 'approved' | 'changes_requested' | 'none'; readonly at: string }>
  >
  readonly queued?: boolean
  readonly commits?: number | null
  /** When it last changed, according to the forge. */
  readonly told_at?: string
  /** Of a branch. */
  readonly head?: string | null
  readonly gap?: boolean
  readonly last_push_at?: string | null
  /** Whether it ever contained something that the default branch did not: only then can it be merged. */
  readonly ahead?: boolean
}

/** A file of a test report, as it was read. */
export interface ReportFile {
  readonly name: string
  readonly format: z.output<typeof ReportFormat>
  /** Bytes, unpacked. */
  readonly size: number
  readonly sha256: string
  readonly cases: number
}

/** The results of a scenario's tests in a report. */
export interface ReportScenario {
  readonly tests: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly flaky: boolean
  readonly cases: readonly string[]
  /** The patterns that matched at least one test. */
  readonly matched: readonly string[]
  readonly failure: string | null
  readonly file: string | null
  readonly name: string | null
}

/** What an imported report or run was in the service that it came from. */
export interface EvidenceOrigin {
  readonly tier: z.output<typeof EvidenceTier>
  readonly tier_reason: z.output<typeof TierReason>
  /** The service that it came from. */
  readonly service: string | null
}

/** What a proof run was begun for. */
export interface ProofTargets {
  readonly records: readonly { readonly type: 'card' | 'spec'; readonly id: string }[]
  readonly scenarios: readonly { readonly spec_id: string; readonly scenario_id: string }[]
}

/** The CI tokens that a repository accepts (evidence 6.2). */
export interface StoredCiTrust {
  readonly issuer: string
  readonly audience: string
  readonly subject: string
  readonly trusted_refs: readonly string[]
  readonly trusted_workflows: readonly string[]
  readonly trusted_events: readonly string[]
  readonly environments: readonly string[]
  /** The issuer's number for the repository, pinned with the first accepted token. */
  readonly pinned_id: string | null
  readonly set_by: string
  readonly set_at: string
  /** Whether a present person set it: otherwise an agent could vouch for itself with it (evidence 1, rule 3). */
  readonly set_present: boolean
}

/** What the token of a CI run said about the run. */
export interface StoredCiRun {
  readonly commit: string
  readonly ref: string
  readonly event: string
  readonly ci_run: string
  readonly attempt: number
  /** Why the run is not trusted; null if it is. */
  readonly reason: 'ref_not_trusted' | 'event_not_trusted' | null
  /** The number of the pull request that it tests. */
  readonly pull_request: number | null
  /** Who set the trust, unless a present person did. */
  readonly seen_by: string | null
}
