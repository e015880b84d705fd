import type { features } from '@specboard/contract'
import { refuseArchived } from '../../kernel/archived.ts'
import { createdFields } from '../../kernel/changes.ts'
import { invalid, refuse } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { nextRef } from '../../kernel/references.ts'
import { insertRow } from '../../schema/rows.ts'
import { recordOn } from '../history/record-entry.ts'
import { readIdeation } from '../ideations/store.ts'
import { checkMockups } from '../mockups.ts'
import { ideationContext, refinementDescription } from '../propagation/context.ts'
import { copyParts, selectParts, withCopiedMockups } from '../propagation/propagate.ts'
import { questionOf } from '../questions/store.ts'
import { unfinishedRefusal } from '../revision.ts'
import { columnsOf, type RefinementRecord, readWholeRefinement } from './store.ts'

/** Creates a refinement from an ideation in `done`, with copies of the ideation's parts (ideation 3, 8). */
export const createRefinement: Implementation<typeof features.refinements.create_refinement> = async (
  { params, body },
  ctx,
) => {
  refuseArchived(ctx.target)
  const ideation = await readIdeation(ctx.db, params.ideation_id)
  refuse(unfinishedRefusal('ideation', 'IDEATION_NOT_DONE', ideation.status))
  if ((body.ideation_id ?? ideation.id) !== ideation.id) {
    throw invalid('ideation_id', 'The ideation is the one in the path. Leave ideation_id out, or send the same id.')
  }
  checkMockups(body.screen_mockups)
  const parts = await selectParts(ctx, { ...ideation, type: 'ideation' }, body)
  const context = ideationContext(ideation, parts.answered.map(questionOf))
  const now = ctx.now()
  const record: RefinementRecord = {
    id: ctx.newId(),
    ref: await nextRef(ctx.db, ideation.board_id),
    ideation_id: ideation.id,
    board_id: ideation.board_id,
    title: body.title,
    description: refinementDescription(body.description ?? null, context),
    in_scope: body.in_scope ?? null,
    out_of_scope: body.out_of_scope ?? null,
    analysis: body.analysis ?? null,
    decisions: body.decisions ?? null,
    status: 'draft',
    version: 1,
    rev: 1,
    assignee_id: body.assignee_id ?? null,
    labels: body.labels?.length ? body.labels : ideation.labels,
    screen_mockups: withCopiedMockups(ctx, body.screen_mockups ?? null, parts),
    archived: false,
    pre_archive_status: null,
    created_by: ctx.caller.id,
    created_at: now,
    updated_at: now,
  }
  await insertRow(ctx.db, 'refinements', columnsOf(record))
  await copyParts(ctx, parts, { type: 'refinement', id: record.id })
  const { id, title, status, in_scope, out_of_scope, analysis, decisions } = record
  await recordOn(ctx, 'refinement', record, {
    activity: { action: 'refinement_created', details: { title, refinement_id: id, ideation_id: ideation.id } },
    history: {
      action: 'created',
      changes: createdFields({ title, status, in_scope, out_of_scope, analysis, decisions }),
      summary: `Created "${title}"`,
    },
  })
  return readWholeRefinement(ctx.db, id, ctx.access)
}
