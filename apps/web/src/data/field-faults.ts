import { messages } from '../messages/messages.ts'
import { type Detail, isDetail, isWorded } from './gate-facts.ts'

const { faults, kinds, formats, fields, invalid } = messages.refusals

/** What is wrong with a field of a refused call, in the page's own words if it has any (general, Errors). */
export function fieldFault({ loc, msg, ...fault }: Detail): string {
  const label = Array.isArray(loc) ? labelOf(loc.slice(1)) : ''
  const words = faultWords(fault) ?? invalid(String(msg))
  return label === '' ? words : `${label}: ${words}`
}

/** The label of the field at a path, with the indexes of entries; the path itself if a step has no label. */
function labelOf(path: readonly unknown[]): string {
  const steps = path.map(step =>
    typeof step === 'number' ? String(step + 1) : isWorded(fields, step) ? fields[step] : '',
  )
  return steps.includes('') ? path.join('.') : steps.join(' ')
}

/** The error in words; undefined for a kind that the page does not know. */
function faultWords({ type, ctx }: Detail): string | undefined {
  const facts = isDetail(ctx) ? ctx : {}
  const limit = Object.values(facts).find(value => typeof value === 'number')
  if (isWorded(faults, type)) return limit === undefined ? undefined : faults[type](limit)
  if (isWorded(kinds, type)) return kinds[type]
  return isWorded(formats, facts.format) ? formats[facts.format] : undefined
}
