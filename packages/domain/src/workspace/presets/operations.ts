import { features, isStateLimit, type Permission, permissionNames } from '@specboard/contract'
import {
  checkedFlags,
  completePreset,
  expand,
  narrows,
  refuseEscalation,
  resolveBase,
  withGroups,
} from '../../kernel/access/base.ts'
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, DomainError } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { paged, window } from '../../kernel/page.ts'
import { parseJson, parseNullable, toJson } from '../../lib/json.ts'
import type { Flags } from '../../schema/contents.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import type { PresetsTable } from '../../schema/tables.ts'
import { agentsWith, flagsOf, presetOf, readPreset, type SeenPreset, visiblePresets } from './store.ts'

type Presets = typeof features.presets
type CompleteFlags = Record<Permission, boolean>

const listPresets: Implementation<Presets['list_presets']> = async ({ query }, ctx) => {
  const caller = ctx.caller.id
  const rows = await visiblePresets.rows(ctx.db, { caller, ...window(query) })
  return paged(rows, query, () => visiblePresets.count(ctx.db, caller), presetOf)
}

const createPreset: Implementation<Presets['create_preset']> = async ({ body }, ctx) => {
  const { name, description, flags } = body
  const map = judged(ctx, flags, completePreset(flags))
  return insertPreset(ctx, { name, description, base_preset_id: null }, map)
}

const clonePreset: Implementation<Presets['clone_preset']> = async ({ params, body }, ctx) => {
  const source = await readPreset(ctx.db, params.preset_id, ctx.caller.id)
  const copied = flagsOf(source)
  const deviating: Flags = expand(body.flags)
  const map = judged(
    ctx,
    body.flags,
    withGroups(name => deviating[name] ?? copied[name] === true),
  )
  const { name, description } = body
  const named = { name, description: description || source.description, base_preset_id: source.id }
  return insertPreset(ctx, named, map)
}

const updatePreset: Implementation<Presets['update_preset']> = async ({ params, body }, ctx) => {
  const before = await writablePreset(ctx, params.preset_id, 'PRESETS_UPDATE')
  const { name, description, flags } = body
  const updates: Partial<PresetsTable> = {
    ...(name != null && { name }),
    ...(description != null && { description }),
    ...(flags != null && { flags: toJson(judged(ctx, flags, completePreset(flags))) }),
  }
  const changed = Object.entries(updates).filter(([column, value]) => value !== before[column as keyof PresetsTable])
  if (changed.length === 0) return presetOf(before)
  if (updates.flags !== undefined) await judgeAgents(ctx, before, parseJson(updates.flags))
  const after = { ...before, ...updates, revision: before.revision + 1, updated_at: ctx.now() }
  const { id, revision, updated_at } = after
  await updateRow(ctx.db, 'presets', id, { ...updates, revision, updated_at })
  await recordAudit(
    ctx,
    'preset_updated',
    targetOf(after),
    changed.map(([field]) => field),
  )
  return presetOf(after)
}

const deletePreset: Implementation<Presets['delete_preset']> = async ({ params }, ctx) => {
  const preset = await writablePreset(ctx, params.preset_id, 'PRESETS_DELETE')
  const agents = await agentsWith(ctx.db, preset.id)
  if (agents.length > 0) {
    throw blocked('PRESET_IN_USE', 'Agents have this preset. Give them another one first.', {
      agents: agents.map(agent => agent.id),
    })
  }
  await ctx.db.deleteFrom('presets').where('id', '=', preset.id).execute()
  await recordAudit(ctx, 'preset_deleted', targetOf(preset), [])
}

async function insertPreset(
  ctx: Context,
  named: Pick<PresetsTable, 'name' | 'description' | 'base_preset_id'>,
  flags: CompleteFlags,
) {
  const now = ctx.now()
  const preset: PresetsTable = {
    id: ctx.newId(),
    owner_id: ctx.caller.id,
    ...named,
    is_builtin: 0,
    flags: toJson(flags),
    revision: 1,
    created_at: now,
    updated_at: now,
  }
  await insertRow(ctx.db, 'presets', preset)
  await recordAudit(ctx, 'preset_created', targetOf(preset), ['name', 'description', 'flags'])
  return presetOf(preset)
}

/**
 * A preset that the caller may write: its own, or that of an agent that it manages.
 * @throws DomainError FORBIDDEN with `reason` for a built-in preset and for one that the caller only uses
 */
async function writablePreset(ctx: Context, id: string, permission: Permission): Promise<SeenPreset> {
  const preset = await readPreset(ctx.db, id, ctx.caller.id)
  if (preset.writable === 1) return preset
  const reason = preset.is_builtin === 1 ? 'builtin_preset' : 'not_owner'
  const why = reason === 'builtin_preset' ? 'Built-in presets stay as they are' : 'The preset belongs to another agent'
  throw new DomainError('FORBIDDEN', `${why}: clone it, and change the clone.`, {
    permission,
    missing: [permission],
    denied_by: null,
    board_id: null,
    reason,
  })
}

/**
 * The complete map that results from the supplied flags, if the caller may give it.
 * @throws DomainError FORBIDDEN when the map has permissions that the caller's base lacks; VALIDATION_ERROR for an
 *   unknown name
 */
function judged(ctx: Context, supplied: Readonly<Record<string, boolean>>, map: CompleteFlags): CompleteFlags {
  refuseEscalation(new Set(permissionNames.filter(name => map[name] && !isStateLimit(name))), ctx.caller.base)
  checkedFlags('flags', supplied)
  return map
}

/**
 * Refuses a change that gives agents with the preset permissions that the caller lacks, including state limits.
 * Narrowing what they hold is always allowed (trust 2).
 * @throws DomainError FORBIDDEN
 */
async function judgeAgents(ctx: Context, before: PresetsTable, flags: Flags): Promise<void> {
  const stored = flagsOf(before)
  const agents = await agentsWith(ctx.db, before.id)
  // Most agents have no flags of their own, so one base represents them all.
  for (const permission_flags of new Set(agents.map(agent => agent.permission_flags))) {
    const own = parseNullable(permission_flags)
    const allowedBefore = resolveBase(stored, own).allowed
    const allowedAfter = resolveBase(flags, own).allowed
    if (!narrows(allowedBefore, allowedAfter)) refuseEscalation(allowedAfter, ctx.caller.base)
  }
}

const targetOf = ({ id, name }: Pick<PresetsTable, 'id' | 'name'>) => ({ type: 'preset', id, name }) as const

export const presetOperations = implement(features.presets, {
  list_presets: listPresets,
  create_preset: createPreset,
  clone_preset: clonePreset,
  update_preset: updatePreset,
  delete_preset: deletePreset,
})
