import type { ReactNode } from 'react'
import { isCardStatus } from '../data/cards.ts'
import { messages } from '../messages/messages.ts'
import { statusWords } from '../messages/status-words.ts'
import { Icon, type IconName } from './icon.tsx'
import { StatusSign } from './status.tsx'
import './action-sentence.css'

const texts = messages.activity

/** Verbs of actions that every kind of record has, by the suffix of the action's name. */
const verbs = Object.entries(texts.verbs)

/** What somebody did, as a phrase with `{it}` for the record. */
function phraseOf(action: string): string {
  const own: Readonly<Record<string, string>> = texts.did
  return (
    own[action] ??
    verbs.find(([verb]) => action.endsWith(`_${verb}`))?.[1] ??
    texts.otherwise(action.replaceAll('_', ' '))
  )
}

const icons: readonly (readonly [RegExp, IconName])[] = [
  [/^checks_failed|refused|rejected|not_ready|_blocked/, 'wrong'],
  [/^checks_passed|validation|evaluation|_passed$/, 'passed'],
  [/^pull_request_merged/, 'merged'],
  [/^pull_request|^change|^changes/, 'change'],
  [/question/, 'question'],
  [/comment/, 'comment'],
  [/_moved$|status_changed$/, 'arrow'],
  [/_created$|_added$/, 'plus'],
  [/_deleted$|_removed$/, 'close'],
  [/attachment/, 'file'],
  [/claim|assigned/, 'person'],
  [/link|dependency/, 'link'],
]

/** The icon of an action. */
export const iconOfAction = (action: string): IconName => icons.find(([named]) => named.test(action))?.[1] ?? 'edit'

interface HappenedProps {
  readonly action: string
  readonly details: Readonly<Record<string, unknown>> | null | undefined
  /** The record as it appears in the sentence; omitted on the record's own page. */
  readonly it?: ReactNode
}

/** A sentence that says what somebody did, without the name that it starts with; a move includes its statuses. */
export function ActionSentence({ action, details, it }: HappenedProps) {
  const says = phraseOf(action)
  const [before, after = ''] = (it === undefined ? texts.itself(says) : says).split('{it}')
  const { from_status: from, to_status: to } = details ?? {}
  return (
    <>
      {before} {it}
      {after}
      {typeof to === 'string' && to !== from && (
        <span className="happened-move">
          {typeof from === 'string' && (
            <>
              <StatusWord status={from} /> <Icon name="arrow" size={14} />
              <span className="hidden"> {texts.to} </span>
            </>
          )}
          <strong>
            <StatusWord status={to} />
          </strong>
        </span>
      )}
    </>
  )
}

/** A status of any kind of record; a card's has its icon. */
function StatusWord({ status }: { readonly status: string }) {
  if (isCardStatus(status))
    return (
      <span className="status row">
        <StatusSign status={status} />
        {messages.board.statuses[status]}
      </span>
    )
  return statusWords(status)
}
