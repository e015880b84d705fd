import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { ChipsField } from '../../components/chips-field.tsx'
import { InputField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Input } from '../../components/input.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Select } from '../../components/select.tsx'
import { Submit } from '../../components/submit.tsx'
import { toast } from '../../components/toast.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { Needs } from '../../data/needs.ts'
import { messages } from '../../messages/messages.ts'
import { Advice } from './advice.tsx'
import { ColumnLimits } from './column-limits.tsx'
import { repositoriesOf } from './repository.ts'
import { RuleSets } from './rule-sets.tsx'

const texts = messages.settings

type Settings = BoardListItem['settings']
type RuleName = keyof typeof texts.rules

const groups = {
  cards: [
    ...['require_task_validation', 'min_confidence', 'min_completeness', 'max_drift'],
    ...['require_separate_reviewer', 'auto_move', 'rework_reserve_minutes', 'max_attempts', 'max_scenarios_per_card'],
    ...['small_changes', 'small_change_max_hours', 'small_change_max_attempts'],
    ...['min_evidence_tier', 'require_fresh_evidence', 'require_merged_change', 'require_green_checks'],
    ...['auto_start_on_change', 'auto_validation_on_pull_request', 'auto_done_on_merge', 'notify_failed_checks'],
  ],
  specs: ['require_spec_validation', 'min_spec_completeness', 'min_spec_assertiveness', 'max_spec_ambiguity'],
  coverage: [
    ...['skip_test_coverage_global', 'skip_rules_coverage_global', 'skip_trs_coverage_global'],
    ...['skip_contract_coverage_global', 'skip_decisions_coverage_global', 'skip_test_evidence_global'],
  ],
  bugs: ['require_test_task_for_bug', 'bug_test_gate_min_severity'],
  files: ['overlap', 'edit_guard', 'stop_claim', 'hook_evidence'],
  approvals: ['approval_spec', 'approval_spec_validation', 'approval_card_validation', 'approval_done'],
} as const satisfies Readonly<Record<keyof typeof texts.groups, readonly string[]>>

const sharedWords = { add: texts.addSharedPath, remove: messages.card.removePath }

/** The permissions needed to change a board and its rules. */
const ruling: Needs = ['BOARDS_UPDATE']

const optionsOf = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([value, label]) => ({ value, label }))

/** The values of rules with fixed choices; the other rules with choices are about who approves. */
const choices: { readonly [N in RuleName]?: ReturnType<typeof optionsOf> } = {
  bug_test_gate_min_severity: optionsOf(texts.severities),
  min_evidence_tier: optionsOf(texts.tiers),
  overlap: optionsOf(texts.overlap),
  edit_guard: optionsOf(texts.editGuard),
  stop_claim: optionsOf(texts.stopClaim),
  hook_evidence: optionsOf(texts.hookEvidence),
}
const approvals = optionsOf(texts.approvals)

/** The name and rules of a board (access 4). */
export function Rules({ board }: { readonly board: BoardListItem }) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const save = async (change: Omit<Parameters<typeof client.updateBoard>[0], 'board_id'>) => {
    const { key } = await client.updateBoard({ board_id: board.id, ...change })
    await queries.invalidateQueries({ queryKey: keys.boards })
    toast(texts.saved)
    if (key !== board.key) navigate(`/b/${key}/settings`, { replace: true })
  }
  const previews = usePreviews(board)
  const renaming = useMutation({ mutationFn: save })
  const setting = useMutation({ mutationFn: save })
  const rename = (form: FormData) => {
    const [name, key, description] = ['name', 'key', 'description'].map(field => String(form.get(field)))
    return renaming.mutateAsync({ name: name!, description: description!, ...(key !== board.key && { key: key! }) })
  }
  return (
    <>
      <Advice board={board} />
      <Form draft={`board:${board.id}`} className="settings-form stack" onSend={rename}>
        <InputField label={texts.name} name="name" required maxLength={255} defaultValue={board.name} />
        <InputField label={texts.key} name="key" required defaultValue={board.key} />
        <InputField label={texts.description} name="description" defaultValue={board.description} />
        <Submit sending={renaming} needs={ruling}>
          {messages.shell.save}
        </Submit>
      </Form>
      <RuleSets board={board} onChoose={settings => save({ settings })} />
      <Failure error={setting.error} />
      {Object.entries(groups).map(([group, names]) => (
        <section key={group} className="settings-group">
          <h2>{texts.groups[group as keyof typeof groups]}</h2>
          {names.map(name => (
            <Rule
              key={name}
              name={name as RuleName}
              settings={board.settings}
              note={previews[name as RuleName]}
              onChange={settings => setting.mutate({ settings })}
            />
          ))}
          {group === 'files' && (
            <SharedPaths
              paths={board.settings.shared_paths}
              onChange={shared_paths => setting.mutate({ settings: { shared_paths } })}
            />
          )}
        </section>
      ))}
      <ColumnLimits settings={board.settings} onChange={settings => setting.mutate({ settings })} />
      <Deletion board={board} />
    </>
  )
}

const tiers = ['observed', 'ci', 'person'] as const

/** How many cards each rule about evidence and changes would refuse; nothing if none is in validation. */
function usePreviews(board: BoardListItem): { readonly [N in RuleName]?: string } {
  const { data } = useQuery({
    queryKey: keys.list(board.id, 'settings-preview', { settings: board.settings }),
    queryFn: () => client.previewBoardSettings({ board_id: board.id }),
  })
  // A board without a repository has no changes to count.
  const isConnected = (useQuery(repositoriesOf(board.id)).data?.length ?? 0) > 0
  if (data === undefined) return {}
  const { in_validation, refused, automations } = data
  const done = automations === null || !isConnected ? {} : automationNotes(automations)
  if (in_validation === 0) return done
  const says = (count: number | null) => (count === null ? undefined : texts.preview.now(count, in_validation))
  const byTier = tiers.map(tier => texts.preview.tier(texts.tiers[tier], refused.min_evidence_tier[tier]))
  const merged = says(refused.require_merged_change)
  const green = says(refused.require_green_checks)
  return {
    ...done,
    min_evidence_tier: texts.preview.tiers(byTier.join(', '), in_validation),
    require_fresh_evidence: texts.preview.now(refused.require_fresh_evidence, in_validation),
    ...(merged !== undefined && { require_merged_change: merged }),
    ...(green !== undefined && { require_green_checks: green }),
  }
}

type Preview = Awaited<ReturnType<typeof client.previewBoardSettings>>

/** What each automation would have done in the last 7 days (git 10). */
function automationNotes(automations: NonNullable<Preview['automations']>): { readonly [N in RuleName]?: string } {
  const moved = ({ moves, cards }: (typeof automations)['auto_start_on_change']) =>
    texts.preview.moved(moves, listed(moves, cards))
  const { moves, cards } = automations.notify_failed_checks
  return {
    auto_start_on_change: moved(automations.auto_start_on_change),
    auto_validation_on_pull_request: moved(automations.auto_validation_on_pull_request),
    auto_done_on_merge: moved(automations.auto_done_on_merge),
    notify_failed_checks: texts.preview.failedChecks(moves, listed(moves, cards)),
  }
}

const listed = (total: number, refs: readonly string[]): string =>
  [...refs, ...(total > refs.length ? ['…'] : [])].join(', ')

interface RuleProps {
  readonly name: RuleName
  readonly settings: Settings
  /** The consequences of the rule now. */
  readonly note?: string | undefined
  readonly onChange: (settings: Partial<Omit<Settings, 'cognitive_llm_config'>>) => void
}

/** A rule: its description, and its value, which is saved when it changes. */
function Rule({ name, settings, note, onChange }: RuleProps) {
  const value = settings[name]
  const label = texts.rules[name]
  if (typeof value === 'boolean')
    return (
      <label className="rule">
        <Input
          needs={ruling}
          type="checkbox"
          checked={value}
          onChange={event => onChange({ [name]: event.target.checked })}
        />
        <span className="stack">
          {label}
          {note !== undefined && <span className="muted">{note}</span>}
        </span>
      </label>
    )
  return (
    <div className="rule">
      <span className="grow stack">
        {label}
        {note !== undefined && <span className="muted">{note}</span>}
      </span>
      {typeof value === 'number' ? (
        <Input
          // The new key resets the field if a value was refused, or changed elsewhere.
          key={value}
          needs={ruling}
          className="input numbers"
          type="number"
          aria-label={label}
          min={0}
          max={100}
          defaultValue={value}
          onBlur={event => {
            if (event.target.value !== '' && Number(event.target.value) !== value)
              onChange({ [name]: Number(event.target.value) })
          }}
        />
      ) : (
        <Select
          label={label}
          value={value}
          options={choices[name] ?? approvals}
          needs={ruling}
          onChange={choice => onChange({ [name]: choice })}
        />
      )}
    </div>
  )
}

interface SharedPathsProps {
  readonly paths: readonly string[]
  readonly onChange: (paths: string[]) => void
}

/** Files that everybody changes, which do not count as overlaps (harness 5.1). */
const SharedPaths = ({ paths, onChange }: SharedPathsProps) => (
  <div className="stack">
    <span>{texts.sharedPaths}</span>
    <ChipsField
      values={paths}
      words={sharedWords}
      maxLength={200}
      needs={ruling}
      onAdd={path => onChange([...paths, path])}
      onRemove={path => onChange(paths.filter(other => other !== path))}
    />
  </div>
)

/** Deletes a board, after two confirmations. */
function Deletion({ board }: { readonly board: BoardListItem }) {
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [typed, setTyped] = useState('')
  const deleting = useMutation({
    mutationFn: async () => {
      await client.deleteBoard({ board_id: board.id })
      navigate('/')
      await queries.invalidateQueries({ queryKey: keys.boards })
    },
  })
  return (
    <section className="settings-group danger">
      <h2>{texts.danger}</h2>
      <p className="muted">{texts.dangerLead}</p>
      <InputField label={texts.typeKey(board.key)} value={typed} onChange={event => setTyped(event.target.value)} />
      <Failure error={deleting.error} />
      <div className="row">
        <Button
          needs={['BOARDS_DELETE']}
          disabled={typed !== board.key || deleting.isPending}
          onClick={() => deleting.mutate()}
        >
          {texts.deleteBoard}
        </Button>
      </div>
    </section>
  )
}
