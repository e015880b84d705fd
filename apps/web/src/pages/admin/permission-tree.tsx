import { type ReactNode, useState } from 'react'
import { type PermissionNode, permissionGroups } from '../../data/access.ts'
import { messages } from '../../messages/messages.ts'
import type { Flags } from './deviations.ts'
import { withAllowed } from './preset-flags.ts'

const texts = messages.administration

interface OtherSays {
  readonly allows: string
  readonly denies: string
}

const ofOther: OtherSays = { allows: texts.otherAllows, denies: texts.otherDenies }

interface PermissionTreeProps {
  readonly flags: Flags
  /** The flags to compare with. */
  readonly other?: Flags | undefined
  /** The texts for a permission that only the other flags allow, and for one that only these flags allow. */
  readonly otherSays?: OtherSays
  /** A note next to a permission. */
  readonly note?: (name: string) => ReactNode
  /** Changes the flags; if undefined, the tree is read-only. */
  readonly onChange?: ((flags: Flags) => void) | undefined
}

const namesIn = ({ name, children }: PermissionNode): string[] => [name, ...children.flatMap(namesIn)]

/** The searchable text of a permission: its description and its name. */
const soughtIn = (name: string): string =>
  `${messages.permissions.may(name)} ${name.replaceAll('_', ' ')}`.toLowerCase()

/** All permissions by kind of record, showing which are allowed, and the differences from another set. */
export function PermissionTree({ flags, other, otherSays = ofOther, note, onChange }: PermissionTreeProps) {
  const [text, setText] = useState('')
  const [onlyDifferent, setOnlyDifferent] = useState(false)
  const search = text.trim().toLowerCase()
  const isShown = (name: string): boolean =>
    soughtIn(name).includes(search.replaceAll('_', ' ')) &&
    (other === undefined || !onlyDifferent || flags[name] !== other[name])
  return (
    <div className="stack">
      <div className="row wrap">
        <input
          className="input tree-filter"
          aria-label={texts.filterPermissions}
          placeholder={texts.filterPermissions}
          value={text}
          onChange={event => setText(event.target.value)}
        />
        {other !== undefined && (
          <label className="row">
            <input type="checkbox" checked={onlyDifferent} onChange={event => setOnlyDifferent(event.target.checked)} />
            {texts.onlyDifferent}
          </label>
        )}
      </div>
      <div className="lines tree">
        {permissionGroups.map(({ resource, nodes }) => {
          const names = nodes.flatMap(namesIn)
          if (!names.some(isShown)) return null
          const allowed = names.filter(name => flags[name] === true).length
          const isNarrowed = search !== '' || onlyDifferent
          return (
            <details key={`${resource} ${isNarrowed}`} open={isNarrowed}>
              <summary className="line">
                <strong className="grow">{texts.resource(resource)}</strong>{' '}
                <span className="muted numbers">{texts.allowedOf(allowed, names.length)}</span>
                <progress aria-hidden="true" value={allowed} max={names.length} />
              </summary>
              <Nodes
                nodes={nodes}
                flags={flags}
                other={other}
                otherSays={otherSays}
                note={note}
                onChange={onChange}
                isShown={isShown}
              />
            </details>
          )
        })}
      </div>
    </div>
  )
}

interface NodesProps extends Omit<PermissionTreeProps, 'other' | 'otherSays' | 'note'> {
  readonly nodes: readonly PermissionNode[]
  readonly other: Flags | undefined
  readonly otherSays: OtherSays
  readonly note: PermissionTreeProps['note']
  readonly isShown: (name: string) => boolean
}

const Nodes = ({ nodes, ...shared }: NodesProps) => (
  <ul className="plain nodes">
    {nodes
      .filter(node => namesIn(node).some(shared.isShown))
      .map(node => (
        <li key={node.name}>
          <span className="row wrap">
            <Permission node={node} flags={shared.flags} onChange={shared.onChange} />
            {shared.other !== undefined && shared.other[node.name] !== shared.flags[node.name] && (
              <span className="badge amber">
                {shared.other[node.name] === true ? shared.otherSays.allows : shared.otherSays.denies}
              </span>
            )}
            {shared.note?.(node.name)}
          </span>
          {node.children.length > 0 && <Nodes nodes={node.children} {...shared} />}
        </li>
      ))}
  </ul>
)

interface PermissionProps {
  readonly node: PermissionNode
  readonly flags: Flags
  readonly onChange: PermissionTreeProps['onChange']
}

/** A permission in words, with its name, and an icon for whether it is allowed or a checkbox that allows it. */
function Permission({ node, flags, onChange }: PermissionProps) {
  const { name } = node
  const isAllowed = flags[name] === true
  if (onChange === undefined)
    return (
      <>
        <Allowed isAllowed={isAllowed} />
        <Named name={name} />
      </>
    )
  return (
    <label className="row">
      <input
        type="checkbox"
        checked={isAllowed}
        onChange={event => onChange(withAllowed(flags, node, event.target.checked))}
      />
      <Named name={name} />
    </label>
  )
}

/** What a permission allows, and below it the name by which keys and clients know it. */
const Named = ({ name }: { readonly name: string }) => (
  <span className="permission">
    <span className="permission-words">{messages.permissions.may(name)}</span> <code>{name}</code>
  </span>
)

/** Whether something is allowed: as an icon, and as a word for screen readers. */
const Allowed = ({ isAllowed }: { readonly isAllowed: boolean }) => (
  <span className={isAllowed ? 'allowed' : 'denied'} title={isAllowed ? texts.allowed : texts.denied}>
    <span aria-hidden="true">{isAllowed ? '✓' : '–'}</span>
    <span className="hidden">{isAllowed ? texts.allowed : texts.denied}</span>
  </span>
)
