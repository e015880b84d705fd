/** The formulas of the contract, written out plainly and without the product's code. */
import type { Card, Chained } from '../records.ts'

export const round = (value: number) => Math.floor(value * 10 + 0.5) / 10
export const average = (values: readonly (number | null | undefined)[]) => {
  const numbers = values.filter(value => typeof value === 'number')
  return numbers.length === 0 ? null : round(numbers.reduce((a, b) => a + b, 0) / numbers.length)
}
export const rate = (part: number, whole: number, nothing: number | null = null) =>
  whole === 0 ? nothing : round((100 * part) / whole)
export const count = <Item>(items: readonly Item[], test: (item: Item) => boolean) => items.filter(test).length
export const hours = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 3_600_000
export const tally = (keys: readonly string[], values: readonly (string | null)[]) =>
  Object.fromEntries(keys.map(key => [key, count(values, value => value === key)]))

export const cardStatuses = ['not_started', 'started', 'in_progress', 'validation', 'on_hold', 'done', 'cancelled']
export const specStatuses = ['draft', 'review', 'approved', 'validated', 'in_progress', 'done', 'cancelled']
export const sprintStatuses = ['draft', 'active', 'review', 'closed', 'cancelled']
export const severities = ['critical', 'major', 'minor']

export const endOf = (record: Chained, final: string) => {
  if (record.status !== final) return null
  const times = record.moves.filter(move => move.to === final).map(move => move.at)
  return times.sort().at(-1) ?? (record.imported ? null : record.created_at)
}
export const cycleOf = (record: Chained, final: string) => {
  const end = endOf(record, final)
  return end === null ? null : hours(record.created_at, end)
}
export const cardCycle = (card: Card) => (card.done_at === null ? null : hours(card.created_at, card.done_at))
export const hereOf = <Record extends { readonly imported?: boolean }>(records: readonly Record[] | null) =>
  (records ?? []).filter(record => !record.imported)
export const lastReport = (card: Card) => hereOf(card.conclusions).at(-1)
export const isDone = (card: Card) => card.status === 'done'
export const ofType = (type: string) => (card: Card) => card.card_type === type

/** Compares texts in pairs; the first pair that differs decides. */
export const byText = (left: readonly string[], right: readonly string[]): number => {
  const place = left.findIndex((text, index) => text !== right[index])
  return place === -1 ? 0 : left[place]! < right[place]! ? -1 : 1
}
