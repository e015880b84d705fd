import { basePath } from '../base-path.ts'
/** The records that were last opened from the palette, newest first, stored in this browser. */
export interface RecentRecords {
  readonly id: string
  readonly kind: string
  readonly ref: string
  readonly title: string
}

const keptAs = `specboard-recent${basePath}`
const most = 6

const isRecent = (value: unknown): value is RecentRecords =>
  typeof value === 'object' &&
  value !== null &&
  ['id', 'kind', 'ref', 'title'].every(name => typeof (value as Record<string, unknown>)[name] === 'string')

export function recentRecords(): readonly RecentRecords[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keptAs) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent) : []
  } catch {
    return []
  }
}

export function rememberRecent(record: RecentRecords): void {
  try {
    const others = recentRecords().filter(({ id }) => id !== record.id)
    localStorage.setItem(keptAs, JSON.stringify([record, ...others].slice(0, most)))
  } catch {
    // Without storage, the palette starts with its pages.
  }
}
