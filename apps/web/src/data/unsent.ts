import { addressKey, DraftPlace, openAddress } from './drafts.ts'

/** A draft that was written at an address. */
interface UnsentDraft {
  readonly name: string
  readonly text: string
  readonly place: DraftPlace
}

/** The drafts of a person that were written at the address that is open. */
export function unsentAt(agentId: string): UnsentDraft[] {
  const address = openAddress()
  const prefix = addressKey(agentId)
  return Object.keys(localStorage)
    .filter(key => key.startsWith(prefix) && localStorage.getItem(key) === address)
    .map(key => {
      const name = key.slice(prefix.length)
      const place = new DraftPlace(agentId, name)
      return { name, text: textsIn(place.read()).join('\n\n'), place }
    })
    .filter(({ text }) => text !== '')
}

/** What an edit began with, and what somebody else wrote meanwhile. */
const notOwn = new Set(['from', 'tag', 'theirs'])

/** The texts of a draft, in their order. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => (notOwn.has(name) ? [] : textsIn(part)))
}
