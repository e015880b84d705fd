import type { Reader } from '../calls/reader.ts'
import { type Entry, entry } from './entry.ts'
import { KnownNames } from './known.ts'
import { type Origin, Page } from './page.ts'
import { quoted } from './quoting.ts'
import { designs, knowledge, mockups, moves, questions, recordLine } from './sections.ts'

/** An ideation: text, scope, open questions, children, allowed moves (mcp 12). */
export async function ideationPage(reader: Reader, ideation_id: string): Promise<string> {
  const rest = 'get_ideation'
  const read = await reader.body('get_ideation', { ideation_id })
  const names = await KnownNames.of(reader, read.id, read)
  const ideation = { ...names.applyTo(read), id: read.id, ref: read.ref }
  const page = new Page('Ideation', ideation.title, [ideation.status, `v${ideation.version}`])
  page.facts(
    'Facts',
    {
      id: ideation.id,
      ref: ideation.ref,
      board_id: ideation.board_id,
      complexity: ideation.complexity,
      assignee_id: ideation.assignee_id,
      archived: ideation.archived || undefined,
    },
    { labels: ideation.labels },
  )
  page.text('Description', ideation.description, names.origin('description'), rest)
  page.text('Problem statement', ideation.problem_statement, names.origin('problem_statement'), rest)
  page.text('Proposed approach', ideation.proposed_approach, names.origin('proposed_approach'), rest)
  page.section('Scope assessment', assessment(ideation.scope_assessment ?? {}, names.origin('scope_assessment')), rest)
  questions(page, ideation.qa_items, 'list_ideation_questions')
  page.section('Refinements', ideation.refinements.map(recordLine), 'list_refinements')
  page.section('Specs', ideation.specs.map(recordLine), rest)
  designs(page, ideation.architecture_designs, 'list_ideation_architecture')
  knowledge(page, ideation.knowledge_bases, rest)
  mockups(page, ideation.screen_mockups, rest)
  moves(page, await reader.moves('ideation', ideation_id))
  return page.toString()
}

/** A refinement: text, scope, open questions, specs, allowed moves (mcp 12). */
export async function refinementPage(reader: Reader, refinement_id: string): Promise<string> {
  const rest = 'get_refinement'
  const read = await reader.body('get_refinement', { refinement_id })
  const names = await KnownNames.of(reader, read.id, read)
  const refinement = { ...names.applyTo(read), id: read.id, ref: read.ref }
  const page = new Page('Refinement', refinement.title, [refinement.status, `v${refinement.version}`])
  page.facts(
    'Facts',
    {
      id: refinement.id,
      ref: refinement.ref,
      board_id: refinement.board_id,
      ideation_id: refinement.ideation_id,
      assignee_id: refinement.assignee_id,
      archived: refinement.archived || undefined,
    },
    { labels: refinement.labels },
  )
  page.text('Description', refinement.description, names.origin('description'), rest)
  page.section('In scope', bullets(refinement.in_scope, names.origin('in_scope')), rest)
  page.section('Out of scope', bullets(refinement.out_of_scope, names.origin('out_of_scope')), rest)
  page.text('Analysis', refinement.analysis, names.origin('analysis'), rest)
  page.section('Decisions', bullets(refinement.decisions, names.origin('decisions')), rest)
  questions(page, refinement.qa_items, 'list_refinement_questions')
  page.section('Specs', refinement.specs.map(recordLine), rest)
  designs(page, refinement.architecture_designs, 'list_refinement_architecture')
  knowledge(page, refinement.knowledge_bases, 'list_refinement_knowledge')
  mockups(page, refinement.screen_mockups, rest)
  moves(page, await reader.moves('refinement', refinement_id))
  return page.toString()
}

const bullets = (texts: readonly string[] | null, origin: Origin): Entry[] =>
  (texts ?? []).map((text, index) => entry(`- ${index + 1}`, { name: 'Text', text, ...origin }))

/** The scope assessment, a free-form object: figures unchanged, texts as texts, anything else as quoted JSON. */
const assessment = (scope: Readonly<Record<string, unknown>>, origin: Origin): (Entry | undefined)[] =>
  Object.entries(scope).map(([name, value]) => {
    if (value === null || value === '') return undefined
    if (typeof value === 'string') return entry(`- ${plainName(name)}`, { name: 'Text', text: value, ...origin })
    const isFigure = typeof value === 'number' || typeof value === 'boolean'
    return entry(`- ${plainName(name)}: ${isFigure ? value : quoted(JSON.stringify(value))}`)
  })

const plainName = (name: string): string => (/^[a-z_]{1,60}$/.test(name) ? name : quoted(name))

/** A sprint: goal, cards by status, evaluation state (mcp 12). */
export async function sprintPage(reader: Reader, sprint_id: string): Promise<string> {
  const rest = 'get_sprint'
  const read = await reader.body('get_sprint', { sprint_id })
  const names = await KnownNames.of(reader, read.id, read)
  const sprint = { ...names.applyTo(read), id: read.id, ref: read.ref }
  const page = new Page('Sprint', sprint.title, [sprint.status, `v${sprint.version}`])
  page.facts(
    'Facts',
    {
      id: sprint.id,
      ref: sprint.ref,
      board_id: sprint.board_id,
      spec_id: sprint.spec_id,
      start_date: sprint.start_date,
      end_date: sprint.end_date,
      done: `${sprint.cards_done} of ${sprint.cards_total} cards`,
      archived: sprint.archived || undefined,
    },
    { labels: sprint.labels },
  )
  page.text('Objective', sprint.objective, names.origin('objective'), rest)
  page.text('Expected outcome', sprint.expected_outcome, names.origin('expected_outcome'), rest)
  page.text('Description', sprint.description, names.origin('description'), rest)
  for (const [status, cards] of Map.groupBy(sprint.cards, card => card.status))
    page.section(`Cards ${status}`, cards.map(recordLine), rest)
  page.section(
    'Evaluations',
    (sprint.evaluations ?? [])
      .filter(({ stale }) => !stale)
      .map(
        ({ evaluator_name, recommendation, overall_score }) =>
          `- ${quoted(evaluator_name)}: ${recommendation}, ${overall_score}`,
      ),
    rest,
  )
  moves(page, await reader.moves('sprint', sprint_id))
  return page.toString()
}
