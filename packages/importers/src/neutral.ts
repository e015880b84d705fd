/**
 * The output of all readers (exchange 2): records in the shape of a board archive, with the source's ids instead of
 * this service's. The writer in the domain imports them.
 */
import {
  ImportFormat as AnyFormat,
  type BugSeverity,
  type CardPriority,
  type CardStatus,
  type CardType,
  type Conclusion,
  type IdeationStatus,
  type ImportReport,
  type SpecDecision,
  type SpecStatus,
  type TestScenario,
} from '@specboard/contract'
import type { z } from 'zod'
import type { KnownRecords } from './identity.ts'

/** The formats that are read here; the domain reads archives. */
export const importFormats = AnyFormat.exclude(['specboard']).options

export type ImportFormat = (typeof importFormats)[number]

/** The encoding of a text (imports 1). */
export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252'

/** A file of a source. */
export interface Entry {
  /** The path in the zip or below the folder, with `/`; null for a single file. */
  readonly name: string | null
  /** Null for a file that is not text. */
  readonly text: string | null
  /** By default UTF-8. */
  readonly encoding?: Encoding
  /** The content of a file that is not text. */
  readonly bytes?: Uint8Array
}

/** What is read: the files of a zip or folder (no folders), or one single file. */
export interface Source {
  /** The name of the file or folder; used as the board name if nothing inside has one. */
  readonly filename: string | null
  readonly entries: readonly Entry[]
}

export interface ReadOptions {
  /** Name of the new board, instead of the source's. */
  readonly name?: string
  /** JSON or `status.Erledigt=done,column.Titel=title`: the meaning of words, columns and dates (imports 4). */
  readonly mapping?: string
  /** Read orchestration records too (`beads`). */
  readonly all?: boolean
  /** Whether an order that the source does not state is inferred (`spec-kit`); by default true. */
  readonly inferred_order?: boolean
  /** The records of an earlier import into the board; by default none. */
  readonly known?: KnownRecords
  /** How many scenarios may be linked to a card (`spec-kit`); by default the limit of a new board. */
  readonly max_scenarios_per_card?: number
}

/** A place in the source; lines count from 1. */
export interface SourcePlace {
  readonly entry: string | null
  readonly line: number | null
}

/**
 * The common fields of all records. `id` is the external id: unique within a reading, across types, and the same in
 * every reading of the source. Records refer to one another by it.
 */
interface SourceFields {
  readonly id: string
  readonly place: SourcePlace
  /** ISO 8601 UTC with milliseconds; null if the source has none, which means the time of the import. */
  readonly created_at: string | null
}

interface AuthoredFields extends SourceFields {
  /** Null means the time of creation. */
  readonly updated_at: string | null
  /** The author's name as the source spells it; null if the format has none, which means the caller. */
  readonly created_by: string | null
}

export interface NeutralGuideline extends AuthoredFields {
  readonly type: 'guideline'
  readonly title: string
  readonly content: string
}

export interface NeutralIdeation extends AuthoredFields {
  readonly type: 'ideation'
  readonly title: string
  readonly status: z.output<typeof IdeationStatus>
  readonly archived: boolean
  readonly description: string | null
  readonly problem_statement: string | null
  readonly proposed_approach: string | null
  readonly assignee_id: string | null
  readonly labels: readonly string[]
}

export interface NeutralSpec extends AuthoredFields {
  readonly type: 'spec'
  readonly title: string
  /** The ideation that it was derived from. */
  readonly ideation_id: string | null
  readonly status: z.output<typeof SpecStatus>
  readonly archived: boolean
  readonly description: string | null
  readonly context: string | null
  readonly assignee_id: string | null
  readonly labels: readonly string[]
  readonly functional_requirements: readonly string[]
  readonly acceptance_criteria: readonly string[]
  /** `linked_task_ids` are external ids of cards, whose `test_scenario_ids` name the scenario in turn. */
  readonly test_scenarios: readonly z.output<typeof TestScenario>[]
  readonly decisions: readonly z.output<typeof SpecDecision>[]
}

/** A conclusion of a card; its author is a name as in `created_by`. */
export type NeutralConclusion = Omit<z.output<typeof Conclusion>, 'author_id' | 'created_at' | 'validation_id'> & {
  readonly author: string | null
  readonly created_at: string | null
}

export interface NeutralCard extends AuthoredFields {
  readonly type: 'card'
  readonly spec_id: string
  readonly title: string
  readonly status: z.output<typeof CardStatus>
  readonly priority: z.output<typeof CardPriority>
  readonly card_type: z.output<typeof CardType>
  /** Of a bug. */
  readonly severity: z.output<typeof BugSeverity> | null
  readonly archived: boolean
  readonly description: string | null
  readonly details: string | null
  /** The time of its last status change, such as closing; null means the time of its last change. */
  readonly moved_at: string | null
  readonly assignee_id: string | null
  readonly due_date: string | null
  readonly labels: readonly string[]
  readonly test_scenario_ids: readonly string[]
  readonly conclusions: readonly NeutralConclusion[]
}

export interface NeutralKnowledge extends AuthoredFields {
  readonly type: 'knowledge'
  readonly owner_type: 'spec' | 'card'
  readonly owner_id: string
  readonly title: string
  readonly content: string
  readonly mime_type: string
}

export interface NeutralComment extends AuthoredFields {
  readonly type: 'comment'
  readonly card_id: string
  readonly content: string
}

/** The card `card_id` waits for the card `depends_on_id`. */
export interface NeutralDependency extends SourceFields {
  readonly type: 'dependency'
  readonly card_id: string
  readonly depends_on_id: string
}

export type NeutralRecord =
  | NeutralGuideline
  | NeutralIdeation
  | NeutralSpec
  | NeutralCard
  | NeutralKnowledge
  | NeutralComment
  | NeutralDependency

export type NeutralType = NeutralRecord['type']

/**
 * - `skipped`: not imported. If `kind` is set, the record was read but is not among the records
 * - `not_read`: not understood: no record, although the source has content there (imports 1)
 * - `changed`: imported with changes, such as a title that was cut
 * - `note`: imported to another place, or by a rule worth knowing
 */
export type Severity = 'skipped' | 'not_read' | 'changed' | 'note'

export interface Problem extends SourcePlace {
  /** The kind of record in this service's terms, after mapping; null if it is not about a record. */
  readonly kind: NeutralType | null
  /** The record's external id. */
  readonly id: string | null
  readonly reason: string
  readonly severity: Severity
}

/** A word of the source, and its interpretation. */
export type MappedWord = z.output<typeof ImportReport>['mapped_words'][number]

/** Something that was inferred, and how often. */
export type Inference = z.output<typeof ImportReport>['inferred'][number]

/** The content of a source. */
export interface SourceContent {
  readonly board: { readonly name: string }
  /**
   * In the order of an archive (guideline, ideation, spec, card, knowledge, comment, dependency), within a type as
   * read. Every reference is to a record of the reading; dependencies have no cycles. Every field is within its limit.
   */
  readonly records: readonly NeutralRecord[]
  /** In the order in which they were found. */
  readonly problems: readonly Problem[]
  readonly mapped_words: readonly MappedWord[]
  readonly inferred: readonly Inference[]
}

/** The source cannot be read: 400 `VALIDATION_ERROR` with the place, and nothing is written. */
export class Unreadable extends Error implements SourcePlace {
  override readonly name = 'Unreadable'
  readonly entry: string | null
  readonly line: number | null

  constructor(message: string, place: SourcePlace = { entry: null, line: null }) {
    super(message)
    this.entry = place.entry
    this.line = place.line
  }
}

/** A possible interpretation of an ambiguous source. */
export interface AmbiguousFit {
  readonly format: ImportFormat
  readonly at: string | null
  readonly verdict: 'sure' | 'possible'
  readonly reason: string
}

/** Several interpretations are possible, or none is certain: 400 `AMBIGUOUS_SOURCE` (imports 2). */
export class Ambiguous extends Error {
  override readonly name = 'Ambiguous'
  readonly fits: readonly AmbiguousFit[]

  constructor(message: string, fits: readonly AmbiguousFit[]) {
    super(message)
    this.fits = fits
  }
}
