/** The widths of columns, px; the title takes the rest. */
const wide: Readonly<Record<string, number>> = {
  select: 44,
  priority: 40,
  ref: 84,
  status: 116,
  type: 64,
  spec: 152,
  sprint: 152,
  parent: 128,
  labels: 152,
  proof: 76,
  change: 76,
  progress: 116,
  coverage: 116,
  due: 76,
  age: 88,
  updated: 88,
  comments: 84,
  assignee: 124,
}

/** On a phone, icons are enough. */
const narrow: Readonly<Record<string, number>> = { ...wide, ref: 68, status: 44, assignee: 48 }

/** The minimum width of a title, px. */
const minTitleWidth = 192

const usual = 100

/** The width of a column; undefined for the title. */
export const widthOf = (id: string, isNarrow: boolean): number | undefined =>
  id === 'title' ? undefined : ((isNarrow ? narrow : wide)[id] ?? usual)

/** The minimum width of a table, so that its titles can be read: with less room it scrolls sideways. */
export const minWidth = (ids: readonly string[]): number =>
  ids.reduce((sum, id) => sum + (widthOf(id, false) ?? minTitleWidth), 0)
