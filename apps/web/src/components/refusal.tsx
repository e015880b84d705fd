import { type ComponentType, createContext, use, useState } from 'react'
import { Link } from 'wouter'
import { addressOfRef } from '../address.ts'
import { type NextAction, type Refusal, refusalOf } from '../data/refusal.ts'
import { messages } from '../messages/messages.ts'
import { MissingText } from './missing-text.tsx'
import './refusal.css'

/** Renders the next actions of a refusal. The application supplies it, because their forms show refusals in turn. */
export const NextActionsView = createContext<ComponentType<{ readonly actions: readonly NextAction[] }> | null>(null)

/** Beyond this many, missing items are only counted. */
const maxMissing = 12

/** A refusal: why, what is missing with links, who may, and the next actions. */
export const RefusalView = ({ refusal }: { readonly refusal: Refusal }) => (
  <div className="refusal" role="alert">
    <RefusalText refusal={refusal} />
  </div>
)

/** The text of a refusal, for lists of several refusals. */
export function RefusalText({ refusal }: { readonly refusal: Refusal }) {
  const { message, missing, heldBy, nextActions } = refusal
  const NextActions = use(NextActionsView)
  const [all, setAll] = useState(false)
  const visible = all ? missing : missing.slice(0, maxMissing)
  return (
    <>
      {message !== '' && <p>{message}</p>}
      {visible.length > 0 && (
        <ul aria-label={messages.shell.refusal.missing}>
          {visible.map(item => (
            <li key={`${item.ref} ${item.text}`}>
              {item.ref !== null && <Link href={addressOfRef(item.ref)}>{item.ref}</Link>} <MissingText item={item} />
            </li>
          ))}
          {visible.length < missing.length && (
            <li>
              <button type="button" className="button quiet" onClick={() => setAll(true)}>
                +{missing.length - visible.length}
              </button>
            </li>
          )}
        </ul>
      )}
      {heldBy.length > 0 && <p className="muted">{messages.permissions.heldBy(heldBy)}</p>}
      {NextActions !== null && nextActions.length > 0 && <NextActions actions={nextActions} />}
    </>
  )
}

/** The refusal of a failed call; renders nothing without an error. */
export const Failure = ({ error }: { readonly error: unknown }) =>
  error === null || error === undefined ? null : <RefusalView refusal={refusalOf(error)} />
