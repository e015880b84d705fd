/**
 * Specs in lists, with their proof (evidence 7). A list reads the marks of its specs; scenarios and results are read
 * and judged once for all lists, until a mark differs.
 */
import { dialect, type Json, type Param } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { type Settings, settingsOf } from '../../kernel/board-settings.ts'
import { parseJson } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { BoardsTable, SpecsTable } from '../../schema/tables.ts'
import { mayBeLowered, type ScenarioResult } from './card-evidence.ts'
import { judgedAlone } from './judges.ts'
import { type ProvenSpec, scenariosIn } from './proven-specs.ts'
import type { JudgedItem, ProofSettings } from './rules.ts'
import { ScenarioResults } from './scenario-results.ts'
import { type FullProof, isShown, type Sign, shownProof, signOf } from './shown.ts'
import type { Tier } from './tiers.ts'

/** Whether a board `b` ever received anything beyond self-reported results. */
export const hasEvidence = sql`exists (select 1 from test_reports r where r.board_id = b.id)
  or exists (select 1 from proof_runs p where p.board_id = b.id)
  or exists (select 1 from scenario_results s where s.board_id = b.id and s.tier <> 'claimed')
  or exists (select 1 from task_validations v where v.board_id = b.id and v.present = 1)`

const requiredTier = sql`coalesce(${dialect.jsonText(sql.ref<string>('b.settings'), 'min_evidence_tier')}, 'claimed')`

/**
 * The members of a packed result, in this order; the id of the scenario is last, because it may contain any character.
 */
const members = [
  'tier',
  'tier_reason',
  'status',
  'seen_by',
  'commit_sha',
  'repository_id',
  'report_id',
  'run_id',
  'is_flaky',
  'print',
  'made_at',
  'scenario_id',
] as const

type Member = (typeof members)[number]

const separator = '|'

/** The results of a spec `o` as one JSON array of texts: SQLite hands over one text faster than many rows. */
const packed = (table: string, overrides: Partial<Record<Member, RawBuilder<unknown>>> = {}) => {
  const values = members.map(name => overrides[name] ?? sql`coalesce(${sql.ref(`s.${name}`)}, '')`)
  return sql`(select ${dialect.jsonCollect(sql.join(values, sql` || ${sql.lit(separator)} || `))}
    from ${sql.table(table)} s where s.spec_id = o.id and ${sameBoard('s', 'o')} and s.status in ('passed', 'failed'))`
}

const flaky = { is_flaky: sql`case when s.is_flaky = 1 then '1' else '' end` }
const imported = { ...flaky, tier: sql`'claimed'`, tier_reason: sql`'imported'`, seen_by: sql`''` }

type PackedIds = Json<string[]>

/**
 * What identifies the state of a spec: as long as none of it differs, its scenarios and results are those that were
 * read last.
 */
interface Marks {
  ref: string
  settings: BoardsTable['settings']
  is_shown: Flag
  /** Raised by every change of the scenarios. */
  rev: number
  /** Set by every result, even if only its tier or commit is new. */
  updated_at: string
  /** The number of results; imported ones are added after their spec. */
  results_count: number
  imported_count: number
  /** The repositories of the board: when one is deleted, results no longer name it. */
  repositories: string | null
}

interface MarkedRow extends Marks {
  id: string
  /** Whether changes are linked to it or to one of its cards. */
  is_changed: Flag
  done_tier: Tier | null
}

interface ContentRow extends MarkedRow, Pick<SpecsTable, 'test_scenarios'> {
  results: PackedIds | null
  imported: PackedIds | null
}

const whileShown = (value: RawBuilder<unknown>) => sql`case when asked.is_shown = 1 then ${value} end`

const countIn = (table: string) =>
  whileShown(sql`(select count(*) from ${sql.table(table)} s where s.spec_id = o.id and ${sameBoard('s', 'o')})`)

/** The specs that are asked for. */
interface SpecParameters {
  board: string
  ids: string
  all: 0 | 1
}

/** A query for some specs of a board; it returns none if the board does not show proof. */
const specsOf = (
  param: Param<SpecParameters>,
  ...more: readonly RawBuilder<unknown>[]
) => sql`with asked as materialized (select b.id as board_id, b.settings,
      case when ${requiredTier} <> 'claimed' or ${hasEvidence} then 1 else 0 end as is_shown,
      case when exists (select 1 from change_links l where l.board_id = b.id) then 1 else 0 end as has_changes,
      (select ${dialect.jsonCollect(sql.ref('r.id'))} from repositories r where r.board_id = b.id) as repositories
    from boards b where b.id = ${param('board')})
    select ${sql.join([
      sql`o.id, o.rev, o.updated_at, ${refOf('o')} as ref, asked.settings, asked.is_shown, asked.repositories`,
      sql`${countIn('scenario_results')} as results_count, ${countIn('imported_results')} as imported_count`,
      sql`case when asked.is_shown = 0 or asked.has_changes = 0 then 0
        when exists (select 1 from change_links l where l.entity_id = o.id and ${sameBoard('l', 'o')} and l.is_undone = 0) then 1
        when exists (select 1 from cards k join change_links l on l.entity_id = k.id and ${sameBoard('l', 'k')}
          where k.spec_id = o.id and ${sameBoard('k', 'o')} and l.is_undone = 0) then 1
        else 0 end as is_changed`,
      sql`${whileShown(sql`(select d.tier from done_tiers d where d.entity_id = o.id and ${sameBoard('d', 'o')} and (d.origin is null or o.status = 'done'))`)} as done_tier`,
      ...more,
    ])}
    from asked cross join specs o
    where ${sameBoard('o', 'asked')} and (asked.is_shown = 1 or ${param('all')} = 1) and ${dialect.inList(sql.ref('o.id'), param('ids'))}`

const markedOf = hot<SpecParameters, MarkedRow>((_, param) => sql<MarkedRow>`${specsOf(param)}`)

const contentsOf = hot<SpecParameters, ContentRow>(
  (_, param) =>
    sql<ContentRow>`${specsOf(
      param,
      sql`o.test_scenarios`,
      sql`${whileShown(packed('scenario_results', flaky))} as results`,
      sql`${whileShown(packed('imported_results', imported))} as imported`,
    )}`,
)

function unpacked(spec_id: string, stored: PackedIds | null): ScenarioResult[] {
  if (stored === null) return []
  return parseJson(stored).map(text => {
    const values = text.split(separator)
    const value = (name: Member) => values[members.indexOf(name)] || null
    return {
      spec_id,
      scenario_id: values.slice(members.indexOf('scenario_id')).join(separator),
      tier: value('tier') as ScenarioResult['tier'],
      tier_reason: value('tier_reason') as ScenarioResult['tier_reason'],
      status: value('status')!,
      seen_by: value('seen_by'),
      commit_sha: value('commit_sha'),
      // What was checked out matters only to changes; for specs that have any, more is read.
      tested_commit: null,
      tree: null,
      repository_id: value('repository_id'),
      report_id: value('report_id'),
      run_id: value('run_id'),
      is_flaky: value('is_flaky') === '1' ? 1 : 0,
      print: value('print') ?? '',
      made_at: value('made_at')!,
    }
  })
}

/** A spec in a list; its scenarios are judged here as long as nothing but their results matters. */
export class ListedSpec implements ProvenSpec {
  readonly id: string
  readonly ref: string
  readonly updated_at: string
  readonly test_scenarios: ProvenSpec['test_scenarios']
  /** Whether changes are linked to it or to one of its cards, so that results may be stale. */
  readonly isChanged: boolean
  readonly doneTier: Tier | null
  readonly #judged: JudgedScenarios | null

  constructor(row: MarkedRow, { test_scenarios, judged }: Content) {
    this.id = row.id
    this.ref = row.ref
    this.updated_at = row.updated_at
    this.test_scenarios = test_scenarios
    this.isChanged = row.is_changed === 1
    this.doneTier = row.done_tier
    this.#judged = judged
  }

  /**
   * Whether some results count less for some records (evidence 1, rule 3), so that each of these records is judged
   * separately.
   */
  get mayBeLowered(): boolean {
    return this.#judged?.mayBeLowered === true
  }

  /**
   * The proof of a record that has some of the spec's scenarios, valid as long as no change is linked to the record;
   * null if no proof is shown, undefined if the spec no longer has any of the scenarios.
   */
  signOf(scenarios: readonly string[]): Sign | null | undefined {
    return this.#judged!.signOf(scenarios)
  }

  /** The spec's own proof, valid as long as no change is linked to the spec; null if no proof is shown. */
  get shown(): FullProof | null {
    const proof = this.#judged!.shown
    return proof === null ? null : { ...proof, done_tier: this.doneTier }
  }
}

/** Maximum number of groups of a spec's scenarios whose proof is cached. */
const maxSigns = 1_000

/** The scenarios of a spec, judged by what was read of it and its board. */
class JudgedScenarios {
  readonly mayBeLowered: boolean
  readonly #items: ReadonlyMap<string, JudgedItem>
  readonly #signs = new Map<string, Sign | null>()
  readonly #settings: ProofSettings
  readonly shown: FullProof | null

  constructor(spec: ProvenSpec, results: readonly ScenarioResult[], settings: ProofSettings) {
    this.mayBeLowered = results.some(mayBeLowered)
    this.#settings = settings
    const byScenario = ScenarioResults.from(results)
    const subjects = (spec.test_scenarios ?? []).map(scenario => byScenario.subjectOf(spec, scenario))
    const items = judgedAlone(subjects, settings)
    this.#items = new Map(items.map(item => [item.subject.id, item]))
    this.shown = isShown(items, settings) ? shownProof(items, { waived: [], done_tier: null }) : null
  }

  signOf(scenarios: readonly string[]): Sign | null | undefined {
    const key = scenarios.join(separator)
    const cached = this.#signs.get(key)
    if (cached !== undefined) return cached
    const items = scenarios.flatMap(id => this.#items.get(id) ?? [])
    if (items.length === 0) return undefined
    const sign = isShown(items, this.#settings) ? signOf(items) : null
    if (this.#signs.size < maxSigns) this.#signs.set(key, sign)
    return sign
  }
}

/** The scenarios of a spec and, if its board shows proof, how they are judged. */
interface Content {
  readonly test_scenarios: ProvenSpec['test_scenarios']
  /** The settings of its board if the board shows proof; otherwise null. */
  readonly settings: Settings | null
  readonly judged: JudgedScenarios | null
}

const marksOf = (row: Marks): readonly unknown[] => [
  row.rev,
  row.updated_at,
  row.ref,
  row.settings,
  row.is_shown,
  row.results_count,
  row.imported_count,
  row.repositories,
]

interface KnownContent extends Content {
  readonly marks: readonly unknown[]
  readonly size: number
}

/**
 * The contents of the specs that were last in lists, the oldest first, and the number of characters that were read for
 * them.
 */
const contents = new Map<string, KnownContent>()
let knownSize = 0
const maxKnown = 8_000_000

function forget(id: string): void {
  knownSize -= contents.get(id)?.size ?? 0
  contents.delete(id)
}

/** The cached content of a spec; undefined if the spec has changed since. */
function knownOf(row: MarkedRow): Content | undefined {
  const content = contents.get(row.id)
  const marks = marksOf(row)
  return content?.marks.every((mark, at) => mark === marks[at]) === true ? content : undefined
}

function contentOf(row: ContentRow): Content {
  const test_scenarios = scenariosIn(row.id, row.test_scenarios)
  const { id, ref, updated_at } = row
  const results = [...unpacked(id, row.results), ...unpacked(id, row.imported)]
  const settings = row.is_shown === 1 ? settingsOf(row.settings) : null
  const spec = { id, ref, updated_at, test_scenarios }
  const judged = settings === null ? null : new JudgedScenarios(spec, results, settings)
  const size = (row.results?.length ?? 0) + (row.imported?.length ?? 0) + (row.test_scenarios?.length ?? 0)
  forget(id)
  contents.set(id, { test_scenarios, settings, judged, marks: marksOf(row), size })
  knownSize += size
  for (const oldest of contents.keys()) {
    if (knownSize <= maxKnown) break
    forget(oldest)
  }
  return { test_scenarios, settings, judged }
}

/** Specs of a board with their proof. */
export interface ListedSpecs {
  /**
   * The settings of the board, if it shows proof; null if it does not; undefined if there is no spec to read them from.
   */
  readonly settings: Settings | null | undefined
  readonly specs: ReadonlyMap<string, ListedSpec>
}

/**
 * Reads specs of a board with their proof.
 * @param among whether to read all of them, or none if the board shows no proof
 */
export async function listedSpecs(
  db: Db,
  board: string,
  ids: Iterable<string>,
  among: 'all' | 'proven',
): Promise<ListedSpecs> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return { settings: undefined, specs: new Map() }
  const all = among === 'all' ? 1 : 0
  const found: (readonly [MarkedRow, Content])[] = []
  const others: string[] = []
  for (const row of await markedOf(db, { board, ids: JSON.stringify(distinct), all })) {
    const content = knownOf(row)
    if (content === undefined) others.push(row.id)
    else found.push([row, content])
  }
  if (others.length > 0)
    for (const row of await contentsOf(db, { board, ids: JSON.stringify(others), all }))
      found.push([row, contentOf(row)])
  const [first] = found
  if (first === undefined) return { settings: among === 'all' ? undefined : null, specs: new Map() }
  const [, { settings }] = first
  return { settings, specs: new Map(found.map(([row, content]) => [row.id, new ListedSpec(row, content)])) }
}
