/** How wide columns are, px; the title takes what is left. */
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

/** On a phone signs are enough. */
const narrow: Readonly<Record<string, number>> = { ...wide, ref: 68, status: 44, assignee: 48 }

/** The least room for a title, px. */
const minTitleWidth = 192

const usual = 100

/** How wide a column is; undefined for the title. */
export const widthOf = (id: string, isNarrow: boolean): number | undefined =>
  id === 'title' ? undefined : ((isNarrow ? narrow : wide)[id] ?? usual)

/** How wide a table is at least, so that its titles can be read: it scrolls sideways where there is less room. */
export const minWidth = (ids: readonly string[]): number =>
  ids.reduce((sum, id) => sum + (widthOf(id, false) ?? minTitleWidth), 0)
