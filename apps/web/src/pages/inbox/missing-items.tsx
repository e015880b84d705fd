import { MissingText } from '../../components/missing-text.tsx'
import { isDetail } from '../../data/gate-facts.ts'
import { type MissingItem, missingItem } from '../../data/refusal.ts'
import { messages } from '../../messages/messages.ts'

const missingIn = (value: unknown): readonly MissingItem[] =>
  Array.isArray(value) ? value.filter(isDetail).flatMap(missingItem) : []

/** The changes, checks or proof that a record lacks, each with why it does not count (git 9, evidence 9). */
export function MissingItems({ missing }: { readonly missing: unknown }) {
  const items = missingIn(missing)
  if (items.length === 0) return null
  return (
    <ul className="plain stack entry-waits" aria-label={messages.inbox.lacking}>
      {items.map(item => (
        <li key={item.text} dir="auto">
          <MissingText item={item} />
        </li>
      ))}
    </ul>
  )
}
