import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { type Page, type Paging, paged, window } from '../../kernel/page.ts'
import { parseJson, toJson } from '../../lib/json.ts'
import { insertRow } from '../../schema/rows.ts'
import type { SnapshotsTable } from '../../schema/tables.ts'
import { questionOf, questionsOf } from '../questions/store.ts'
import { countSnapshots, listSnapshots, type SnapshotOwner, snapshotAt } from './store.ts'

/** The questions of a record, as kept in a snapshot (ideation 1.7). */
async function questionSnapshot(ctx: Context, id: string) {
  const rows = await questionsOf(ctx.db, { id, board_id: ctx.boardId })
  if (rows.length === 0) return null
  return rows.map(row => {
    const { question, question_type, choices, answer, selected, asked_by, answered_by } = questionOf(row)
    return { question, question_type, choices, answer, selected, asked_by, answered_by }
  })
}

/** The questions in a snapshot; null when there were none. */
export type QuestionSnapshot = Awaited<ReturnType<typeof questionSnapshot>>

/** The fields of a record that snapshots keep, and which of them the list shows (ideation 1.7). */
export interface SnapshotFields<Stored, Owner extends SnapshotOwner, Kept extends keyof Stored, Shown extends Kept> {
  readonly owner: Owner
  readonly keeps: readonly Kept[]
  readonly shows: readonly Shown[]
}

/**
 * Makes the snapshot operations of a kind of record.
 *
 * @example
 * const snapshots = snapshotOperations<RefinementRecord>()({ owner: 'refinement', keeps: ['title', 'analysis'], shows: ['title'] })
 * implement(features.refinements, { list_refinement_snapshots: snapshots.list, … })
 */
export const snapshotOperations =
  <Stored extends { readonly id: string; readonly version: number }>() =>
  <const Owner extends SnapshotOwner, const Kept extends keyof Stored & string, const Shown extends Kept>({
    owner,
    keeps,
    shows,
  }: SnapshotFields<Stored, Owner, Kept, Shown>) => {
    /** The content as written by `take`; its type depends on the kind of owner. */
    const keptOf = (content: SnapshotsTable['content']) =>
      parseJson(content) as Pick<Stored, Kept> & { readonly qa_snapshot: QuestionSnapshot }

    const summaryOf = ({ id, version, content, created_by, created_at }: SnapshotsTable) => {
      const fields = pick(keptOf(content), shows)
      return { id, version, ...fields, created_by, created_at }
    }

    return {
      /** Lists the snapshots, highest version first. */
      list: async (
        { query }: { readonly query: Paging },
        ctx: Context,
      ): Promise<Page<ReturnType<typeof summaryOf>>> => {
        const parameters = { type: owner, id: ctx.target.id, board_id: ctx.boardId, ...window(query) }
        const rows = await listSnapshots(ctx.db, parameters)
        return paged(rows, query, async () => (await countSnapshots(ctx.db, parameters))[0]!.count, summaryOf)
      },

      /** @throws DomainError NOT_FOUND for a version that was never done */
      get: async ({ params }: { readonly params: { readonly version: number } }, ctx: Context) => {
        const { id: record, board_id } = ctx.target
        const [row] = await snapshotAt(ctx.db, { type: owner, id: record, board_id, version: params.version })
        if (row === undefined) throw notFound('snapshot', String(params.version))
        const { id, owner_id, version, content, created_by, created_at } = row
        const { qa_snapshot, ...fields } = keptOf(content)
        const questions = ctx.access.allows('QA_READ') ? qa_snapshot : null
        return { id, ...owned(owner, owner_id), version, ...fields, qa_snapshot: questions, created_by, created_at }
      },

      /** Keeps the current state of a record under its current version. */
      take: async (ctx: Context, record: Stored): Promise<void> => {
        const content = { ...pick(record, keeps), qa_snapshot: await questionSnapshot(ctx, record.id) }
        await insertRow(ctx.db, 'snapshots', {
          id: ctx.newId(),
          board_id: ctx.boardId,
          owner_type: owner,
          owner_id: record.id,
          version: record.version,
          content: toJson(content),
          created_by: ctx.caller.id,
          created_at: ctx.now(),
        })
      },
    }
  }

const pick = <From, const Key extends keyof From>(from: From, keys: readonly Key[]): Pick<From, Key> =>
  Object.fromEntries(keys.map(key => [key, from[key]])) as Pick<From, Key>

const owned = <const Owner extends SnapshotOwner>(owner: Owner, id: string) =>
  ({ [`${owner}_id`]: id }) as Readonly<Record<`${Owner}_id`, string>>
