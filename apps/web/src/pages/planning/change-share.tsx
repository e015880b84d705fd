import { Link } from 'wouter'
import { changeIcons } from '../../components/change-icons.ts'
import { Icon } from '../../components/icon.tsx'
import { number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import type { ShownPlan } from './shown.ts'

const texts = messages.planning

/** The states of changes, the most advanced first; cards without changes are left out. */
const states = [
  { state: 'merged', look: 'ok' },
  { state: 'open', look: '' },
  { state: 'draft', look: '' },
  { state: 'branch', look: '' },
  { state: 'closed', look: 'muted' },
] as const

/** The cards of a spec or sprint by the state of their changes (git 10); nothing if none has changes. */
export function ChangeShare({ kind, board, record }: ShownPlan) {
  if (!('changes' in record) || record.changes === null) return null
  const { changes } = record
  const address = `/b/${board.key}/list?${new URLSearchParams({ [kind]: kind === 'spec' ? record.ref : record.id })}`
  return (
    <section className="plan-proof" aria-label={texts.changes}>
      <h2 className="section-title">
        <Link href={address}>{texts.changes}</Link>
      </h2>
      <ul className="plain row wrap plan-share">
        {states
          .filter(({ state }) => changes[state] > 0)
          .map(({ state, look }) => (
            <li key={state} className={`row ${look}`}>
              <Icon name={changeIcons[state]} size={14} /> {number(changes[state])} {texts.changeStates[state]}
            </li>
          ))}
      </ul>
    </section>
  )
}
