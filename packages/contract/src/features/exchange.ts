/** Export and import of whole boards (exchange 1). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { checkedByImplementation, type PermissionRule } from '../permission-rules.ts'
import type { Permission } from '../permissions.ts'
import { BoardKey, Id, Name } from '../shared.ts'

/** The formats that import_board reads, described in exchange 2. */
export const ImportFormat = z.enum([
  'specboard',
  'beads',
  'backlog-md',
  'task-master',
  'spec-kit',
  'csv',
  'openspec',
  'vibe-kanban',
])

/** Something in a file that was not imported unchanged. */
export const ImportProblem = z
  .object({
    entry: z.string().nullable().describe('file in the zip; null for a bare file'),
    line: z.int().min(1).nullable(),
    kind: z.string().nullable().describe('kind of record'),
    id: z.string().nullable().describe('as the file names it'),
    reason: z.string(),
    severity: z.enum(['skipped', 'changed', 'note']),
  })
  .meta({ id: 'ImportProblem' })

/** A word of the source, and its interpretation (imports 4). */
const MappedWord = z
  .object({
    field: z.enum(['status', 'priority', 'type', 'severity']),
    word: z.string(),
    value: z.string(),
    count: z.int().min(1),
    by: z.enum(['table', 'mapping', 'default']).describe('default: not known'),
  })
  .meta({ id: 'MappedWord' })

/** Something of a source that could not be understood (imports 1). */
const NotRead = z
  .object({ entry: z.string().nullable(), line: z.int().min(1).nullable(), reason: z.string() })
  .meta({ id: 'NotRead' })

const Inference = z.object({ what: z.string(), count: z.int().min(1) }).meta({ id: 'Inference' })

const Sums = z
  .object({
    read: z.int().min(0),
    created: z.int().min(0),
    changed: z.int().min(0),
    unchanged: z.int().min(0),
    skipped: z.int().min(0),
    not_read: z.int().min(0),
  })
  .meta({ id: 'ImportSums', description: 'over all kinds' })

const counts = z.record(z.string(), z.int().min(0)).meta({ examples: [{ spec: 2, card: 14 }] })

/** What an import read and did, by kind of record. */
export const ImportReport = z
  .object({
    import_id: Id,
    board_id: Id.nullable(),
    key: BoardKey.nullable(),
    format: ImportFormat,
    dry_run: z.boolean(),
    read: counts,
    created: counts,
    updated: counts,
    unchanged: counts,
    skipped: counts,
    sums: Sums,
    skipped_reasons: counts.describe('records and files'),
    not_read: z.array(NotRead).describe('the first 1,000'),
    not_read_total: z.int().min(0),
    inferred: z.array(Inference),
    mapped_words: z.array(MappedWord),
    problems: z.array(ImportProblem).describe('the first 1,000'),
    problems_total: z.int().min(0),
    duration_ms: z.int().min(0),
  })
  .meta({ id: 'ImportReport' })

/** The permission to read each part of an archive, and the query value that excludes it (access 2.5). */
const readOf: readonly (readonly [Permission, ('attachments' | 'events')?])[] = [
  ['BOARDS_READ'],
  ['BOARDS_EXPORT'],
  ['AGENTS_READ'],
  ['REPOSITORIES_READ'],
  ['CHANGES_READ'],
  ['REPORTS_READ'],
  ['IDEATIONS_READ'],
  ['IDEATIONS_READ_HISTORY', 'events'],
  ['REFINEMENTS_READ'],
  ['REFINEMENTS_READ_HISTORY', 'events'],
  ['SPECS_READ'],
  ['SPECS_READ_HISTORY', 'events'],
  ['SPECS_READ_VALIDATIONS'],
  ['SPRINTS_READ'],
  ['SPRINTS_READ_HISTORY', 'events'],
  ['SPRINTS_READ_EVALUATIONS'],
  ['CARDS_READ'],
  ['CARDS_READ_ACTIVITY', 'events'],
  ['CARDS_READ_CONCLUSIONS'],
  ['CARDS_READ_VALIDATIONS'],
  ['COMMENTS_READ'],
  ['QA_READ'],
  ['KNOWLEDGE_READ'],
  ['ATTACHMENTS_READ', 'attachments'],
  ['ARCHITECTURE_READ'],
  ['GUIDELINES_READ'],
  ['DISCOVERY_READ'],
  ['KG_READ'],
]

/**
 * Exporting a board requires permission to read everything on it, so that an archive is never silently incomplete
 * (exchange 1).
 */
const readingAll: PermissionRule = {
  permissions: ({ query }) =>
    readOf.filter(([, part]) => part === undefined || query[part] === true).map(([permission]) => permission),
  guards: [
    { permission: 'BOARDS_EXPORT' },
    ...readOf
      .filter(([permission]) => permission !== 'BOARDS_EXPORT')
      .map(([permission, part]) => (part === undefined ? { permission } : { permission, part })),
  ],
}

const keywords = ['archive', 'backup', 'migrate', 'transfer', 'copy']

const export_board = operation({
  name: 'export_board',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/export',
  permission: 'BOARDS_EXPORT',
  extension: true,
  title: 'Export board',
  description: 'Download a whole board as an archive (zip).',
  params: { board_id: Id },
  query: { attachments: z.boolean().default(true), events: z.boolean().default(true) },
  kind: 'file',
  fileTypes: ['application/zip'],
  errors: ['FILE_MISSING', 'RATE_LIMITED'],
  asks: readingAll,
  keywords: [...keywords, 'download', 'dump', 'zip'],
})

const import_board = operation({
  name: 'import_board',
  method: 'POST',
  path: '/api/v1/boards/import',
  permission: 'BOARDS_IMPORT',
  changesAccess: true,
  extension: true,
  title: 'Import board',
  description: 'Import an archive or the file of another tool, into a new board or board_id.',
  query: {
    format: ImportFormat.optional().describe('default: told from the content'),
    dry_run: z.boolean().default(false),
    board_id: Id.optional(),
    name: Name.optional().describe('of the new board'),
    keep_ids: z.boolean().default(true).describe('specboard: ids, numbers, times as in the file'),
    mapping: z.string().max(10_000).optional().describe('JSON: column, status, priority, type, severity, date'),
    inferred_order: z.boolean().default(true).describe('spec-kit: order that the text implies'),
    all: z.boolean().default(false).describe('beads: orchestration records too'),
  },
  kind: 'upload',
  response: ImportReport,
  status: 201,
  otherStatus: 200,
  confirm: { beside: ['board_id', 'keep_ids'] },
  errors: [
    'VALIDATION_ERROR',
    'AMBIGUOUS_SOURCE',
    'NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
    'ID_TAKEN',
    'LIMIT_REACHED',
    'BUSY',
  ],
  // The board is in the query.
  asks: checkedByImplementation(
    { permission: 'BOARDS_IMPORT' },
    { permission: 'BOARDS_CREATE', part: 'without board_id' },
  ),
  keywords: [
    ...keywords,
    'upload',
    'restore',
    'beads',
    'backlog',
    'task master',
    'spec kit',
    'openspec',
    'vibe kanban',
    'csv',
    'jira',
    'linear',
  ],
})

export const exchange = { export_board, import_board } as const
