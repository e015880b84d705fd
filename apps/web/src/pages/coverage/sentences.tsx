import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { IconButton } from '../../components/icon-button.tsx'
import { Linked } from '../../components/linked.tsx'
import { opening } from '../../components/part.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { changing } from '../../data/needs.ts'
import { planCalls, type ReadPlan, readPlan, refreshPlan, type Spec } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import type { CoveredSentence } from './rows.ts'
import { Share } from './share.tsx'

const Picker = opening(() => import('../../components/picker.tsx'))

const texts = messages.coverage

/** The lists whose items name sentences of another list, and the field they use. */
const namings = {
  business_rules: 'linked_requirements',
  test_scenarios: 'linked_criteria',
} as const

type NamingList = keyof typeof namings

interface SentencesProps {
  readonly title: string
  readonly spec: Spec
  readonly sentences: readonly CoveredSentence[]
  /** The list whose items name these sentences. */
  readonly by: NamingList
  readonly isSkipped: boolean
}

/** Sentences with the items that name them, each with a control to choose those items. */
export function Sentences({ title, spec, sentences, by, isSkipped }: SentencesProps) {
  const queries = useQueryClient()
  const [picker, setPicker] = useState<{ readonly index: number; readonly anchor: HTMLElement }>()
  const items = spec[by] ?? []
  const naming = useMutation({
    mutationFn: async ({ sentence, id }: { readonly sentence: Sentence; readonly id: string }) => {
      await nameSentence(await readPlan('spec', spec.id), by, id, sentence)
      await refreshPlan(queries, 'spec', spec.id)
    },
  })
  if (sentences.length === 0) return null
  const chosen = picker === undefined ? undefined : sentences[picker.index]
  return (
    <Section title={title}>
      <Share
        done={sentences.filter(covered => covered.by.length > 0).length}
        total={sentences.length}
        isSkipped={isSkipped}
      />
      <Failure error={naming.error} />
      <ol className="plain lines coverage-list">
        {sentences.map((covered, index) => (
          <li key={covered.text} className="line">
            <bdi className="grow">
              <Linked text={covered.text} />
            </bdi>
            <span className="row wrap coverage-names">
              {covered.by.map(({ id, title: name }) => (
                <span key={id} className="badge green truncate" dir="auto">
                  {name}
                </span>
              ))}
              {covered.by.length === 0 && <span className={isSkipped ? 'badge' : 'badge amber'}>{texts.gap}</span>}
            </span>
            {items.length > 0 && (
              <IconButton
                icon="plus"
                label={texts.nameIn(covered.text)}
                title={texts.name[by]}
                aria-haspopup="dialog"
                needs={changing('spec', spec.status, by)}
                disabled={naming.isPending}
                onClick={({ currentTarget: anchor }) => setPicker({ index, anchor })}
              />
            )}
          </li>
        ))}
      </ol>
      {picker !== undefined && chosen !== undefined && (
        <Picker
          label={texts.name[by]}
          anchor={picker.anchor}
          options={items.map(({ id, title: name }) => ({ value: id, label: name }))}
          chosen={chosen.by.map(({ id }) => id)}
          onChoose={id => {
            setPicker(undefined)
            naming.mutate({ sentence: { text: chosen.text, index: picker.index }, id })
          }}
          onClose={() => setPicker(undefined)}
        />
      )}
    </Section>
  )
}

/** A sentence, which items name by its text or by its index in its list. */
interface Sentence {
  readonly text: string
  readonly index: number
}

/** Makes an item name a sentence, or stop naming it, in the spec as it was just read. */
function nameSentence(
  { record, tag }: ReadPlan<'spec'>,
  list: NamingList,
  id: string,
  { text, index }: Sentence,
): Promise<unknown> {
  const field = namings[list]
  const items: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[] = record[list] ?? []
  const changed = items.map(item => {
    if (item.id !== id) return item
    const named = (item[field] as readonly string[] | null) ?? []
    const others = named.filter(name => name !== text && name !== String(index))
    return { ...item, [field]: others.length < named.length ? others : [...named, String(index)] }
  })
  return planCalls.spec.update(record.id, { [list]: changed }, { ifMatch: tag })
}
