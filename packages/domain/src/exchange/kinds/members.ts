type Change = (name: string, value: string) => string

/**
 * A JSON value with the texts in its members changed, at any depth; a list of texts counts under the name of the member
 * that contains it. Unchanged parts are not copied.
 */
export function withTexts(value: unknown, change: Change, name = ''): unknown {
  if (typeof value === 'string') return change(name, value)
  if (Array.isArray(value)) {
    const items = value.map(item => withTexts(item, change, name))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  if (typeof value !== 'object' || value === null) return value
  let copy: Record<string, unknown> | undefined
  for (const [key, member] of Object.entries(value)) {
    const changed = withTexts(member, change, key)
    if (changed === member) continue
    copy ??= { ...value }
    copy[key] = changed
  }
  return copy ?? value
}

/** Whether a member of this name may contain the ids of records. */
export const mayContainIds = (name: string): boolean => /_(?:ids?|ref)$|^(?:old|new|added|removed)$/.test(name)
