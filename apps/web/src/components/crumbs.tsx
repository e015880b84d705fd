import { Link } from 'wouter'
import { messages } from '../messages/messages.ts'
import { Icon } from './icon.tsx'

export interface Crumb {
  readonly label: string
  /** If undefined, it is the current page. */
  readonly address?: string
}

/** The breadcrumbs of a record: each level above it, the record last. */
export const Crumbs = ({ steps }: { readonly steps: readonly Crumb[] }) => (
  <nav aria-label={messages.shell.crumbs} className="crumbs-way">
    <ol className="crumbs">
      {steps.map(({ label, address }, place) => (
        <li key={address ?? label}>
          {place > 0 && <Icon name="chevron" size={14} />}
          {address === undefined ? (
            <bdi aria-current="page">{label}</bdi>
          ) : (
            <Link href={address}>
              <bdi>{label}</bdi>
            </Link>
          )}
        </li>
      ))}
    </ol>
  </nav>
)
