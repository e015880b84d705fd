import { sameJson, toJson } from '../../lib/json.ts'
import { allStale, type Verdict } from '../../planning/evaluation.ts'
import { fieldsAgainstLock, sinceValidated } from '../../planning/specs/locked-fields.ts'
import type { Change } from '../../schema/contents.ts'
import type { RecordType } from '../kinds/kinds.ts'
import type { Row } from './rows.ts'

/** Fields of a spec that are not part of its content. */
const aside: ReadonlySet<string> = new Set(['assignee_id', 'labels'])

/**
 * The further effects of a change to a spec's content, as with an update: earlier evaluations become stale, so that no
 * gate passes by evaluations of other content (specs 3.3, walls 5).
 */
export function followUps(type: RecordType, before: Row, changes: readonly Change[]): Row {
  if (type !== 'spec' || !changes.some(({ field, old, new: now }) => !aside.has(field) && !sameJson(old, now)))
    return {}
  const evaluations: Verdict[] = JSON.parse(String(before.evaluations))
  const changed: string[] | null = JSON.parse(String(before.changed_since_validated ?? 'null'))
  return {
    version: Number(before.version) + 1,
    evaluations: toJson(allStale(evaluations)),
    changed_since_validated: toJson(sinceValidated({ changed_since_validated: changed }, fieldsAgainstLock(changes))),
  }
}
