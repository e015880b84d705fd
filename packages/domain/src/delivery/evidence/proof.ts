/** get_proof: the proof of a record, item by item, and the ways to obtain what is missing (evidence 7). */
import { type features, ProvenType } from '@specboard/contract'
import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { oneOf } from '../../kernel/one-of.ts'
import { doneTierOf } from '../../planning/proof/done-tiers.ts'
import { type ProofRecord, shownItem, waysTo } from '../../planning/proof/gate.ts'
import type { RecordProof } from '../../planning/proof/judges.ts'
import { proofOfCard, proofOfSpec, proofOfSprint } from '../../planning/proof/records.ts'
import { shownProof } from '../../planning/proof/shown.ts'
import { gatesOf, shownWaiver, waiverOf } from '../../planning/proof/waivers.ts'
import { readSpec } from '../../planning/specs/store.ts'
import { readSprint } from '../../planning/sprints/store.ts'
import { readCard } from '../card-record/store.ts'
import { specOf } from '../cards/gates/facts.ts'

const reads = { card: 'CARDS_READ', spec: 'SPECS_READ', sprint: 'SPRINTS_READ' } as const

export const getProof: Implementation<(typeof features.evidence)['get_proof']> = async ({ params }, ctx) => {
  const type = oneOf('entity_type', ProvenType.options, params.entity_type)
  const { record, access } = await ctx.reach(type, params.entity_id)
  access.require([reads[type]])
  const settings = await boardSettings(ctx.db, record.board_id)
  const { of, items } = await proofOf(ctx, type, record.id, settings)
  const waiver = type === 'card' ? await waiverOf(ctx.db, record.id) : undefined
  const done = await doneTierOf(ctx.db, record)
  const missing = items.map(shownItem).filter(({ ok }) => !ok)
  return {
    entity_type: type,
    entity_id: record.id,
    ref: of.ref,
    ...shownProof(items, { waived: gatesOf(waiver), done_tier: done.tier }),
    ...(done.origin !== null && { done_origin: done.origin }),
    waiver: waiver === undefined ? null : shownWaiver(waiver),
    required_tier: settings.min_evidence_tier,
    fresh: settings.require_fresh_evidence,
    items: items.map(shownItem),
    ways: await waysTo(ctx.db, of, missing),
  }
}

async function proofOf(
  { db }: Pick<Context, 'db'>,
  type: ProofRecord['type'],
  id: string,
  settings: Settings,
): Promise<{ readonly of: ProofRecord; readonly items: RecordProof }> {
  if (type === 'card') {
    const card = await readCard(db, id)
    return { of: { ...card, type }, items: await proofOfCard(db, card, await specOf(db, card), settings) }
  }
  if (type === 'spec') {
    const spec = await readSpec(db, id)
    return { of: { ...spec, spec_id: id, type }, items: await proofOfSpec(db, spec, settings) }
  }
  const sprint = await readSprint(db, id)
  return {
    of: { ...sprint, type },
    items: await proofOfSprint(db, sprint, await readSpec(db, sprint.spec_id), settings),
  }
}
