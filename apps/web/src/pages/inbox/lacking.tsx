import { isDetail } from '../../data/gate-facts.ts'
import { missingItem } from '../../data/refusal.ts'
import { messages } from '../../messages/messages.ts'

interface Missing {
  readonly says: string
  /** Its page at the forge. */
  readonly url: string | undefined
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:/.test(value)

const missingIn = (value: unknown): readonly Missing[] =>
  Array.isArray(value)
    ? value
        .filter(isDetail)
        .flatMap(each =>
          missingItem(each).map(({ text }) => ({ says: text, url: isAddress(each.url) ? each.url : undefined })),
        )
    : []

/** The changes, checks or proof that a record lacks, each with why it does not count (git 9, evidence 9). */
export function Lacking({ missing }: { readonly missing: unknown }) {
  const shown = missingIn(missing)
  if (shown.length === 0) return null
  return (
    <ul className="plain stack entry-waits" aria-label={messages.inbox.lacking}>
      {shown.map(({ says, url }) => (
        <li key={says} dir="auto">
          {url === undefined ? (
            says
          ) : (
            <a href={url} target="_blank" rel="noopener noreferrer">
              {says}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
