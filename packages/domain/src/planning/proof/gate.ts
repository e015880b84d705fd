/** The `proof` gate: what is missing, and the ways to obtain it (evidence 8). */
import type { ProofItem, ProofWay } from '@specboard/contract'
import type { z } from 'zod'
import { firstHolders, holdersAmong } from '../../kernel/access/holders.ts'
import { blocked, type DomainError } from '../../kernel/errors.ts'
import { BaseResolver } from '../../kernel/service/authenticate.ts'
import { parseNullable } from '../../lib/json.ts'
import { quotedName } from '../../lib/quoted-name.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { RepositoriesTable } from '../../schema/tables.ts'
import type { RecordProof } from './judges.ts'
import { asksProof, type JudgedItem, type ProofSettings, type Result } from './rules.ts'
import { isAbove, type Tier } from './tiers.ts'

type Item = z.output<typeof ProofItem>
type Way = z.output<typeof ProofWay>

/** The facts of the gate about a record. */
export interface ProofFacts {
  readonly required_tier: Tier
  readonly fresh: boolean
  readonly missing: readonly Item[]
  readonly ways: readonly Way[]
}

/** The record that a gate is about. */
export interface ProofRecord {
  readonly type: 'card' | 'spec' | 'sprint'
  readonly id: string
  readonly ref: string
  readonly board_id: string
  /** The spec of its scenarios. */
  readonly spec_id: string | null
}

/** A result as callers see it. */
const shownResult = (result: Result) => ({
  tier: result.tier,
  tier_reason: result.tier_reason,
  status: result.status,
  at: result.at,
  commit: result.commit,
  repository_id: result.repository_id,
  report_id: result.report_id,
  run_id: result.run_id,
  flaky: result.flaky,
  outdated: result.outdated,
})

/** An item as callers see it. */
export const shownItem = ({ subject: { kind, id, ref, title }, required, problem, results }: JudgedItem): Item => ({
  kind,
  id,
  ref,
  title,
  ok: problem === 'none',
  problem,
  required_tier: required,
  results: results.map(shownResult),
})

/** The facts of the gate about a record; null if its board does not ask for proof. */
export async function proofFacts(
  db: Db,
  record: ProofRecord,
  settings: ProofSettings,
  read: () => Promise<RecordProof>,
): Promise<ProofFacts | null> {
  if (!asksProof(settings)) return null
  const missing = (await read()).map(shownItem).filter(({ ok }) => !ok)
  const ways = missing.length === 0 ? [] : await waysTo(db, record, missing)
  return { required_tier: settings.min_evidence_tier, fresh: settings.require_fresh_evidence, missing, ways }
}

/** Maximum number of items that a refusal lists. */
const maxMissing = 50

const ended = (sentence: string): string => (sentence.endsWith('.') ? sentence : `${sentence}.`)

/** The refusal of a record that is not proven; null if it is, or if no proof is asked for. */
export function proofRequired(facts: ProofFacts | null): DomainError | null {
  if (facts === null || facts.missing.length === 0) return null
  const { required_tier, fresh, missing, ways } = facts
  const named = missing.slice(0, 3).map(({ ref, problem }) => `${ref} (${problem})`)
  const more = missing.length > named.length ? ` and ${missing.length - named.length} more` : ''
  const requirement = `evidence of tier ${required_tier}${required_tier === 'person' ? '' : ' or above'}${fresh ? ' that is not stale' : ''}`
  const [way] = ways
  return blocked(
    'PROOF_REQUIRED',
    `This needs ${requirement}. Missing: ${named.join(', ')}${more}.${way === undefined ? '' : ` ${ended(way.text)}`}`,
    { required_tier, fresh, missing: missing.slice(0, maxMissing), missing_total: missing.length, ways: [...ways] },
  )
}

/** The available ways that reach the required tier. */
export async function waysTo(db: Db, record: ProofRecord, missing: readonly Item[]): Promise<Way[]> {
  const [first] = missing
  if (first === undefined) return []
  const within = (max: Tier) => missing.filter(({ required_tier }) => !isAbove(required_tier, max))
  const ways: Way[] = []
  const [watched] = within('observed')
  if (watched !== undefined)
    ways.push({
      how: 'command',
      text: `Run specboard prove ${watched.ref} -- <command that tests it>`,
      operation: null,
      arguments: null,
    })
  const [scenario] = within('claimed').filter(({ kind }) => kind === 'scenario')
  if (scenario !== undefined && record.spec_id !== null)
    ways.push({
      how: 'operation',
      text: 'Record the result at the commit that was tested.',
      operation: 'record_scenario_result',
      arguments: { spec_id: record.spec_id, scenario_id: scenario.id, status: 'passed' },
    })
  if (within('ci').length > 0) ways.push(await wayOfCi(db, record.board_id))
  ways.push(await wayOfPerson(db, record.board_id, first))
  if (record.type === 'card') ways.push(await wayOfWaiver(db, record))
  return ways
}

/** A repository of a board that trusts the tokens of its CI runs. */
const trusting = hot<{ board: string }, Pick<RepositoriesTable, 'ci'>>((db, param) =>
  db
    .selectFrom('repositories')
    .select('ci')
    .where('board_id', '=', param('board'))
    .where('ci_issuer', 'is not', null)
    .orderBy('name_key')
    .limit(1),
)

async function wayOfCi(db: Db, board: string): Promise<Way> {
  const [repository] = await trusting(db, { board })
  const trust = parseNullable(repository?.ci ?? null)
  if (trust !== null)
    return {
      how: 'ci',
      text: `Push: CI of ${quotedName(trust.subject)} reports automatically.`,
      operation: null,
      arguments: null,
    }
  const [agent] = await firstHolders(offset =>
    holdersAmong(db, new BaseResolver(), board, ['REPORTS_SUBMIT'], offset, 'ci'),
  )
  if (agent !== undefined)
    return {
      how: 'ci',
      text: `Push: ${quotedName(agent.name)} reports what CI found automatically.`,
      operation: null,
      arguments: null,
    }
  const holders = await namesHolding(db, board, 'AGENTS_CREATE_CI')
  return {
    how: 'ci',
    text: `No CI reports to this board. ${holders} may connect one: create_agent with kind ci.`,
    operation: 'create_agent',
    arguments: { kind: 'ci' },
  }
}

async function wayOfPerson(db: Db, board: string, { kind, id }: Item): Promise<Way> {
  const persons = await firstHolders(offset =>
    holdersAmong(db, new BaseResolver(), board, ['BOARDS_READ'], offset, 'person'),
  )
  const who = persons.length === 0 ? 'A person' : persons.map(({ name }) => quotedName(name)).join(', ')
  const action = kind === 'scenario' ? `records the result of ${id}` : 'validates the card'
  return { how: 'person', text: `${who}, signed in without a key, ${action}.`, operation: null, arguments: null }
}

async function wayOfWaiver(db: Db, { board_id, id }: ProofRecord): Promise<Way> {
  return {
    how: 'waiver',
    text: `${await namesHolding(db, board_id, 'CARDS_WAIVE')} may waive the gate, with a reason.`,
    operation: 'set_card_waiver',
    arguments: { card_id: id, gates: ['proof'] },
  }
}

async function namesHolding(db: Db, board: string, permission: 'CARDS_WAIVE' | 'AGENTS_CREATE_CI'): Promise<string> {
  const holders = await firstHolders(offset => holdersAmong(db, new BaseResolver(), board, [permission], offset))
  return holders.length === 0 ? 'Nobody' : holders.map(({ name }) => quotedName(name)).join(', ')
}
