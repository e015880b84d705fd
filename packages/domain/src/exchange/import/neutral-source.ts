import { runCooperatively } from '@specboard/contract'
import {
  Ambiguous,
  type ImportFormat,
  importedSpec,
  type NeutralRecord,
  type SourceContent,
  Unreadable,
} from '@specboard/importers'
import type { read } from '@specboard/importers/reading'
import type { ReaderLimits } from '../../kernel/context.ts'
import { DomainError } from '../../kernel/errors.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { externally } from '../../lib/external-names.ts'
import { kindOf } from '../kinds/kinds.ts'
import { entriesIn } from './entries.ts'
import { knownRecords } from './known-records.ts'
import { readInThread } from './reader-threads.ts'
import type { UploadedFile } from './received.ts'
import { refused } from './refused.ts'
import type { ReadOptions, Source, SourceRecord } from './source.ts'

/** A file of another tool. */
export type OtherFile = Pick<UploadedFile, 'path' | 'filename' | 'isZip'> & {
  /** The total size of its files, bytes. */
  readonly unpackedBytes: number
}

/** Reads a small file; the readers are loaded when the first file is read. */
async function readHere(file: OtherFile, format: ImportFormat | undefined, options: Parameters<typeof read>[2]) {
  const { read } = await import('@specboard/importers/reading')
  return runCooperatively(
    read(format, { filename: file.filename, entries: await entriesIn(file) }, options),
    yieldToEventLoop,
  )
}

/**
 * Files up to this size are read in the thread that serves calls, bytes: starting a thread would take longer than
 * reading them.
 */
const smallFile = 64 << 10

/** The author and time to use where a file gives none, and the limits for reading it. */
export interface Defaults {
  readonly callerId: string
  readonly now: string
  readonly limits: ReaderLimits
}

/**
 * Reads the file of another tool (exchange 2): a small one in pieces, yielding to other calls in between, others in a
 * thread with limits of memory and time (walls 5).
 * @param format detected from the content if undefined
 * @throws DomainError VALIDATION_ERROR
 */
export async function neutralSource(
  file: OtherFile,
  format: ImportFormat | undefined,
  options: ReadOptions,
  defaults: Defaults,
): Promise<Source> {
  try {
    const { titles, ...others } = options
    const { path, filename, isZip } = file
    const readOptions = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
    const digests = [...titles]
    const reading =
      file.unpackedBytes > smallFile
        ? await readInThread(
            { file: { path, filename, isZip }, format, options: readOptions, digests },
            file.unpackedBytes,
            defaults.limits,
          )
        : await readHere(file, format, { ...readOptions, known: knownRecords(digests) })
    return sourceOf(reading, defaults)
  } catch (error) {
    if (error instanceof Ambiguous) throw new DomainError('AMBIGUOUS_SOURCE', error.message, { fits: error.fits })
    if (error instanceof Unreadable) throw refused(error.message, { entry: error.entry, line: error.line })
    throw error
  }
}

function sourceOf(reading: SourceContent & { readonly format: ImportFormat }, defaults: Defaults): Source {
  const { format, board, records, problems, mapped_words, inferred } = reading
  const incoming = records.map(record => incomingOf(record, defaults))
  return {
    format,
    board: { id: null, name: board.name },
    agents: new Map(records.flatMap(authorsOf).map(name => [externally + name, { name, kind: null }])),
    found: { problems, mapped_words, inferred },
    total: records.length,
    records: async function* () {
      yield* incoming
    },
    events: async function* () {},
    imported: place => incomingOf(importedSpec(place), defaults),
    attachment: () => undefined,
    close: async () => {},
  }
}

const authorsOf = (record: NeutralRecord): string[] =>
  [
    'created_by' in record ? record.created_by : null,
    ...(record.type === 'card' ? record.conclusions.map(({ author }) => author) : []),
  ].filter(name => name !== null)

/** Columns that the files of other tools do not have, by kind. */
const absent: Readonly<Record<NeutralRecord['type'], Readonly<Record<string, unknown>>>> = {
  guideline: { tags: null, scope: 'inline', version: 1, priority: 0 },
  ideation: { version: 1, screen_mockups: null, scope_assessment: null, complexity: null, pre_archive_status: null },
  spec: {
    version: 1,
    screen_mockups: null,
    pre_archive_status: null,
    refinement_id: null,
    technical_requirements: null,
    business_rules: null,
    api_contracts: null,
    skip_test_coverage: false,
    skip_rules_coverage: false,
    skip_trs_coverage: false,
    skip_contract_coverage: false,
    skip_decisions_coverage: false,
    skip_qualitative_validation: false,
    evaluations: [],
  },
  card: {
    position: null,
    sprint_id: null,
    screen_mockups: [],
    linked_test_task_ids: [],
    pre_archive_status: null,
  },
  knowledge: { description: null },
  comment: { comment_type: 'text', choices: null, responses: [], allow_free_text: false },
  dependency: {},
}

/** The author's column in kinds where it is not `created_by`. */
const authorColumn: Readonly<Partial<Record<NeutralRecord['type'], string>>> = {
  guideline: 'owner_id',
  comment: 'author_id',
}

/** A record of another tool in the shape of an archive's. */
function incomingOf(record: NeutralRecord, { callerId, now }: Defaults): SourceRecord {
  const { type, id, place, created_at, ...rest } = record
  const at = created_at ?? now
  const authorOf = (name: string | null) => (name === null ? callerId : externally + name)
  const { created_by, updated_at, ...own } = rest as typeof rest & {
    readonly created_by?: string | null
    readonly updated_at?: string | null
  }
  const author = authorOf(created_by ?? null)
  const conclusions =
    record.type === 'card'
      ? record.conclusions.map(({ author: by, created_at: when, ...conclusion }) => ({
          ...conclusion,
          author_id: authorOf(by),
          created_at: when ?? at,
        }))
      : undefined
  const fields = {
    ...absent[type],
    ...own,
    ...(conclusions !== undefined && { conclusions }),
    ...archivedOf(record),
    created_at: at,
    updated_at: updated_at ?? at,
    moved_at: ('moved_at' in record ? record.moved_at : null) ?? updated_at ?? at,
    moved_by: author,
    [authorColumn[type] ?? 'created_by']: author,
  }
  const fileFields = Object.keys(own).filter(name => Object.hasOwn(kindOf.get(type)!.columns, name))
  return { type, id, place, fields, fileFields }
}

/** An archived record keeps the status that it has in the file. */
const archivedOf = (record: NeutralRecord) =>
  'archived' in record && record.archived ? { pre_archive_status: record.status } : {}
