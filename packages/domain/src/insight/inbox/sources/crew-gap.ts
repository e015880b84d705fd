import { operationByName, type Permission } from '@specboard/contract'
import { sql } from 'kysely'
import { awaitsValidation } from '../../../delivery/cards/list/ready.ts'
import type { Access } from '../../../kernel/access/access.ts'
import { presetsHolding } from '../../../kernel/access/holders.ts'
import type { Context } from '../../../kernel/context.ts'
import { requiredPermissions } from '../../../kernel/service/required-permissions.ts'
import { hot } from '../../../schema/hot.ts'
import { type Found, mayCall, type Settling } from '../rules.ts'
import { foundColumns, idsOf, onBoards, type Source } from '../source.ts'
import { handOverSteps } from './hand-overs.ts'
import { membersOn } from './keepers.ts'
import { callFor, recordsOf, settlingOf } from './steps.ts'

/** Records that wait for a call, and what permissions it is judged by. */
interface Needed {
  readonly find: (ctx: Context, boards: string) => Promise<readonly Found[]>
  readonly call: (ctx: Context, found: Found) => Promise<Settling | null>
}

const ofSteps: readonly Needed[] = handOverSteps.map(step => {
  const records = recordsOf(step)
  return {
    find: (ctx, boards) => records(ctx.db, { boards }),
    call: async (ctx, found) => {
      const next = await callFor(ctx, step, found)
      return next === null ? null : settlingOf(step, next)
    },
  }
})

const judged = (about: 'spec' | 'sprint' | 'ideation', status: string, settling: Omit<Settling, 'status'>): Needed => {
  const records = recordsOf({ about, status })
  return { find: (ctx, boards) => records(ctx.db, { boards }), call: async () => ({ ...settling, status }) }
}

const cardsToValidate = hot<{ boards: string }, Found>(
  (_, param) =>
    sql<Found>`select ${foundColumns('c', { source: 'c.id', record: 'c.id', since: sql`c.moved_at` })} from cards c
      where ${onBoards('c', param('boards'))} and c.archived = 0 and ${awaitsValidation}`,
)

const startable = hot<{ boards: string }, Found>(
  (_, param) =>
    sql<Found>`select ${foundColumns('c', { source: 'c.id', record: 'c.id', since: sql`c.created_at` })} from cards c
      where ${onBoards('c', param('boards'))} and c.archived = 0 and c.status = 'not_started'
        and c.spec_id in (select s.id from specs s
          where ${onBoards('s', param('boards'))} and s.status = 'in_progress') limit 200`,
)

const needs: readonly Needed[] = [
  ...ofSteps,
  judged('spec', 'review', { operation: 'move_spec', body: { status: 'approved' } }),
  judged('spec', 'validated', { operation: 'submit_spec_evaluation' }),
  judged('sprint', 'review', { operation: 'submit_sprint_evaluation' }),
  judged('ideation', 'evaluating', { operation: 'evaluate_ideation' }),
  {
    find: (ctx, boards) => cardsToValidate(ctx.db, { boards }),
    call: async () => ({ operation: 'submit_task_validation', status: 'validation' }),
  },
  { find: (ctx, boards) => startable(ctx.db, { boards }), call: async () => ({ operation: 'claim_card' }) },
]

/** A permission that records of a board wait for and nobody but its owner has. */
interface Gap {
  readonly board: string
  readonly permission: Permission
  records: number
  oldest: string
}

const permissionsFor = ({ operation: name, status, body }: Settling) =>
  requiredPermissions(
    operationByName.get(name)!,
    { params: {}, query: {}, body },
    status === undefined ? null : { status, archived: false },
  )

/** The permission of a call that no agent of a board but its owner has; undefined where somebody may make the call. */
async function missingOn(ctx: Context, board: string, settling: Settling): Promise<Permission | undefined> {
  const crew = (await membersOn(ctx, board)).filter(({ isOwner }) => !isOwner)
  if (crew.some(({ access }) => mayCall(access, settling))) return undefined
  const asked = permissionsFor(settling)
  return asked.find(name => !crew.some(({ access }) => access.allows(name))) ?? asked[0]
}

async function gapsOn(ctx: Context, boards: readonly Access[]): Promise<readonly Gap[]> {
  const owned = boards.filter(({ way }) => way?.owner)
  const gaps = new Map<string, Gap>()
  if (owned.length === 0) return []
  for (const { find, call } of needs)
    for (const found of await find(ctx, idsOf(owned))) {
      const settling = await call(ctx, found)
      const permission = settling === null ? undefined : await missingOn(ctx, found.board, settling)
      if (permission === undefined) continue
      const key = sourceOf(found.board, permission)
      const gap = gaps.get(key) ?? { board: found.board, permission, records: 0, oldest: found.since }
      gap.records++
      if (found.since < gap.oldest) gap.oldest = found.since
      gaps.set(key, gap)
    }
  return [...gaps.values()]
}

const sourceOf = (board: string, permission: Permission) => `${board}.${permission}`

const builtins = hot<{ is_builtin: 1 }, { id: string; name: string }>((db, param) =>
  db.selectFrom('presets').select(['id', 'name']).where('is_builtin', '=', param('is_builtin')),
)

/** What the owner of a board alone may do, though records wait for it (crew 4.3). */
export const crewGaps: Source = {
  kind: 'crew_gap',
  about: 'board',
  isOpen: access => access.way?.owner === true && mayCall(access, { operation: 'create_agent' }),
  find: async (ctx, boards) =>
    (await gapsOn(ctx, boards)).map(({ board, permission, oldest }) => ({
      source: sourceOf(board, permission),
      record: board,
      board,
      since: oldest,
    })),
  show: async (ctx, page, on) => {
    const gaps = await gapsOn(ctx, [...new Set(page.map(({ board }) => board))].map(on))
    const presets = new Map((await builtins(ctx.db, { is_builtin: 1 })).map(({ id, name }) => [name, id]))
    return new Map(
      gaps.map(({ board, permission, records, oldest }) => {
        const fitting = presetsHolding(permission)
        return [
          sourceOf(board, permission),
          {
            actor_id: null,
            data: { permission, records, oldest, presets: fitting },
            operation: 'create_agent' as const,
            arguments: { preset_id: presets.get(fitting[0] ?? '') ?? null, board_ids: [board] },
          },
        ]
      }),
    )
  },
}
