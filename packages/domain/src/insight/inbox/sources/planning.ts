import type { OperationName, Permission } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ApprovalSetting, Approvals } from '../../../kernel/approval-settings.ts'
import type { Context } from '../../../kernel/context.ts'
import { firstRefusal } from '../../../kernel/gates.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { couldApprove } from '../../../planning/review/approvals.ts'
import { workersOnSprint, writersOfSpec, writersSinceReview } from '../../../planning/review/participants.ts'
import { isSeparate, type Participation } from '../../../planning/review/rules.ts'
import { gatesOfSpec, readGateFacts } from '../../../planning/specs/gates.ts'
import { readSpec } from '../../../planning/specs/store.ts'
import { gatesOfSprint as judgeSprintGates, readGateFacts as readSprintFacts } from '../../../planning/sprints/gates.ts'
import { readSprint } from '../../../planning/sprints/store.ts'
import { hot } from '../../../schema/hot.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { Kind, WaitingItem } from '../rules.ts'
import {
  foundColumns,
  idsOf,
  inStatusSince,
  movedAtSequence,
  onBoards,
  recordOf,
  type Selection,
  type Source,
  sourcesOf,
  statusSetBy,
} from '../source.ts'

/** Records in a status in which somebody has to give a verdict. */
interface VerdictSource {
  readonly kind: Kind
  readonly about: 'ideation' | 'spec' | 'sprint'
  readonly table: 'ideations' | 'specs' | 'sprints'
  readonly read: Permission
  readonly status: string
  readonly operation: OperationName
  readonly body?: Readonly<Record<string, unknown>>
  /** The condition for records `r` that still need a verdict from the agent. */
  readonly awaits?: (agent: string) => RawBuilder<SqlBool>
  /** The setting that says who approves such a record (people 1.3). */
  readonly approval?: { readonly setting: ApprovalSetting; readonly work: typeof writersOfSpec }
  /** Whether the operation would accept the agent; called for each record found. */
  readonly passes?: (ctx: Context, found: Candidate) => Promise<boolean>
}

type Candidate = WaitingItem & { separate: 0 | 1; approval: Approvals[ApprovalSetting] | null }

const flagOf = (name: string) =>
  sql<SqlBool>`exists (select 1 from boards b where b.id = r.board_id and ${dialect.jsonFlag(sql.ref<string>('b.settings'), name)})`

const evaluation = (member: string) => dialect.jsonText(sql.ref<string>('made.value'), member)

/** The condition for records `r` without a valid evaluation by the agent. */
const notEvaluatedBy = (agent: string) =>
  sql<SqlBool>`(r.skip_qualitative_validation = 0 and not exists (
    select 1 from ${dialect.jsonElements(sql.ref('r.evaluations'))} made
    where ${evaluation('evaluator_id')} = ${agent} and not ${dialect.jsonFlag(sql.ref<string>('made.value'), 'stale')}))`

/** Whether the caller took no part in the work, if its board requires that (work 4). */
const isApart = async ({ caller }: Context, { separate }: Candidate, work: () => Promise<readonly Participation[]>) =>
  separate === 0 || isSeparate(await work(), caller.id)

const judged: readonly VerdictSource[] = [
  {
    kind: 'spec_review',
    about: 'spec',
    table: 'specs',
    read: 'SPECS_READ',
    status: 'review',
    operation: 'move_spec',
    body: { status: 'approved' },
    approval: { setting: 'approval_spec', work: writersSinceReview },
  },
  {
    kind: 'spec_validation',
    about: 'spec',
    table: 'specs',
    read: 'SPECS_READ',
    status: 'approved',
    operation: 'submit_spec_validation',
    approval: { setting: 'approval_spec_validation', work: writersOfSpec },
    awaits: () => flagOf('require_spec_validation'),
    passes: async (ctx, found) =>
      (await isApart(ctx, found, () => writersOfSpec(ctx.db, recordOf(found)))) &&
      firstRefusal(gatesOfSpec(await readGateFacts(ctx.db, await readSpec(ctx.db, found.record)), ['coverage'])) ===
        null,
  },
  {
    kind: 'spec_evaluation',
    about: 'spec',
    table: 'specs',
    read: 'SPECS_READ',
    status: 'validated',
    operation: 'submit_spec_evaluation',
    awaits: notEvaluatedBy,
    passes: async (ctx, found) =>
      firstRefusal(gatesOfSpec(await readGateFacts(ctx.db, await readSpec(ctx.db, found.record)), ['evaluation'])) !==
      null,
  },
  {
    kind: 'sprint_evaluation',
    about: 'sprint',
    table: 'sprints',
    read: 'SPRINTS_READ',
    status: 'review',
    operation: 'submit_sprint_evaluation',
    awaits: notEvaluatedBy,
    passes: async (ctx, found) =>
      (await isApart(ctx, found, () => workersOnSprint(ctx.db, recordOf(found)))) &&
      firstRefusal(
        judgeSprintGates(await readSprintFacts(ctx.db, await readSprint(ctx.db, found.record)), ['evaluation']),
      ) !== null,
  },
  {
    kind: 'ideation_evaluation',
    about: 'ideation',
    table: 'ideations',
    read: 'IDEATIONS_READ',
    status: 'evaluating',
    operation: 'evaluate_ideation',
    awaits: () => sql<SqlBool>`not exists (select 1 from events made
      where made.entity_id = r.id and ${sameBoard('made', 'r')} and made.seq > ${movedAtSequence('r')} and made.history_action = 'complexity_evaluated')`,
  },
]

/** The value of a setting of the board of records `r`. */
const settingOf = (name: string) =>
  sql`(select ${dialect.jsonText(sql.ref<string>('b.settings'), name)} from boards b where b.id = r.board_id)`

function judgedIn({
  kind,
  about,
  table,
  read,
  status,
  operation,
  body,
  awaits,
  approval,
  passes,
}: VerdictSource): Source {
  const open = hot<{ boards: string; agent: string }, Candidate>(
    (_, param) =>
      sql<Candidate>`select ${foundColumns('r', { source: 'r.id', record: 'r.id', since: inStatusSince('r') })},
          ${flagOf('require_separate_reviewer')} as separate,
          ${approval === undefined ? sql`null` : settingOf(approval.setting)} as approval
        from ${sql.table(table)} r
        where ${onBoards('r', param('boards'))} and r.status = ${sql.lit(status)} and r.archived = 0
          and ${awaits?.(param('agent')) ?? sql`true`}`,
  )
  const makers = hot<Selection, { id: string; maker: string }>(
    (_, param) =>
      sql<{ id: string; maker: string }>`select r.id, ${statusSetBy('r')} as maker from ${sql.table(table)} r
        where ${dialect.inList(sql.ref('r.id'), param('ids'))}`,
  )
  return {
    kind,
    about,
    isOpen: access => access.allows(read) && mayCall(access, { operation, status, ...(body && { body }) }),
    find: async (ctx, boards) => {
      const found = await open(ctx.db, { boards: idsOf(boards), agent: ctx.caller.id })
      if (passes === undefined && approval === undefined) return found
      const approvable: WaitingItem[] = []
      for (const candidate of found)
        if ((await isApprovable(ctx, candidate, approval)) && (passes === undefined || (await passes(ctx, candidate))))
          approvable.push(candidate)
      return approvable
    },
    show: async (ctx, page) => {
      const rows = await makers(ctx.db, sourcesOf(page))
      return new Map(
        rows.map(({ id, maker }) => [
          id,
          { actor_id: maker, data: null, operation, arguments: { [`${about}_id`]: id, ...body } },
        ]),
      )
    },
  }
}

/** Whether the caller could approve a record; persons count even if they are not present yet (people 1.3). */
const isApprovable = async ({ db, caller }: Context, found: Candidate, approval: VerdictSource['approval']) =>
  approval === undefined || couldApprove(found.approval ?? 'anyone', caller, () => approval.work(db, recordOf(found)))

/** Ideations, specs and sprints that wait for a verdict (ideation 6, specs 6, 7, planning 1.7). */
export const toJudge: readonly Source[] = judged.map(judgedIn)
