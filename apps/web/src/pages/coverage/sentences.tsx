import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Linked } from '../../components/linked.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section } from '../../components/section.tsx'
import { Select } from '../../components/select.tsx'
import { changing } from '../../data/needs.ts'
import { planCalls, type ReadPlan, readPlan, refreshPlan, type Spec } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import type { Covered } from './rows.ts'
import { Share } from './share.tsx'

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
  readonly sentences: readonly Covered[]
  /** The list whose items name these sentences. */
  readonly by: NamingList
  readonly isSkipped: boolean
}

/** Sentences with the items that name them; a gap is closed by choosing an item. */
export function Sentences({ title, spec, sentences, by, isSkipped }: SentencesProps) {
  const queries = useQueryClient()
  const items = spec[by] ?? []
  const naming = useMutation({
    mutationFn: async ({ index, id }: { readonly index: number; readonly id: string }) => {
      await nameSentence(await readPlan('spec', spec.id), by, id, index)
      await refreshPlan(queries, 'spec', spec.id)
    },
  })
  if (sentences.length === 0) return null
  return (
    <Section title={title}>
      <Share
        done={sentences.filter(covered => covered.by.length > 0).length}
        total={sentences.length}
        isSkipped={isSkipped}
      />
      <Failure error={naming.error} />
      <ol className="coverage-list">
        {sentences.map((covered, index) => (
          <li key={covered.text}>
            <span className="row wrap">
              <bdi>
                <Linked text={covered.text} />
              </bdi>
              {covered.by.map(({ id, title: name }) => (
                <span key={id} className="badge green truncate" dir="auto">
                  {name}
                </span>
              ))}
              {covered.by.length === 0 && <span className={isSkipped ? 'badge' : 'badge amber'}>{texts.gap}</span>}
              {items.length > covered.by.length && (
                <Select
                  className="input coverage-choice"
                  label={texts.nameIn(covered.text)}
                  value=""
                  none={texts.name[by]}
                  options={items
                    .filter(({ id }) => !covered.by.some(other => other.id === id))
                    .map(({ id, title: name }) => ({ value: id, label: name }))}
                  needs={changing('spec', spec.status, by)}
                  disabled={naming.isPending}
                  onChange={id => naming.mutate({ index, id })}
                />
              )}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** Makes an item name a sentence by its index, in the spec as it was just read. */
function nameSentence(
  { record, tag }: ReadPlan<'spec'>,
  list: NamingList,
  id: string,
  index: number,
): Promise<unknown> {
  const field = namings[list]
  const items: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[] = record[list] ?? []
  const changed = items.map(item =>
    item.id === id ? { ...item, [field]: [...((item[field] as readonly string[] | null) ?? []), String(index)] } : item,
  )
  return planCalls.spec.update(record.id, { [list]: changed }, { ifMatch: tag })
}
