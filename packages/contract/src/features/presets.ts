/** Permission presets (access 10). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { Id, PermissionFlags, paging, Timestamp } from '../shared.ts'

export const Preset = z
  .object({
    id: Id,
    owner_id: Id.nullable(),
    name: z.string(),
    description: z.string(),
    is_builtin: z.boolean(),
    base_preset_id: Id.nullable(),
    flags: PermissionFlags,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Preset' })

const PresetName = z.string().min(1).max(100)

export const PresetCreate = z
  .object({
    name: PresetName,
    description: z.string().default(''),
    flags: PermissionFlags.default({}).describe('absent names are false, state limits true'),
  })
  .meta({ id: 'PresetCreate' })

export const PresetClone = z
  .object({
    name: PresetName,
    description: z.string().default('').describe("empty: the source's"),
    flags: PermissionFlags.default({}).describe("replace the source's"),
  })
  .meta({ id: 'PresetClone' })

export const PresetUpdate = z
  .object({
    name: PresetName.nullable().exactOptional(),
    description: z.string().nullable().exactOptional(),
    flags: PermissionFlags.nullable().exactOptional().describe('replaces the whole map'),
  })
  .meta({ id: 'PresetUpdate' })

const params = { preset_id: Id }
const keywords = ['role', 'permissions', 'rights']

const list_presets = operation({
  name: 'list_presets',
  method: 'GET',
  path: '/api/v1/presets',
  permission: 'PRESETS_READ',
  title: 'List presets',
  description: 'List the permission presets that you see.',
  query: paging,
  list: Preset,
  errors: [],
  keywords,
})

const create_preset = operation({
  name: 'create_preset',
  method: 'POST',
  path: '/api/v1/presets',
  permission: 'PRESETS_CREATE',
  changesAccess: true,
  title: 'Create preset',
  description: 'Create a permission preset within your own rights.',
  body: PresetCreate,
  response: Preset,
  status: 201,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const clone_preset = operation({
  name: 'clone_preset',
  method: 'POST',
  path: '/api/v1/presets/{preset_id}/clone',
  permission: 'PRESETS_CREATE',
  changesAccess: true,
  title: 'Clone preset',
  description: 'Copy a preset into a custom one.',
  params,
  body: PresetClone,
  response: Preset,
  status: 201,
  errors: ['VALIDATION_ERROR'],
  keywords: [...keywords, 'copy', 'derive'],
})

const update_preset = operation({
  name: 'update_preset',
  method: 'PUT',
  path: '/api/v1/presets/{preset_id}',
  permission: 'PRESETS_UPDATE',
  changesAccess: true,
  title: 'Update preset',
  description: 'Change a custom preset; counts at once for every agent with it.',
  params,
  body: PresetUpdate,
  response: Preset,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

const delete_preset = operation({
  name: 'delete_preset',
  method: 'DELETE',
  path: '/api/v1/presets/{preset_id}',
  permission: 'PRESETS_DELETE',
  changesAccess: true,
  title: 'Delete preset',
  description: 'Delete a custom preset that no agent has.',
  params,
  errors: ['PRESET_IN_USE'],
  keywords,
})

export const presets = { list_presets, create_preset, clone_preset, update_preset, delete_preset } as const
