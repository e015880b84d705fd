/**
 * Specs of lists with what proves them, read by one query (evidence 7). Scenarios that nothing changed since are judged
 * once for all lists, until what was read of them differs.
 */
import { dialect, type Json } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { type Settings, settingsOf } from '../../kernel/board-settings.ts'
import { parseJson } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { BoardsTable, SpecsTable } from '../../schema/tables.ts'
import { judgedAlone } from './judges.ts'
import { type ProvenSpec, scenariosIn } from './proven-specs.ts'
import type { JudgedItem, ProofSettings } from './rules.ts'
import { ScenarioResults } from './scenario-results.ts'
import { isShown, type Shown, type Sign, shownProof, signOf } from './shown.ts'
import type { Tier } from './tiers.ts'
import { mayBeLowered, type ScenarioResult } from './told.ts'

/** Whether a board `b` ever received anything beyond self-reported results. */
export const isTold = sql`exists (select 1 from test_reports r where r.board_id = b.id)
  or exists (select 1 from proof_runs p where p.board_id = b.id)
  or exists (select 1 from scenario_results s where s.board_id = b.id and s.tier <> 'claimed')
  or exists (select 1 from task_validations v where v.board_id = b.id and v.present = 1)`

const requiredTier = sql`coalesce(${dialect.jsonText(sql.ref<string>('b.settings'), 'min_evidence_tier')}, 'claimed')`

/** The members of a packed result, in this order; the id of the scenario is last, as nothing says what it contains. */
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
const packed = (table: string, given: Partial<Record<Member, RawBuilder<unknown>>> = {}) => {
  const values = members.map(name => given[name] ?? sql`coalesce(${sql.ref(`s.${name}`)}, '')`)
  return sql`(select ${dialect.jsonCollect(sql.join(values, sql` || ${sql.lit(separator)} || `))}
    from ${sql.table(table)} s where s.spec_id = o.id and ${sameBoard('s', 'o')} and s.status in ('passed', 'failed'))`
}

const flaky = { is_flaky: sql`case when s.is_flaky = 1 then '1' else '' end` }
const imported = { ...flaky, tier: sql`'claimed'`, tier_reason: sql`'imported'`, seen_by: sql`''` }

type Packed = Json<string[]>

interface Row extends Pick<SpecsTable, 'id' | 'updated_at' | 'test_scenarios'> {
  ref: string
  settings: BoardsTable['settings']
  is_shown: Flag
  /** Whether changes are linked to it or to one of its cards. */
  is_changed: Flag
  results: Packed | null
  imported: Packed | null
  done_tier: Tier | null
}

const whileShown = (value: RawBuilder<unknown>) => sql`case when asked.is_shown = 1 then ${value} end`

const rowsOf = hot<{ board: string; ids: string; all: 0 | 1 }, Row>(
  (_, param) => sql<Row>`with asked as materialized (select b.settings,
      case when ${requiredTier} <> 'claimed' or ${isTold} then 1 else 0 end as is_shown,
      case when exists (select 1 from change_links l where l.board_id = b.id) then 1 else 0 end as has_changes
    from boards b where b.id = ${param('board')})
    select o.id, o.updated_at, o.test_scenarios, ${refOf('o')} as ref, asked.settings, asked.is_shown,
      case when asked.is_shown = 0 or asked.has_changes = 0 then 0
        when exists (select 1 from change_links l where l.entity_id = o.id and ${sameBoard('l', 'o')} and l.is_undone = 0) then 1
        when exists (select 1 from cards k join change_links l on l.entity_id = k.id and ${sameBoard('l', 'k')}
          where k.spec_id = o.id and ${sameBoard('k', 'o')} and l.is_undone = 0) then 1
        else 0 end as is_changed,
      ${whileShown(packed('scenario_results', flaky))} as results,
      ${whileShown(packed('imported_results', imported))} as imported,
      ${whileShown(sql`(select d.tier from done_tiers d where d.entity_id = o.id and ${sameBoard('d', 'o')} and (d.origin is null or o.status = 'done'))`)} as done_tier
    from asked cross join specs o
    where (asked.is_shown = 1 or ${param('all')} = 1) and ${dialect.inList(sql.ref('o.id'), param('ids'))}`,
)

function unpacked(spec_id: string, stored: Packed | null): ScenarioResult[] {
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
      // What was checked out matters to changes alone: of specs with any, more is read.
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

/** A spec of a list, whose scenarios are judged where nothing but their results matters. */
export class ListedSpec implements ProvenSpec {
  readonly id: string
  readonly ref: string
  readonly updated_at: string
  readonly test_scenarios: ProvenSpec['test_scenarios']
  /** Whether changes are linked to it or to one of its cards, so that results may be stale. */
  readonly isChanged: boolean
  readonly doneTier: Tier | null
  readonly #judged: Judged | null

  constructor(row: Row, settings: Settings | null) {
    this.id = row.id
    this.ref = row.ref
    this.updated_at = row.updated_at
    this.test_scenarios = scenariosIn(row.id, row.test_scenarios)
    this.isChanged = row.is_changed === 1
    this.doneTier = row.done_tier
    this.#judged = settings === null ? null : judgedOf(this, row, settings)
  }

  /** Whether some results count less for some records (evidence 1, rule 3): each of these is judged by itself. */
  get mayBeLowered(): boolean {
    return this.#judged?.mayBeLowered === true
  }

  /**
   * The proof of a record with some of its scenarios, as long as no change is linked to it; null where it shows none,
   * undefined where it has none of them any more.
   */
  signOf(scenarios: readonly string[]): Sign | null | undefined {
    return this.#judged!.signOf(scenarios)
  }

  /** Its own proof, as long as no change is linked to it; null where it shows none. */
  get shown(): Shown | null {
    const shown = this.#judged!.shown
    return shown === null ? null : { ...shown, done_tier: this.doneTier }
  }
}

/** How many groups of scenarios of a spec are remembered with their proof. */
const mostSigns = 1_000

/** The scenarios of a spec, judged by what was read of it and its board. */
class Judged {
  readonly mayBeLowered: boolean
  readonly #items: ReadonlyMap<string, JudgedItem>
  readonly #signs = new Map<string, Sign | null>()
  readonly #settings: ProofSettings
  readonly shown: Shown | null

  constructor(spec: ProvenSpec, results: readonly ScenarioResult[], settings: ProofSettings) {
    this.mayBeLowered = results.some(mayBeLowered)
    this.#settings = settings
    const known = ScenarioResults.from(results)
    const subjects = (spec.test_scenarios ?? []).map(scenario => known.subjectOf(spec, scenario))
    const items = judgedAlone(subjects, settings)
    this.#items = new Map(items.map(item => [item.subject.id, item]))
    this.shown = isShown(items, settings) ? shownProof(items, { waived: [], done_tier: null }) : null
  }

  signOf(scenarios: readonly string[]): Sign | null | undefined {
    const key = scenarios.join(separator)
    const known = this.#signs.get(key)
    if (known !== undefined) return known
    const items = scenarios.flatMap(id => this.#items.get(id) ?? [])
    if (items.length === 0) return undefined
    const sign = isShown(items, this.#settings) ? signOf(items) : null
    if (this.#signs.size < mostSigns) this.#signs.set(key, sign)
    return sign
  }
}

/** The specs that were judged last, with all that they were judged by: whatever differs, they are judged again. */
const known = new Map<string, { readonly by: readonly unknown[]; readonly judged: Judged }>()
const mostKnown = 200
const longestKnown = 100_000

function judgedOf(spec: ProvenSpec, row: Row, settings: Settings): Judged {
  const { min_evidence_tier, require_fresh_evidence } = settings
  const by = [
    row.results,
    row.imported,
    row.test_scenarios,
    row.updated_at,
    row.ref,
    min_evidence_tier,
    require_fresh_evidence,
  ]
  const before = known.get(row.id)
  if (before?.by.every((each, at) => each === by[at])) return before.judged
  const results = [...unpacked(row.id, row.results), ...unpacked(row.id, row.imported)]
  const judged = new Judged(spec, results, settings)
  known.delete(row.id)
  if (known.size === mostKnown) known.delete(known.keys().next().value!)
  const length = (row.results?.length ?? 0) + (row.imported?.length ?? 0) + (row.test_scenarios?.length ?? 0)
  if (length <= longestKnown) known.set(row.id, { by, judged })
  return judged
}

/** Specs of a board with what proves them. */
export interface ListedSpecs {
  /** Those of the board, if it shows proof; null if it does not; undefined where no spec tells. */
  readonly settings: Settings | null | undefined
  readonly specs: ReadonlyMap<string, ListedSpec>
}

/**
 * Reads specs of a board with what proves them.
 * @param among all of them, or none where the board shows no proof
 */
export async function listedSpecs(
  db: Db,
  board: string,
  ids: Iterable<string>,
  among: 'all' | 'proven',
): Promise<ListedSpecs> {
  const asked = [...new Set(ids)]
  if (asked.length === 0) return { settings: undefined, specs: new Map() }
  const rows = await rowsOf(db, { board, ids: JSON.stringify(asked), all: among === 'all' ? 1 : 0 })
  const [first] = rows
  if (first === undefined) return { settings: among === 'all' ? undefined : null, specs: new Map() }
  const settings = first.is_shown === 1 ? settingsOf(first.settings) : null
  return { settings, specs: new Map(rows.map(row => [row.id, new ListedSpec(row, settings)])) }
}
