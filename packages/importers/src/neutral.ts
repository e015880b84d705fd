/**
 * What the readers of all formats give (exchange 2): records in the shape of a board archive's, with the source's ids
 * in the place of this service's. The writer of the domain takes them.
 */
import type {
  CardPriority,
  CardStatus,
  Conclusion,
  InPieces,
  SpecDecision,
  SpecStatus,
  TestScenario,
} from '@specboard/contract'
import type { z } from 'zod'

/** The formats that are read here; archives are read by the domain. */
export const importFormats = ['beads', 'backlog-md', 'task-master', 'spec-kit', 'csv'] as const

export type ImportFormat = (typeof importFormats)[number]

/** A file of a source. */
export interface Entry {
  /** As spelt in the zip, or below the folder, with `/`; null for a bare file. */
  readonly name: string | null
  /** Null for a file that is not UTF-8 text. */
  readonly text: string | null
}

/** What is read: the files of a zip or folder (no folders), or one bare file. */
export interface Source {
  /** The name of the file or folder; names the board where nothing inside does. */
  readonly filename: string | null
  readonly entries: readonly Entry[]
}

export interface ReadOptions {
  /** Name of the new board, instead of the source's. */
  readonly name?: string
  /** JSON text: column → field (`csv`). */
  readonly mapping?: string
  /** Read orchestration records too (`beads`). */
  readonly all?: boolean
  /** How many scenarios may be linked to a card (`spec-kit`); by default as many as on a new board. */
  readonly max_scenarios_per_card?: number
}

/** Where something stands in the source; lines count from 1. */
export interface Place {
  readonly entry: string | null
  readonly line: number | null
}

/**
 * What all records share. `id` is the external id: unique within a reading, over all types, and the same in every
 * reading of the source. Other records are named by it.
 */
interface Sourced {
  readonly id: string
  readonly place: Place
  /** ISO 8601 UTC with milliseconds; null where the source has none, which means the time of the import. */
  readonly created_at: string | null
}

interface Authored extends Sourced {
  /** Null means the time of creation. */
  readonly updated_at: string | null
  /** The author's name as the source spells it; null where the format names none, which means the caller. */
  readonly created_by: string | null
}

export interface NeutralGuideline extends Authored {
  readonly type: 'guideline'
  readonly title: string
  readonly content: string
}

export interface NeutralSpec extends Authored {
  readonly type: 'spec'
  readonly title: string
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

export interface NeutralCard extends Authored {
  readonly type: 'card'
  readonly spec_id: string
  readonly title: string
  readonly status: z.output<typeof CardStatus>
  readonly priority: z.output<typeof CardPriority>
  readonly archived: boolean
  readonly description: string | null
  readonly details: string | null
  readonly assignee_id: string | null
  readonly due_date: string | null
  readonly labels: readonly string[]
  readonly test_scenario_ids: readonly string[]
  readonly conclusions: readonly NeutralConclusion[]
}

export interface NeutralKnowledge extends Authored {
  readonly type: 'knowledge'
  readonly owner_type: 'spec' | 'card'
  readonly owner_id: string
  readonly title: string
  readonly content: string
  readonly mime_type: string
}

export interface NeutralComment extends Authored {
  readonly type: 'comment'
  readonly card_id: string
  readonly content: string
}

/** The card `card_id` waits for the card `depends_on_id`. */
export interface NeutralDependency extends Sourced {
  readonly type: 'dependency'
  readonly card_id: string
  readonly depends_on_id: string
}

export type NeutralRecord =
  | NeutralGuideline
  | NeutralSpec
  | NeutralCard
  | NeutralKnowledge
  | NeutralComment
  | NeutralDependency

export type NeutralType = NeutralRecord['type']

/**
 * - `skipped`: not taken over. With a kind it is a record that was read and is not among the records
 * - `changed`: taken over otherwise than it is written, such as a title that was cut
 * - `note`: taken over in another place, or by a rule worth knowing
 */
export type Severity = 'skipped' | 'changed' | 'note'

export interface Problem extends Place {
  /** The kind of record in this service's words, after mapping; null where it is about no record. */
  readonly kind: NeutralType | null
  /** The record's external id. */
  readonly id: string | null
  readonly reason: string
  readonly severity: Severity
}

/** What a source holds. */
export interface Reading {
  readonly board: { readonly name: string }
  /**
   * In the order of an archive (guideline, spec, card, knowledge, comment, dependency), within a type as read.
   * Every reference names a record of the reading; dependencies close no circle. Every field is within its limit.
   */
  readonly records: readonly NeutralRecord[]
  /** In the order of the source's files. */
  readonly problems: readonly Problem[]
}

/**
 * Reads a format. It yields after each file, line or row, so that a caller on the main thread can give others a turn;
 * one JSON or YAML file is parsed at once.
 * @throws Unreadable
 */
export type Reader = (source: Source, options: ReadOptions) => InPieces<Reading>

/** The source cannot be read: 400 `VALIDATION_ERROR` with the place, and nothing is written. */
export class Unreadable extends Error implements Place {
  override readonly name = 'Unreadable'
  readonly entry: string | null
  readonly line: number | null

  constructor(message: string, place: Place = { entry: null, line: null }) {
    super(message)
    this.entry = place.entry
    this.line = place.line
  }
}
