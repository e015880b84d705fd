import type { Column } from './columns.ts'
import { withTexts } from './members.ts'

type Change = (id: string) => string

/** The record that a reference of the graph begins with; those of technologies contain none. */
const referenced = /^((?:ideation|refinement|spec|sprint|card|architecture_design):)([^:]*)/

/** The value of a column with each id of a record in it changed; unchanged parts are not copied (walls 1). */
export function withRecordIds({ idsIn }: Pick<Column, 'idsIn'>, value: unknown, change: Change): unknown {
  if (idsIn === undefined || value === null) return value
  if (idsIn === 'whole') return withTexts(value, (_, id) => change(id))
  if (idsIn === 'reference') return String(value).replace(referenced, (_, kind, id) => kind + change(id))
  const items = value as readonly unknown[]
  const changed = items.map(item => withMembers(item, idsIn, change))
  return changed.every((item, at) => item === items[at]) ? value : changed
}

/** An item of a list with the ids in some of its own members changed. */
function withMembers(item: unknown, names: readonly string[], change: Change): unknown {
  if (typeof item !== 'object' || item === null) return item
  const members = item as Readonly<Record<string, unknown>>
  const changes = names.flatMap(name => {
    const member = members[name]
    const changed = withTexts(member, (_, id) => change(id))
    return changed === member ? [] : [[name, changed] as const]
  })
  return changes.length === 0 ? item : { ...members, ...Object.fromEntries(changes) }
}
