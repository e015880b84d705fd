import type { Collection } from '../collected.ts'
import { textOf, withHeading } from '../markdown.ts'
import type { NeutralSpec } from '../neutral.ts'
import { joined } from '../records.ts'
import { type Document, headed, textsOf } from './document.ts'

type Status = NeutralSpec['decisions'][number]['status']

/** The status words of decisions, which differ from those of tasks. */
const statuses: ReadonlyMap<string, Status> = new Map([
  ['proposed', 'active'],
  ['accepted', 'active'],
  ['superseded', 'revoked'],
  ['rejected', 'revoked'],
])

/** Converts a file of `decisions/` to a decision of a spec; what has no field of its own goes to its notes. */
export function decisionOf(document: Document, collected: Collection): NeutralSpec['decisions'][number] {
  const { id, place, fields, sections } = document
  const title = fields.text('title') ?? id
  const status = fields.text('status')?.trim() ?? ''
  const read = statuses.get(status.toLowerCase())
  if (read === undefined && status !== '')
    collected.note(
      { place: { ...place, line: document.lineOf('status') }, kind: 'spec' },
      `The status "${status}" of ${id} is read as active.`,
    )
  const rest = Object.entries({ ...(status !== '' && { status }), ...fields.rest() })
  return {
    id,
    title,
    rationale: joined(textsOf(document, 'decision')) ?? '',
    context: joined(textsOf(document, 'context')),
    alternatives_considered: null,
    supersedes_decision_id: null,
    linked_requirements: null,
    linked_task_ids: null,
    status: read ?? 'active',
    notes: joined([
      rest.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`).join('\n'),
      ...sections
        .filter(section => !headed(section, 'decision', 'context'))
        .map(section => (section.heading === null ? textOf(section) : withHeading(section))),
    ]),
  }
}
