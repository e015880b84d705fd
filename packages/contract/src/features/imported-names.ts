/** Imported names in the records of a board that belong to nobody in this service (people 1.6). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { Id, PrincipalKind, paging, Timestamp } from '../shared.ts'

const Somebody = z
  .object({ id: z.string(), name: z.string(), kind: PrincipalKind.nullable() })
  .meta({ id: 'NamedSomebody' })

export const ImportedName = z
  .object({
    id: z.string().describe('as stored in records'),
    name: z.string(),
    assigned: z.int().min(0).describe('records'),
    authored: z.int().min(0).describe('records and parts'),
    merged_into: Somebody.nullable(),
    kept_apart: z.boolean(),
    twins: z.array(Somebody).describe('of the same name, to choose from'),
    decided_by: Id.nullable(),
    decided_at: Timestamp.nullable(),
  })
  .meta({ id: 'ImportedName' })

/** The id of an imported name that belongs to nobody here, or of an agent. */
const nameId = z.string().min(1).max(500)

const ImportedNamePut = z
  .object({
    id: nameId,
    merged_into: nameId.nullable().default(null).describe('id of an agent or another name'),
    kept_apart: z.boolean().default(false),
  })
  .meta({ id: 'ImportedNamePut' })

const params = { board_id: Id }
const keywords = ['external', 'author', 'assignee', 'duplicate', 'twin', 'alias', 'people']

export const list_imported_names = operation({
  name: 'list_imported_names',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/imported-names',
  permission: 'AGENTS_READ',
  reads: 'board',
  extension: true,
  title: 'List imported names',
  description: 'List the names in records that are not agents.',
  params,
  query: paging,
  list: ImportedName,
  errors: [],
  keywords,
})

export const put_imported_name = operation({
  name: 'put_imported_name',
  method: 'PUT',
  path: '/api/v1/boards/{board_id}/imported-names',
  permission: 'BOARDS_UPDATE',
  extension: true,
  title: 'Put imported name',
  description: 'Merge an imported name into an agent or name, keep it apart, or undo.',
  params,
  body: ImportedNamePut,
  response: ImportedName,
  errors: ['VALIDATION_ERROR'],
  keywords,
})
