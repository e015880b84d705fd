import { Link } from 'wouter'
import { Icon, type IconName } from '../../components/icon.tsx'
import { number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import type { ShownPlan } from './shown.ts'

const texts = messages.planning

/** The states of changes, the furthest first; cards without changes are not told. */
const states = [
  { state: 'merged', icon: 'merged', look: 'ok' },
  { state: 'open', icon: 'change', look: '' },
  { state: 'draft', icon: 'draft', look: '' },
  { state: 'branch', icon: 'branch', look: '' },
  { state: 'closed', icon: 'close', look: 'muted' },
] as const satisfies readonly { readonly icon: IconName; readonly state: string; readonly look: string }[]

/** The cards of a spec or sprint by the state of their changes (git 10); nothing where none has changes. */
export function ChangeShare({ kind, board, record }: ShownPlan) {
  if (!('changes' in record) || record.changes === null) return null
  const { changes } = record
  const address = `/b/${board.key}/list?${new URLSearchParams({ [kind]: kind === 'spec' ? record.ref : record.id })}`
  return (
    <section className="plan-proof" aria-label={texts.changes}>
      <h2 className="section-title">
        <Link href={address}>{texts.changes}</Link>
      </h2>
      <ul className="row wrap plan-share">
        {states
          .filter(({ state }) => changes[state] > 0)
          .map(({ state, icon, look }) => (
            <li key={state} className={`row ${look}`}>
              <Icon name={icon} size={14} /> {number(changes[state])} {texts.changeStates[state]}
            </li>
          ))}
      </ul>
    </section>
  )
}
