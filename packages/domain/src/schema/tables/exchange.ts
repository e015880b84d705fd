/** Imported records, and imports that run. */
import { anyId, flag, id, json, nullable, ofBoard, oneOf, text, whole } from '../columns.ts'
import type { ImportWrite } from '../contents.ts'
import { type RowOf, table } from '../table.ts'
import type { PrincipalKind } from './shared.ts'

/** The name of a board's record in the file that it was imported from; unique per board and source (exchange 1). */
export const externalIds = table({
  name: 'external_ids',
  key: ['board_id', 'source', 'external_id'],
  archived: 'external_id',
  removed: 'in pieces',
  columns: {
    board_id: ofBoard,
    source: text,
    external_id: text,
    /** The kind of record, as archives name it. */
    entity_type: text,
    entity_id: anyId,
    /** A digest of the last imported value of each field that a later import may change. */
    imported: json<Record<string, string>>(),
    imported_at: text,
    created_at: text,
  },
})
export type ExternalIdsTable = RowOf<typeof externalIds>

/** Authors of imported records who are not agents here: shown as `external:<name>`, exported unchanged. */
export const externalAuthors = table({
  name: 'external_authors',
  key: ['board_id', 'author'],
  removed: 'in pieces',
  columns: {
    board_id: ofBoard,
    /** The value in the columns of records. */
    author: text,
    /** As in the file. */
    agent_id: text,
    /** Null if the file contains only an id. */
    name: nullable(text),
    /** The kind that the file claims; an export repeats it (people 1.5). */
    kind: nullable(oneOf<PrincipalKind>()),
  },
})

/** Decisions about imported names: the agent they were merged into, or that they are kept apart (people 1.6). */
export const importedNames = table({
  name: 'imported_names',
  key: ['board_id', 'name'],
  removed: 'in pieces',
  columns: {
    board_id: ofBoard,
    /** The name as it appears in records. */
    name: text,
    /** An agent, or another name; null where it is kept apart. */
    merged_into: nullable(text),
    decided_by: text,
    decided_at: text,
  },
})
export type ImportedNamesTable = RowOf<typeof importedNames>

/** Unfinished imports: a board that nobody sees yet, or records that the graph has yet to read. */
export const imports = table({
  name: 'imports',
  removed: 'at once',
  columns: {
    id: text,
    board_id: ofBoard,
    /** Whether everything is written. Until then a new board belongs to nobody. */
    written: flag,
    started_at: text,
    /** For an import into an existing board: whether its writes are being gathered or put in place. */
    staged: nullable(oneOf<'gathering' | 'placing'>()),
    /** The node that imports. */
    node_id: nullable(text),
  },
})

/** Writes of an import that are made together. */
export const importWrites = table({
  name: 'import_writes',
  key: ['import_id', 'at'],
  columns: {
    import_id: id('imports'),
    at: whole,
    writes: json<readonly ImportWrite[]>(),
  },
})

/** The records that an import touches. Nodes of the previous version write it; it is dropped in the next version. */
export const importTouched = table({
  name: 'import_touched',
  key: ['import_id', 'at'],
  columns: {
    import_id: id('imports'),
    at: whole,
    ids: json<string[]>(),
  },
})

/** The nodes that have closed the board of an import; like `import_touched`. */
export const importGates = table({
  name: 'import_gates',
  key: ['import_id', 'node_id'],
  stays: true,
  columns: {
    import_id: id('imports'),
    node_id: id('nodes'),
  },
})
