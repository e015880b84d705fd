import type { MovedType, Permission } from '@specboard/contract'
import type { z } from 'zod'
import { cardGates } from '../delivery/cards/card-gates.ts'
import type { Context } from '../kernel/context.ts'
import type { CallGates, MovableRecord, RecordGates, Requester } from '../kernel/record-gates.ts'
import { ideationGates } from '../planning/ideations/ideation-gates.ts'
import { refinementGates } from '../planning/refinements/refinement-gates.ts'
import { specGates } from '../planning/specs/spec-gates.ts'
import { sprintGates } from '../planning/sprints/sprint-gates.ts'

/** A kind of record that moves through statuses. */
export type MovedKind = z.output<typeof MovedType>

/** A record whose facts were read: everything derived from them needs no database query. */
export interface RecordFacts {
  readonly standing: MovableRecord
  readonly move: (to: string, requester: Requester) => CallGates
  /** What else is possible besides moves, by operation; undefined for one that does not depend on the record. */
  readonly operation: (name: string, requester: Requester) => CallGates | undefined
}

/** How the records of a kind are read, moved and changed. */
export interface Kind {
  /** The operation that moves them, and the field of its body with the target. */
  readonly mover: { readonly name: string; readonly target: string }
  readonly reads: Permission
  /** The permission to read their evaluations, which a closed gate reveals. */
  readonly readsEvaluations: Permission
  readonly statuses: readonly string[]
  /** The statuses that the state table offers from the present one. */
  readonly targets: (status: string) => readonly string[]
  readonly open: (ctx: Pick<Context, 'db' | 'now'>, id: string) => Promise<RecordFacts>
  /** The operations that depend on the status or lock of such a record. */
  readonly operations: readonly string[]
}

type Differing = Pick<Kind, 'reads' | 'readsEvaluations'> & { readonly target?: string }

function kindOf<Facts, Status extends string>(
  type: MovedKind,
  { read, recordOf, statuses, targets, move, operations }: RecordGates<Facts, Status>,
  { target = 'status', ...reading }: Differing,
): Kind {
  const statusOf = (status: string): Status => {
    const found = statuses.find(candidate => candidate === status)
    if (found === undefined) throw new Error(`No ${type} has the status ${status}.`)
    return found
  }
  return {
    ...reading,
    mover: { name: `move_${type}`, target },
    statuses,
    targets: status => targets(statusOf(status)),
    operations: Object.keys(operations),
    async open(ctx, id) {
      const facts = await read(ctx, id)
      return {
        standing: recordOf(facts),
        move: (to, requester) => move(facts, statusOf(to), requester),
        operation: (name, requester) => operations[name]?.(facts, requester),
      }
    },
  }
}

/** Every kind of record that moves, by its name in paths. */
export const kinds: Readonly<Record<MovedKind, Kind>> = {
  ideation: kindOf('ideation', ideationGates, {
    reads: 'IDEATIONS_READ',
    readsEvaluations: 'IDEATIONS_READ',
  }),
  refinement: kindOf('refinement', refinementGates, {
    reads: 'REFINEMENTS_READ',
    readsEvaluations: 'REFINEMENTS_READ',
  }),
  spec: kindOf('spec', specGates, { reads: 'SPECS_READ', readsEvaluations: 'SPECS_READ_VALIDATIONS' }),
  sprint: kindOf('sprint', sprintGates, { reads: 'SPRINTS_READ', readsEvaluations: 'SPRINTS_READ_EVALUATIONS' }),
  card: kindOf('card', cardGates, {
    reads: 'CARDS_READ',
    readsEvaluations: 'CARDS_READ_VALIDATIONS',
    target: 'target_status',
  }),
}
