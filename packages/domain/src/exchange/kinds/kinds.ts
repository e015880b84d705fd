import { BoardSettings, EventEntity } from '@specboard/contract'
import { z } from 'zod'
import { boards } from '../../schema/tables/access.ts'
import { externalIds } from '../../schema/tables/exchange.ts'
import { graphActions } from '../../schema/tables/graph.ts'
import { guidelines } from '../../schema/tables/planning-parts.ts'
import { savedSearches, templates } from '../../schema/tables/search.ts'
import { events } from '../../schema/tables/service.ts'
import { author, column, columnsOf, object, texts, titled } from './columns.ts'
import { attachment, card, comment, dependency, taskValidation } from './delivery.ts'
import { architecture } from './designs.ts'
import { doneTier, proofRun, scenarioResult, testReport, waiver } from './evidence.ts'
import { change, changeAuthor, changeLink, repository } from './git.ts'
import { type Kind, kind } from './kind.ts'
import { ideation, knowledge, question, refinement, snapshot, spec, specValidation, sprint } from './planning.ts'

export { type Kind, type RecordType, recordTypes } from './kind.ts'

const { id, nullableId, text, nullableText, whole, nullableWhole, count, ordinal, rev, nullableRev, time } = column

export const board = kind(boards, {
  columns: {
    id,
    key: z.string().regex(/^[A-Z][A-Z0-9]{1,9}$/),
    name: z.string().min(1).max(255),
    description: text,
    settings: BoardSettings.partial(),
    last_number: count,
    created_at: time,
    updated_at: time,
  },
})

export const guideline = kind(guidelines, {
  columns: {
    id,
    title: titled,
    content: text,
    tags: texts.nullable(),
    scope: z.enum(['global', 'inline']),
    owner_id: author,
    version: count,
    rev,
    priority: whole,
    created_at: time,
    updated_at: time,
  },
})

const savedSearch = kind(savedSearches, {
  together: [['query', 'intent_id', 'filters_json']],
  columns: {
    id,
    name: z.string().min(1).max(200),
    query: nullableText,
    intent_id: nullableText,
    filters_json: object.nullable(),
    created_by: author,
    created_at: time,
  },
})

const template = kind(templates, {
  columns: {
    id,
    entity_type: z.enum(['card', 'spec']),
    name: z.string().min(1).max(100),
    content: object,
    created_by: author,
    created_at: time,
    updated_at: time,
  },
})

/** What agents did to the derived graph: a node is identified by its kind and its record and item. */
export const graphAction = kind(graphActions, {
  columns: {
    id,
    action: z.enum(['boost', 'undo']),
    node_type: nullableText,
    record_ref: text,
    actor_id: author,
    created_at: time,
  },
})

/** The part of an entry of the event log that is in the history of its record. */
export const history = kind(events, {
  columns: {
    id,
    sequence: ordinal,
    entity_type: z.enum(['ideation', 'refinement', 'spec', 'sprint']),
    entity_id: id,
    action: text,
    changes: z.array(z.looseObject({ field: z.string() })).nullable(),
    summary: nullableText,
    version: nullableWhole,
    rev: nullableRev,
    actor_id: author,
    actor_name: text,
    created_at: time,
  },
})

/** An event log entry, without the part in the history of its record. */
export const event = columnsOf(events, {
  id,
  sequence: ordinal,
  entity_type: EventEntity,
  entity_id: id,
  action: nullableText,
  card_id: nullableId,
  actor_id: author,
  actor_name: text,
  details: object.nullable(),
  changes: z.array(z.looseObject({ field: z.string() })).nullable(),
  domain: z.array(z.looseObject({ name: z.string() })).nullable(),
  rev: nullableRev,
  created_at: time,
})

/** The name of a board's record in the file of another tool that it came from. */
export const externalId = kind(externalIds, {
  columns: {
    source: z.string().refine(source => source !== 'specboard', 'ids of this source are not in archives'),
    external_id: text,
    entity_type: z.enum(['guideline', 'ideation', 'spec', 'card', 'knowledge', 'comment', 'dependency']),
    entity_id: id,
    imported: z.record(z.string(), z.string()),
    created_at: time,
  },
})

/** The kinds whose records are rows of one table each, in the order of an archive. */
const kinds: readonly Kind[] = [
  board,
  guideline,
  ideation,
  refinement,
  spec,
  sprint,
  card,
  question,
  knowledge,
  comment,
  attachment,
  architecture,
  snapshot,
  specValidation,
  taskValidation,
  dependency,
  savedSearch,
  template,
  graphAction,
  history,
  externalId,
  repository,
  change,
  changeLink,
  changeAuthor,
  testReport,
  proofRun,
  scenarioResult,
  waiver,
  doneTier,
]

export const kindOf: ReadonlyMap<string, Kind> = new Map(kinds.map(kind => [kind.type, kind]))
