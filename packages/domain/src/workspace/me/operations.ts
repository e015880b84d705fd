import { builtinPresets, type features, permissionNames } from '@specboard/contract'
import { Access, kindOf } from '../../kernel/access/access.ts'
import { type Base, builtinFlags } from '../../kernel/access/base.ts'
import type { Context } from '../../kernel/context.ts'
import type { Implementation } from '../../kernel/implement.ts'

type Me = typeof features.me

/** get_my_permissions (access 11). */
export const getMyPermissions: Implementation<Me['get_my_permissions']> = async ({ query }, ctx) => {
  const { caller } = ctx
  const access =
    query.board_id === undefined ? new Access(caller.base, null) : (await ctx.reach('board', query.board_id)).access
  return {
    agent_id: caller.id,
    agent_name: caller.name,
    board_id: query.board_id ?? null,
    preset_id: caller.presetId,
    preset_name: await presetName(ctx),
    customized: Object.keys(caller.flags ?? {}).length > 0,
    access: access.way === null ? null : kindOf(access.way),
    share_permission: access.way?.share ?? null,
    flags: access.flags(),
  }
}

/** The name of the caller's preset, or of the built-in one with the same permissions if it has none. */
async function presetName({ db, caller }: Context): Promise<string | null> {
  if (caller.presetId === null) return builtinPresets.find(builtin => allowsTheSame(caller.base, builtin))?.name ?? null
  const preset = await db.selectFrom('presets').select('name').where('id', '=', caller.presetId).executeTakeFirst()
  return preset?.name ?? null
}

function allowsTheSame({ allowed }: Base, builtin: (typeof builtinPresets)[number]): boolean {
  const flags = builtinFlags(builtin)
  return permissionNames.every(name => allowed.has(name) === flags[name])
}
