import type { GateFacts } from '../messages/gate-facts.ts'
import { messages } from '../messages/messages.ts'
import { knownStatus } from '../messages/status-words.ts'

/** The detail of a refusal, or an object within it. */
export type Detail = Readonly<Record<string, unknown>>

export const isDetail = (value: unknown): value is Detail =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const listOf = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined)
const memberOf = (value: unknown, name: string): unknown => (isDetail(value) ? value[name] : undefined)

const statusOf = (value: unknown): string | undefined => {
  const status = textOf(value)
  return status === undefined ? undefined : knownStatus(status)
}

const namesOf = ({ evaluators, claim, overlaps }: Detail): string[] => {
  const evaluations = (listOf(evaluators) ?? []).map(evaluator => memberOf(evaluator, 'evaluator_name'))
  const others = (listOf(overlaps) ?? []).map(overlap => memberOf(overlap, 'agent_name'))
  return [...new Set([...evaluations, memberOf(claim, 'agent_name'), ...others].flatMap(name => textOf(name) ?? []))]
}

/** The facts in the detail of a refusal. */
export const factsOf = (detail: Detail): GateFacts => ({
  status: statusOf(detail.status ?? detail.spec_status ?? detail.sprint_status ?? detail.from),
  target: statusOf(detail.required_status ?? detail.to),
  count: numberOf(detail.missing_total) ?? (listOf(detail.missing) ?? listOf(detail.details) ?? []).length,
  names: namesOf(detail),
  gate: textOf(detail.gate),
  tier: messages.refusals.tiers[textOf(detail.required_tier) ?? ''],
  average: numberOf(detail.average) ?? 0,
  threshold: numberOf(detail.threshold) ?? 0,
  limit: numberOf(detail.limit),
  used: numberOf(memberOf(detail.attempts, 'used')) ?? 0,
})

const { gates, calls } = messages.refusals

/** Whether the page has words of its own for a name. */
export const isWorded = <Words extends object>(words: Words, name: unknown): name is keyof Words & string =>
  typeof name === 'string' && Object.hasOwn(words, name)

/** Why a gate is closed or a call is refused, in the words of the page; undefined for a code that it does not know. */
export function gateWords(code: string, detail: Detail): string | undefined {
  if (isWorded(gates, code)) return gates[code](factsOf(detail))
  return isWorded(calls, code) ? calls[code](factsOf(detail)) : undefined
}
