import settings from 'virtual:settings'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { messages } from '../../messages/messages.ts'

const { rules, tiers } = messages.settings
const texts = messages.ruleSets

type Settings = BoardListItem['settings']

/** The rules in each set: what work needs before it moves on. No set requires a repository. */
const light = {
  require_task_validation: false,
  require_separate_reviewer: false,
  require_spec_validation: false,
  small_changes: true,
  min_evidence_tier: 'claimed',
  require_fresh_evidence: false,
  require_test_task_for_bug: false,
  skip_test_coverage_global: true,
  skip_rules_coverage_global: true,
  skip_trs_coverage_global: true,
  skip_contract_coverage_global: true,
  skip_decisions_coverage_global: true,
  skip_test_evidence_global: true,
} as const satisfies Partial<Settings>

type InSet = keyof typeof light

const inSets = Object.keys(light) as InSet[]

type RuleSet = Pick<Settings, InSet>

const usual: RuleSet = settings.defaultBoardSettings

const strict: RuleSet = {
  ...usual,
  require_task_validation: true,
  require_separate_reviewer: true,
  require_spec_validation: true,
  small_changes: false,
  min_evidence_tier: 'observed',
  require_fresh_evidence: true,
}

const sets = { light, usual, strict } satisfies Readonly<Record<string, RuleSet>>

const names = ['light', 'usual', 'strict'] as const

interface RuleSetsProps {
  readonly board: BoardListItem
  readonly onChoose: (settings: Partial<RuleSet>) => Promise<unknown>
}

/** Sets of rules that are applied together (access 4), after a preview of the changes. */
export function RuleSets({ board, onChoose }: RuleSetsProps) {
  const [selected, setSelected] = useState<(typeof names)[number]>()
  const changesTo = (name: (typeof names)[number]) => inSets.filter(rule => sets[name][rule] !== board.settings[rule])
  const changes = selected === undefined ? [] : changesTo(selected)
  return (
    <section className="settings-group">
      <h2>{texts.title}</h2>
      {names.map(name => {
        const count = changesTo(name).length
        return (
          <div key={name} className="rule">
            <span className="grow">
              {texts.names[name]}
              <span className="muted"> – {texts.leads[name]}</span>
            </span>
            {count === 0 ? (
              <span className="badge green">{texts.same}</span>
            ) : (
              <Button
                className="button"
                needs={['BOARDS_UPDATE']}
                aria-label={`${texts.names[name]}: ${texts.changes(count)}`}
                onClick={() => setSelected(name)}
              >
                {texts.changes(count)}
              </Button>
            )}
          </div>
        )
      })}
      {selected !== undefined && (
        <Confirm
          title={texts.names[selected]}
          lead={texts.lead}
          action={texts.apply}
          onConfirm={() => onChoose(Object.fromEntries(changes.map(rule => [rule, sets[selected][rule]])))}
          onClose={() => setSelected(undefined)}
        >
          <dl className="rule-changes">
            {changes.map(rule => (
              <div key={rule}>
                <dt>{rules[rule]}</dt>
                <dd>
                  <span className="muted">{wordsOf(board.settings[rule])}</span> → {wordsOf(sets[selected][rule])}
                </dd>
              </div>
            ))}
          </dl>
        </Confirm>
      )}
    </section>
  )
}

const wordsOf = (value: RuleSet[InSet]): string =>
  typeof value === 'boolean' ? (value ? texts.yes : texts.no) : tiers[value]
