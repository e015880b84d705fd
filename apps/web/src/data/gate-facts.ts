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

const namesOf = ({ evaluators, claim }: Detail): string[] => {
  const evaluations = (listOf(evaluators) ?? []).map(evaluator => memberOf(evaluator, 'evaluator_name'))
  return [...evaluations, memberOf(claim, 'agent_name')].flatMap(name => textOf(name) ?? [])
}

/** The facts in the detail of a refusal. */
export const factsOf = (detail: Detail): GateFacts => ({
  status: statusOf(detail.status ?? detail.spec_status ?? detail.sprint_status ?? detail.from),
  wanted: statusOf(detail.required_status ?? detail.to),
  count: numberOf(detail.missing_total) ?? (listOf(detail.missing) ?? listOf(detail.details) ?? []).length,
  names: namesOf(detail),
  gate: textOf(detail.gate),
  tier: messages.refusals.tiers[textOf(detail.required_tier) ?? ''],
  average: numberOf(detail.average) ?? 0,
  threshold: numberOf(detail.threshold) ?? 0,
  used: numberOf(memberOf(detail.attempts, 'used')) ?? 0,
})

const { gates, faults } = messages.refusals

const isFault = (type: unknown): type is keyof typeof faults => typeof type === 'string' && Object.hasOwn(faults, type)

/** What is wrong with a field, in the words of the page; undefined for a kind that it does not know. */
export function faultWords({ type, ctx }: Detail): string | undefined {
  const [limit] = isDetail(ctx) ? Object.values(ctx).filter(value => typeof value === 'number') : []
  return isFault(type) && (limit !== undefined || type === 'missing') ? faults[type](limit ?? 0) : undefined
}

const isWorded = (code: string): code is keyof typeof gates => Object.hasOwn(gates, code)

/** Why a gate is closed, in the words of the page; undefined for one that it does not know. */
export const gateWords = (code: string, detail: Detail): string | undefined =>
  isWorded(code) ? gates[code](factsOf(detail)) : undefined
