import { createContext, useContext } from 'react'
import type { PrincipalKind } from '../data/boards.ts'
import { messages } from '../messages/messages.ts'
import './person.css'

/** What those who are named on a page are, by their names. */
export const KindsContext = createContext<ReadonlyMap<string, PrincipalKind>>(new Map())

const initialsOf = (name: string): string =>
  name
    .split(/[\s._-]+/)
    .filter(word => word !== '')
    .slice(0, 2)
    .map(word => word[0]!.toUpperCase())
    .join('')

const tints = 5

/** One of five tints, always the same for a name; words or initials beside it say what it is. */
export const tintOf = (name: string): number =>
  1 + [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % tints, 0)

interface AvatarProps {
  readonly name: string
  readonly isLarge?: boolean
  /** Whether somebody works right now. */
  readonly isLive?: boolean
}

/**
 * A person as a small round sign, an agent as a square one, a pipeline as a hexagon, another program as a leaf; the word
 * goes with it. None while the name is not known yet.
 */
export function Avatar({ name, isLarge = false, isLive = false }: AvatarProps) {
  const kind = useContext(KindsContext).get(name)
  if (name === '') return null
  const classes = [
    'avatar',
    `tint-${tintOf(name)}`,
    kind !== undefined && kind !== 'person' && kind,
    isLarge && 'large',
    isLive && 'live',
  ]
  const says = kind === undefined ? name : messages.shell.namedKind(name, kind)
  return (
    <span className={classes.filter(Boolean).join(' ')} role="img" aria-label={says} title={says}>
      {initialsOf(name)}
    </span>
  )
}

export const Person = ({ name }: { readonly name: string }) => (
  <span className="row person">
    <Avatar name={name} />
    <bdi className="truncate">{name}</bdi>
  </span>
)

interface ReviewerProps {
  readonly name: string
  /** What they were when they judged; null of what an import brought. */
  readonly kind: PrincipalKind | null
  /** Whether a person was there themself. */
  readonly isPresent: boolean
}

/** Who judged something, and as what. */
export const Reviewer = ({ name, kind, isPresent }: ReviewerProps) => (
  <>
    <Person name={name} />
    {kind !== null && <span>({messages.shell.judgedAs(kind, isPresent)})</span>}
  </>
)
