import { builtinPresets, type features, permissionNames } from '@specboard/contract'
import { Access, type BoardReach, kindOf } from '../../kernel/access/access.ts'
import { type Base, builtinFlags } from '../../kernel/access/base.ts'
import { manages } from '../../kernel/access/managed.ts'
import { reachByType } from '../../kernel/access/records.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { baseOf, pipelinePreset, readAgent } from '../agents/store.ts'

type Me = typeof features.me

/** The principal whose permissions are requested. */
type Subject = Pick<Caller, 'id' | 'name' | 'kind' | 'presetId' | 'flags' | 'base'>

/** get_my_permissions (access 11). */
export const getMyPermissions: Implementation<Me['get_my_permissions']> = async ({ query }, ctx) => {
  const subject = await subjectOf(ctx, query.agent_id ?? ctx.caller.id)
  const access = new Access(subject.base, await wayTo(ctx, subject, query.board_id))
  return {
    agent_id: subject.id,
    agent_name: subject.name,
    board_id: query.board_id ?? null,
    preset_id: subject.presetId,
    preset_name: await presetName(ctx.db, subject),
    customized: Object.keys(subject.flags ?? {}).length > 0,
    access: access.way === null ? null : kindOf(access.way),
    share_permission: access.way?.share ?? null,
    flags: access.flags(),
    denied_by: access.way === null ? null : access.denied(),
  }
}

/**
 * The caller, or an agent that it manages and may change (board 6).
 * @throws DomainError NOT_FOUND for any other agent
 */
async function subjectOf({ db, caller, access }: Context, id: string): Promise<Subject> {
  if (id === caller.id) return caller
  if (!access.allows('AGENTS_UPDATE') || !(await manages(db, caller.id, id))) throw notFound('agent', id)
  const agent = await readAgent(db, id)
  const { name, kind, preset_id, permission_flags } = agent
  return { id, name, kind, presetId: preset_id, flags: parseNullable(permission_flags), base: await baseOf(db, agent) }
}

/**
 * How the agent reaches a board that the caller sees.
 * @throws DomainError NOT_FOUND when one of them does not see it
 */
async function wayTo(ctx: Context, subject: Subject, boardId: string | undefined): Promise<BoardReach | null> {
  if (boardId === undefined) return null
  const { access } = await ctx.reach('board', boardId)
  return subject.id === ctx.caller.id ? access.way : (await reachByType(ctx.db, 'board', boardId, subject.id)).way
}

/** The name of an agent's preset, or of the built-in one with the same permissions if it has none (evidence 6.1). */
async function presetName(db: Db, { kind, presetId, base }: Subject): Promise<string | null> {
  if (kind === 'ci') return pipelinePreset
  if (presetId === null) return builtinPresets.find(builtin => allowsTheSame(base, builtin))?.name ?? null
  const preset = await db.selectFrom('presets').select('name').where('id', '=', presetId).executeTakeFirst()
  return preset?.name ?? null
}

function allowsTheSame({ allowed }: Base, builtin: (typeof builtinPresets)[number]): boolean {
  const flags = builtinFlags(builtin)
  return permissionNames.every(name => allowed.has(name) === flags[name])
}
