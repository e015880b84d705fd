import { type ReactNode, useState } from 'react'
import { type PermissionNode, permissionGroups } from '../../data/access.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.administration

type Flags = Readonly<Record<string, boolean>>

interface PermissionTreeProps {
  readonly flags: Flags
  /** What is compared with. */
  readonly other?: Flags | undefined
  /** What is said beside a permission. */
  readonly note?: (name: string) => ReactNode
}

const namesIn = ({ name, children }: PermissionNode): string[] => [name, ...children.flatMap(namesIn)]

const wordsOf = (name: string): string => name.replaceAll('_', ' ').toLowerCase()

/** All permissions by kind of record, which are allowed, and where another differs. */
export function PermissionTree({ flags, other, note }: PermissionTreeProps) {
  const [text, setText] = useState('')
  const [onlyDifferent, setOnlyDifferent] = useState(false)
  const wanted = text.trim().toLowerCase()
  const isShown = (name: string): boolean =>
    wordsOf(name).includes(wanted.replaceAll('_', ' ')) &&
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
      <div className="tree">
        {permissionGroups.map(({ resource, nodes }) => {
          const names = nodes.flatMap(namesIn)
          if (!names.some(isShown)) return null
          const allowed = names.filter(name => flags[name] === true).length
          const isNarrowed = wanted !== '' || onlyDifferent
          return (
            <details key={`${resource} ${isNarrowed}`} className="box" open={isNarrowed}>
              <summary>
                <strong>{texts.resource(resource)}</strong>{' '}
                <span className="muted numbers">{texts.allowedOf(allowed, names.length)}</span>
              </summary>
              <Nodes nodes={nodes} flags={flags} other={other} note={note} isShown={isShown} />
            </details>
          )
        })}
      </div>
    </div>
  )
}

interface NodesProps extends Omit<PermissionTreeProps, 'other' | 'note'> {
  readonly nodes: readonly PermissionNode[]
  readonly other: Flags | undefined
  readonly note: PermissionTreeProps['note']
  readonly isShown: (name: string) => boolean
}

const Nodes = ({ nodes, ...shared }: NodesProps) => (
  <ul className="plain nodes">
    {nodes
      .filter(node => namesIn(node).some(shared.isShown))
      .map(({ name, children }) => (
        <li key={name}>
          <span className="row wrap">
            <Allowed isAllowed={shared.flags[name] === true} />
            <code>{name}</code>
            {shared.other !== undefined && shared.other[name] !== shared.flags[name] && (
              <span className="badge amber">{shared.other[name] === true ? texts.otherAllows : texts.otherDenies}</span>
            )}
            {shared.note?.(name)}
          </span>
          {children.length > 0 && <Nodes nodes={children} {...shared} />}
        </li>
      ))}
  </ul>
)

/** Whether something is allowed, as a sign and for screen readers as a word. */
const Allowed = ({ isAllowed }: { readonly isAllowed: boolean }) => (
  <span className={isAllowed ? 'allowed' : 'denied'} title={isAllowed ? texts.allowed : texts.denied}>
    <span aria-hidden="true">{isAllowed ? '✓' : '–'}</span>
    <span className="hidden">{isAllowed ? texts.allowed : texts.denied}</span>
  </span>
)
