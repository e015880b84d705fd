/** A board at a glance: its counts and members (board 5). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { CommaList, countsBy, Id, PermissionName, PrincipalKind, paging, Ref, Timestamp } from '../shared.ts'
import { Board } from './boards.ts'
import { BoardProof } from './evidence-analytics.ts'
import { Grant } from './grants.ts'
import { Share } from './shares.ts'
import { CardStatus, IdeationStatus, RefinementStatus, SpecStatus, SprintStatus } from './summaries.ts'

const count = z.int().min(0)

const OverviewCounts = z
  .object({
    ideations: countsBy(IdeationStatus),
    refinements: countsBy(RefinementStatus),
    specs: countsBy(SpecStatus),
    sprints: countsBy(SprintStatus),
    cards: countsBy(CardStatus),
    cards_blocked: count.describe('open cards that wait for another'),
    cards_claimed: count,
    cards_overdue: count,
    open_questions: count,
  })
  .meta({ id: 'OverviewCounts' })

const ActiveSprint = z
  .object({ id: Id, ref: Ref, title: z.string(), spec_id: Id, cards_total: count, cards_done: count })
  .meta({ id: 'ActiveSprint' })

/** Suggested changes to a board (people 1.3). */
export const BoardAdvice = z.enum(['separate_review_off', 'nobody_approves']).meta({ id: 'BoardAdvice' })

export const BoardOverview = Board.omit({ cards: true, agents: true })
  .extend({
    last_sequence: z.int(),
    counts: OverviewCounts,
    labels: z.array(z.object({ label: z.string(), count }).meta({ id: 'LabelCount' })),
    active_sprints: z.array(ActiveSprint),
    advice: z.array(BoardAdvice),
    proof: BoardProof.nullable().describe('null where nothing but claims exists'),
  })
  .meta({ id: 'BoardOverview' })

export const BoardMember = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: PrincipalKind.nullable().describe('null: nobody here'),
    handle: z.string().nullable().describe('for mentions'),
    is_active: z.boolean(),
    deleted: z.boolean(),
    access: z.enum(['owner', 'share', 'grant', 'none']),
    preset_name: z.string().nullable(),
    share: Share.nullable(),
    grant: Grant.nullable(),
    last_used_at: Timestamp.nullable(),
    merged_into: z.string().exactOptional().describe('id that an imported name refers to'),
  })
  .meta({ id: 'BoardMember' })

const params = { board_id: Id }

export const get_board_overview = operation({
  name: 'get_board_overview',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/overview',
  permission: 'BOARDS_READ',
  reads: 'board',
  extension: true,
  title: 'Get board overview',
  description: 'Get a board with the counts of its records instead of the records.',
  params,
  response: BoardOverview,
  errors: [],
  keywords: ['summary', 'dashboard', 'statistics', 'how many', 'progress', 'labels'],
})

export const list_board_members = operation({
  name: 'list_board_members',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/members',
  permission: 'AGENTS_READ',
  reads: 'board',
  extension: true,
  title: 'List board members',
  description: 'List who is on a board and how: as owner, by a share or by a grant.',
  params,
  query: {
    ids: CommaList.optional().describe('comma list'),
    all: z.boolean().default(false).describe('also those only named in records'),
    may: PermissionName.optional().describe('permission that they hold there'),
    ...paging,
  },
  list: BoardMember,
  errors: [],
  keywords: ['team', 'people', 'agents', 'who', 'access', 'names'],
})
