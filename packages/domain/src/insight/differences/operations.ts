import { Card, DiffedType, features, type Permission } from '@specboard/contract'
import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { oneOf } from '../../kernel/one-of.ts'
import { sameJson } from '../../lib/json.ts'
import { fieldDiff } from './compare.ts'
import { endsOf, isOf } from './ends.ts'
import { type LogEntry, readChanges, readEntries } from './log.ts'
import { defaultStart, placeOf } from './points.ts'
import { Effort } from './words.ts'

type DiffRecord = (typeof features.board)['diff_record']
type Type = z.output<typeof DiffedType>

/**
 * The permissions for reading the states of a record, its fields in the order of its schema, and whether it has
 * versions.
 */
const kinds: Readonly<
  Record<Type, { readonly asks: Permission; readonly fields: readonly string[]; readonly hasVersions: boolean }>
> = {
  ideation: {
    asks: 'IDEATIONS_READ_HISTORY',
    fields: Object.keys(features.ideations.get_ideation.response.shape),
    hasVersions: true,
  },
  refinement: {
    asks: 'REFINEMENTS_READ_HISTORY',
    fields: Object.keys(features.refinements.get_refinement.response.shape),
    hasVersions: true,
  },
  spec: { asks: 'SPECS_READ_HISTORY', fields: Object.keys(features.specs.get_spec.response.shape), hasVersions: true },
  sprint: {
    asks: 'SPRINTS_READ_HISTORY',
    fields: Object.keys(features.sprints.get_sprint.response.shape),
    hasVersions: false,
  },
  card: { asks: 'CARDS_READ_ACTIVITY', fields: Object.keys(Card.shape), hasVersions: false },
}

/** Compares two states of a record, read from the event log (board 5). */
export const diffRecord: Implementation<DiffRecord> = async ({ params, query }, ctx) => {
  const type = oneOf('entity_type', DiffedType.options, params.entity_type)
  const { record, access } = await ctx.reach(type, params.entity_id)
  access.require([kinds[type].asks])
  const entries = await readEntries(ctx.db, type, record.id)
  if (entries.length === 0) throw invalid('entity_id', `The log has no state of this ${type}.`)
  const history = { entries, hasVersions: kinds[type].hasVersions }
  const to = query.to === undefined ? entries.length - 1 : placeOf('to', query.to, history)
  const from = query.from === undefined ? defaultStart(entries, to) : placeOf('from', query.from, history)
  return {
    from: pointOf(entries[from]!),
    to: pointOf(entries[to]!),
    ...(await differences(ctx, type, record.id, entries[from]!, entries[to]!)),
  }
}

const pointOf = ({ id, version, rev, created_at }: LogEntry) => ({ entry_id: id, version, rev, at: created_at })

/** The fields that differ between the states after two entries; the second may be the earlier one. */
async function differences({ db }: Context, type: Type, id: string, from: LogEntry, to: LogEntry) {
  const [first, last] = from.seq <= to.seq ? [from, to] : [to, from]
  const changes = await readChanges(db, type, id, first.seq, last.seq)
  const effort = new Effort()
  let truncated = false
  const fields = []
  for (const field of kinds[type].fields) {
    const own = changes.filter(change => isOf(field, change.field))
    if (own.length === 0) continue
    const [before, after] = endsOf(field, own)
    const [old, now] = first === from ? [before, after] : [after, before]
    if (sameJson(old ?? null, now ?? null)) continue
    truncated ||= own[0]!.cut || own.at(-1)!.cut
    fields.push(fieldDiff(field, old ?? null, now ?? null, effort))
  }
  return { truncated, fields }
}
