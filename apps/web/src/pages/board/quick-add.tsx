import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { addressOfSpec } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { part } from '../../components/part.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Select } from '../../components/select.tsx'
import { type BoardListItem, type SpecListItem, useSpecs } from '../../data/boards.ts'
import { type CardStatus, refreshCards } from '../../data/cards.ts'
import { client } from '../../data/client.ts'
import { hasTexts, useDraft } from '../../data/drafts.ts'
import { creatingCard, creatingSmall, type QuickType } from '../../data/needs.ts'
import { usePlan } from '../../data/planning.ts'
import { useCardType } from '../../data/rights.ts'
import { filledBy, type Template, titleIn } from '../../data/templates.ts'
import { messages } from '../../messages/messages.ts'
import { TemplateChoice } from '../../templates/template-choice.tsx'

const FirstSpec = part(() => import('./first-spec.tsx'))

/** The statuses in which a spec accepts cards, the likeliest first; a validated one only accepts tests (cards 3.1). */
const order = ['in_progress', 'approved', 'validated', 'done']

const types: readonly QuickType[] = ['normal', 'test']

/** The option for no spec: the card is a small change (crew 6.2). */
const smallChange = 'small'

const texts = messages.board

interface QuickAddProps {
  readonly board: BoardListItem
  readonly status: CardStatus
  readonly onAdded: (id: string) => void
  readonly onClose: () => void
}

/** Adds a card at the end of a column. On a board without small changes, a spec that accepts cards is needed first. */
export default function QuickAdd(adding: QuickAddProps) {
  const { board } = adding
  const { data: specs, error } = useSpecs(board.id)
  if (specs === undefined)
    return error === null ? <p className="quick-add muted">{messages.shell.loading}</p> : <Failure error={error} />
  const choices = specs
    .filter(spec => order.includes(spec.status) && !spec.standing)
    .sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return choices.length === 0 && !board.settings.small_changes ? (
    <FirstSpec board={board} specs={specs} onClose={adding.onClose} />
  ) : (
    <CardForm {...adding} specs={choices} />
  )
}

interface CardFormProps extends QuickAddProps {
  /** The specs that accept cards; the first is the default. */
  readonly specs: readonly SpecListItem[]
}

const isTitle = (value: unknown): value is { readonly title: string } => hasTexts(value, 'title')

/** The form of a new card; stays open for the next one. */
function CardForm({ status, onAdded, onClose, board, specs }: CardFormProps) {
  const queries = useQueryClient()
  const draft = useDraft(`new-card:${board.id}`, isTitle)
  const title = draft.value?.title ?? ''
  const [spec, setSpec] = useState<string>()
  const isSmall = spec === smallChange || specs.length === 0
  const chosen = isSmall ? undefined : (specs.find(({ id }) => id === spec) ?? specs[0]!)
  const specId = chosen?.id ?? null
  const [type, setType] = useState(useCardType())
  const [template, setTemplate] = useState<Template>()
  const filled = filledBy(template, 'card')
  const choose = (next: Template | undefined) => {
    // A title that somebody typed stays.
    if (title === '' || title === titleIn(template)) draft.keep({ title: titleIn(next) })
    setTemplate(next)
  }
  // A test card belongs to a spec.
  const card_type = filled?.card_type ?? (isSmall ? 'normal' : type)
  const [scenario, setScenario] = useState<string>()
  // A test card tests one of the scenarios of its spec (cards 3.1).
  const { data: tests } = usePlan('spec', card_type === 'test' ? specId : null)
  const scenarios = tests?.record.test_scenarios ?? []
  const tested = scenarios.find(({ id }) => id === scenario)?.id ?? scenarios[0]?.id
  const adding = useMutation({
    mutationFn: (added: string) =>
      client.createCard({
        ...filled,
        board_id: board.id,
        title: added,
        status,
        ...(specId !== null && { spec_id: specId }),
        card_type,
        ...(tested !== undefined && { test_scenario_ids: [tested] }),
      }),
    // The draft is cleared at once, so that the next title can be typed while this one is being saved.
    onMutate: draft.forget,
    onError: (_, refused) => {
      if (!draft.isKept()) draft.keep({ title: refused })
    },
    onSuccess: card => {
      onAdded(card.id)
      return refreshCards(queries, board.id, new Set([card.id]))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() !== '') adding.mutate(title)
  }
  return (
    <form
      className="quick-add stack"
      aria-label={texts.addTitle}
      onSubmit={submit}
      onKeyDown={event => event.key === 'Escape' && onClose()}
    >
      <input
        className="input"
        aria-label={texts.cardTitle}
        placeholder={texts.cardTitle}
        // biome-ignore lint/a11y/noAutofocus: it opens because somebody wants to write here
        autoFocus
        value={title}
        maxLength={500}
        onChange={event => draft.keep({ title: event.target.value })}
      />
      <Select
        label={texts.spec}
        value={specId ?? smallChange}
        options={[
          ...specs.map(({ id, ref, title: specTitle }) => ({ value: id, label: `${ref} ${specTitle}` })),
          ...(board.settings.small_changes ? [{ value: smallChange, label: texts.smallChange }] : []),
        ]}
        onChange={setSpec}
      />
      <TemplateChoice boardId={board.id} type="card" chosen={template} onChoose={choose} />
      {!isSmall && filled?.card_type === undefined && (
        <Select
          label={texts.filters.type}
          value={card_type}
          options={types.map(other => ({ value: other, label: texts.types[other] }))}
          onChange={other => setType(other === 'test' ? 'test' : 'normal')}
        />
      )}
      {scenarios.length > 0 && (
        <Select
          label={texts.scenario}
          value={tested ?? ''}
          options={scenarios.map(({ id, title: scenarioTitle }) => ({ value: id, label: scenarioTitle }))}
          onChange={setScenario}
        />
      )}
      {chosen !== undefined && card_type === 'test' && tests !== undefined && scenarios.length === 0 && (
        <p className="muted">
          {texts.noScenario} <Link href={addressOfSpec(board.key, chosen.ref)}>{texts.openSpec(chosen.ref)}</Link>
        </p>
      )}
      <Failure error={adding.error} />
      <div className="row wrap">
        <Button
          type="submit"
          className="button primary"
          needs={isSmall ? creatingSmall : creatingCard(card_type, status)}
        >
          {texts.create}
        </Button>
        <button
          type="button"
          className="button quiet"
          onClick={() => {
            draft.forget()
            onClose()
          }}
        >
          {messages.shell.cancel}
        </button>
      </div>
    </form>
  )
}
