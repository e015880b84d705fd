import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, use, useState } from 'react'
import { Link } from 'wouter'
import { ActionButton } from '../components/action-button.tsx'
import { opening } from '../components/part.tsx'
import { cardStatuses, readCard } from '../data/cards.ts'
import { callNamed } from '../data/client.ts'
import { refreshRelated } from '../data/moves.ts'
import type { NextAction } from '../data/refusal.ts'
import { messages } from '../messages/messages.ts'
import { statusWords } from '../messages/status-words.ts'
import { MoveContext } from '../moves/move-context.ts'
import { useOpenBoardKey } from '../open-board.ts'
import { type FormName, type Step, stepOf, subjectOf } from './step.ts'

const texts = messages.shell.refusal

interface NextActionsProps {
  readonly actions: readonly NextAction[]
}

/**
 * The suggested next actions, each with a button that takes it at once, opens a form, or leads to the page where it
 * belongs. An action without a button or page here is for agents.
 */
function NextActions({ actions }: NextActionsProps) {
  const boardKey = useOpenBoardKey()
  const steps = actions.flatMap(action => {
    const step = stepOf(action, boardKey)
    return step === undefined ? [] : [{ action, step }]
  })
  if (steps.length === 0) return null
  return (
    <ul className="plain next-actions" aria-label={texts.next}>
      {steps.map(({ action, step }) => (
        <li key={`${action.name} ${JSON.stringify(action.arguments)}`} className="row wrap">
          <NextActionButton action={action} step={step} />
          <Note action={action} />
        </li>
      ))}
    </ul>
  )
}
export default NextActions

/** The record that an action is about; for an unknown action, the service's description of it. */
function Note({ action }: { readonly action: NextAction }) {
  const note = action.ref ?? (wordsOf(action) === undefined ? action.reason : undefined)
  return note === undefined ? null : <span className="muted">{note}</span>
}

function NextActionButton({ action, step }: { readonly action: NextAction; readonly step: Step }) {
  const label = wordsOf(action) ?? action.name.replaceAll('_', ' ')
  if (step.kind === 'call') return <CallButton action={action} label={label} />
  if (step.kind === 'lead')
    return (
      <Link className="button" href={step.address}>
        {label}
      </Link>
    )
  const Form = forms[step.form]
  return <Form action={action} label={label} />
}

interface ButtonProps {
  readonly action: NextAction
  readonly label: string
}

/** Makes the suggested call unchanged. */
function CallButton({ action, label }: ButtonProps) {
  const queries = useQueryClient()
  const call = async () => {
    await callNamed(action.name, action.arguments)
    await refreshRelated(queries)
  }
  return <ActionButton onAct={call}>{label}</ActionButton>
}

/** Moves a card, asking for whatever the move needs. */
function MoveButton({ action, label }: ButtonProps) {
  const move = use(MoveContext)
  const moveCard = async () => {
    const { card } = await readCard(String(action.arguments.card_id))
    const target = cardStatuses.find(status => status === action.arguments.target_status)
    if (target !== undefined) await move?.(card, target)
  }
  return <ActionButton onAct={moveCard}>{label}</ActionButton>
}

/** Opens a form in a dialog of its own; the allowed actions are read again when it closes. */
function FormButton({
  label,
  children,
}: {
  readonly label: string
  readonly children: (close: () => void) => ReactNode
}) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen &&
        children(() => {
          setOpen(false)
          void refreshRelated(queries)
        })}
    </>
  )
}

const ScenarioResultDialog = opening(() => import('../forms/scenario-result-dialog.tsx'))
const ProposedValidation = opening(() => import('../pages/card/proposed-validation.tsx'))

const forms: Readonly<Record<FormName, (props: ButtonProps) => ReactNode>> = {
  move_card: MoveButton,
  record_scenario_result: ({ action, label }) => (
    <FormButton label={label}>
      {close => (
        <ScenarioResultDialog
          specId={String(action.arguments.spec_id)}
          scenarioId={String(action.arguments.scenario_id)}
          onClose={close}
        />
      )}
    </FormButton>
  ),
  submit_task_validation: ({ action, label }) => (
    <FormButton label={label}>
      {close => <ProposedValidation cardId={String(action.arguments.card_id)} onClose={close} />}
    </FormButton>
  ),
}

/** The label of an action's button; undefined for an unknown action. */
function wordsOf(action: NextAction): string | undefined {
  const { name, arguments: args } = action
  const kind = subjectOf(action)?.kind ?? ''
  const to = args.target_status ?? args.status
  if (name.startsWith('move_') && typeof to === 'string') return texts.move(kind, statusWords(to))
  return texts.actions[name] ?? (/^(?:get|update)_/.test(name) ? texts.read(kind) : undefined)
}
