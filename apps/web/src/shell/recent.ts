import { basePath } from '../base-path.ts'
/** A record that was opened from the palette, stored in this browser. */
export interface RecentRecord {
  readonly id: string
  readonly kind: string
  readonly ref: string
  readonly title: string
}

const keptAs = `specboard-recent${basePath}`
const max = 6

const isRecent = (value: unknown): value is RecentRecord =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'kind', 'ref', 'title'].every(name => typeof (value as Record<string, unknown>)[name] === 'string')

/** The records that were last opened from the palette, newest first. */
export function recentRecords(): readonly RecentRecord[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keptAs) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isRecent) : []
  } catch {
    return []
  }
}

export function rememberRecent(record: RecentRecord): void {
  try {
    const others = recentRecords().filter(({ id }) => id !== record.id)
    localStorage.setItem(keptAs, JSON.stringify([record, ...others].slice(0, max)))
  } catch {
    // Without storage, the palette starts with its pages.
  }
}
