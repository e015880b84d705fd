/**
 * An id that is unique only within its record, such as `sm_1f2e3d4c`: the prefix and the last 8 hex digits of a new id.
 */
export function shortId(prefix: string, newId: () => string, existing: ReadonlySet<string>): string {
  for (;;) {
    const id = `${prefix}_${newId().slice(-8)}`
    if (!existing.has(id)) return id
  }
}
