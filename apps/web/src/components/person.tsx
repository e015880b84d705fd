import { createContext, useContext } from 'react'
import type { PrincipalKind } from '../data/boards.ts'
import { messages } from '../messages/messages.ts'
import './person.css'

/** The kind of each principal named on a page, by name. */
export const KindsContext = createContext<ReadonlyMap<string, PrincipalKind>>(new Map())

const initialsOf = (name: string): string =>
  name
    .split(/[\s._()-]+/)
    .filter(word => word !== '')
    .slice(0, 2)
    .map(word => word[0]!.toUpperCase())
    .join('')

const tints = 5

/** One of five tints, always the same for a name; text or initials next to it carry the meaning. */
export const tintOf = (name: string): number =>
  1 + [...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % tints, 0)

interface AvatarProps {
  readonly name: string
  readonly isLarge?: boolean
  /** Whether somebody is working right now. */
  readonly isLive?: boolean
}

/**
 * A round icon for a person, a square one for an agent, a hexagon for a pipeline, a leaf for another program; always
 * shown next to the name. Renders nothing until the name is known.
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
  /** The kind of principal at the time of the verdict; null for imported ones. */
  readonly kind: PrincipalKind | null
  /** Whether a person was present. */
  readonly isPresent: boolean
}

/** Who gave a verdict, and as what kind of principal. */
export const Reviewer = ({ name, kind, isPresent }: ReviewerProps) => (
  <>
    <Person name={name} />
    {kind !== null && <span>({messages.shell.judgedAs(kind, isPresent)})</span>}
  </>
)
