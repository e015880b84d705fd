import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressOfCoverage } from '../../address.ts'
import { EditedText } from '../../components/edited-text.tsx'
import { Icon } from '../../components/icon.tsx'
import { TextForm } from '../../components/text-form.tsx'
import { changing } from '../../data/needs.ts'
import { planCalls, readPlan, refreshPlan, type Spec } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { linesIn } from './field-values.ts'
import type { FieldName } from './fields.ts'
import { type Line, lineAt, textOfLine, withLine } from './lists.ts'
import type { ShownPlan } from './shown.ts'

interface LinesProps extends ShownPlan {
  readonly name: FieldName
  readonly lines: readonly Line[]
}

const texts = messages.planning

/** A list of texts, each edited in place. An edit is applied to the list's latest state. */
export function Lines({ kind, record, tag, name, lines }: LinesProps) {
  const queries = useQueryClient()
  const label = texts.fields[name]
  const needs = changing(kind, record.status, name)
  const textAt = (list: readonly Line[], index: number, from: string) => {
    const line = list[lineAt(list, index, from)]
    return line === undefined ? '' : textOfLine(line)
  }
  const write = async (index: number, text: string, ifMatch: string, from: string) => {
    const now = await readPlan(kind, record.id)
    const list = linesIn(now.record, name)
    await planCalls[kind].update(record.id, { [name]: withLine(list, lineAt(list, index, from), text) }, { ifMatch })
  }
  return (
    <>
      {lines.length > 0 && (
        <ol className="plain plan-lines">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place; two may say the same
            <li key={index}>
              <span className="plan-number numbers muted">
                {name === 'acceptance_criteria' ? `C${index + 1}` : index + 1}
              </span>
              <EditedText
                draft={`${kind}:${record.id}:${name}:${index}`}
                text={textOfLine(line)}
                tag={tag}
                label={`${label} ${index + 1}`}
                needs={needs}
                read={async from => {
                  const now = await refreshPlan(queries, kind, record.id)
                  return { text: textAt(linesIn(now.record, name), index, from), tag: now.tag }
                }}
                write={(text, ifMatch, from) => write(index, text, ifMatch, from)}
              />
              {name === 'acceptance_criteria' && 'test_scenarios' in record && (
                <CriterionProof spec={record} place={index} text={textOfLine(line)} />
              )}
            </li>
          ))}
        </ol>
      )}
      <TextForm
        draft={`${kind}:${record.id}:${name}:new`}
        label={texts.newItem(label)}
        submit={texts.addItem}
        needs={needs}
        onSubmit={async text => {
          const now = await readPlan(kind, record.id)
          const list = linesIn(now.record, name)
          await planCalls[kind].update(record.id, { [name]: withLine(list, list.length, text) }, { ifMatch: now.tag })
          await refreshPlan(queries, kind, record.id)
        }}
      />
    </>
  )
}

interface CriterionProofProps {
  readonly spec: Spec
  readonly place: number
  readonly text: string
}

/** How many of the scenarios of a criterion passed. A scenario names it by its index or its text (specs 4.1). */
function CriterionProof({ spec, place, text }: CriterionProofProps) {
  const scenarios = (spec.test_scenarios ?? []).filter(
    ({ linked_criteria }) => linked_criteria?.includes(String(place)) || linked_criteria?.includes(text),
  )
  const passed = scenarios.filter(({ status }) => status === 'passed').length
  const isFailed = scenarios.some(({ status }) => status === 'failed')
  if (scenarios.length === 0)
    return (
      <Link className="plan-proved" href={addressOfCoverage(spec.ref)}>
        {texts.noTest}
      </Link>
    )
  const look = isFailed ? 'bad' : passed === scenarios.length ? 'ok' : 'muted'
  return (
    <span className={`plan-proved row numbers ${look}`} title={texts.proved(passed, scenarios.length)}>
      <Icon name={isFailed ? 'disproven' : 'proven'} size={14} />
      <span aria-hidden="true">
        {passed}/{scenarios.length}
      </span>
      <span className="hidden">{texts.proved(passed, scenarios.length)}</span>
    </span>
  )
}
