import { registry } from '@specboard/contract'
import { expect, test } from 'vitest'
import { searchOperations } from './search.ts'

const found = (query: string, limit: number) =>
  searchOperations(query, () => true)
    .slice(0, limit)
    .map(operation => operation.name)

test.each(registry.filter(({ caller }) => caller === undefined).map(({ name, title }) => [name, title] as const))(
  '%s is found by its name and title',
  (name, title) => {
    expect(found(name, 1)).toEqual([name])
    expect(found(title, 3)).toContain(name)
  },
)

/** What people ask for, and the operation that they mean. */
const tasks: readonly (readonly [string, string])[] = [
  ['create a new ticket', 'create_card'],
  ['open a bug report', 'create_card'],
  ['start working on a task', 'move_card'],
  ['mark the task as done', 'move_card'],
  ['what blocks this card', 'list_card_dependencies'],
  ['which cards are waiting for this one', 'list_card_dependents'],
  ['this task depends on another', 'add_card_dependency'],
  ['show me a card', 'get_card'],
  ['change the assignee of a card', 'update_card'],
  ['remove a task', 'delete_card'],
  ['approve the work on a card', 'submit_task_validation'],
  ['who changed this card', 'list_card_activity'],
  ['write a note on a card', 'create_comment'],
  ['reply to a comment', 'respond_to_comment'],
  ['ask a question about a ticket', 'ask_card_question'],
  ['answer a question on a card', 'answer_card_question'],
  ['attach a screenshot', 'upload_attachment'],
  ['download a file', 'download_attachment'],
  ['propose a new idea', 'create_ideation'],
  ['list all epics', 'list_ideations'],
  ['estimate the complexity of an idea', 'evaluate_ideation'],
  ['approve an idea', 'move_ideation'],
  ['turn an idea into a spec', 'derive_spec_from_ideation'],
  ['break an idea down into a refinement', 'create_refinement'],
  ['finish a refinement', 'move_refinement'],
  ['write a prd', 'create_spec'],
  ['edit the requirements of a spec', 'update_spec'],
  ['read the specification', 'get_spec'],
  ['sign off a spec', 'submit_spec_validation'],
  ['lock the spec', 'submit_spec_validation'],
  ['link a task to a test scenario', 'link_task_to_scenario'],
  ['plan an iteration', 'create_sprint'],
  ['split a spec into sprints', 'suggest_sprints'],
  ['add tasks to a sprint', 'assign_sprint_tasks'],
  ['close the sprint', 'move_sprint'],
  ['rate a sprint', 'submit_sprint_evaluation'],
  ['which projects can I see', 'list_boards'],
  ['create a project board', 'create_board'],
  ['kanban columns', 'get_board_columns'],
  ['invite somebody to a board', 'create_board_share'],
  ['hide an old record', 'archive_record'],
  ['bring back an archived spec', 'restore_record'],
  ['what am I allowed to do', 'get_my_permissions'],
  ['rotate an api key', 'regenerate_agent_key'],
  ['add a new agent', 'create_agent'],
  ['give an agent access to a board', 'grant_board_access'],
  ['create a role', 'create_preset'],
  ['coding conventions of the board', 'list_board_guidelines'],
  ['add a rule for the board', 'add_board_guideline'],
  ['draw an architecture diagram', 'import_excalidraw_diagram'],
  ['architecture design of a spec', 'create_spec_architecture'],
  ['compare two versions of a design', 'diff_architecture'],
  ['how fast are we', 'get_velocity_analytics'],
  ['what is stuck', 'get_blockers_analytics'],
  ['export the numbers as csv', 'export_board_analytics'],
  ['have we decided something similar before', 'find_similar_kg_nodes'],
  ['decisions that contradict each other', 'list_kg_contradictions'],
  ['run a cypher query', 'query_kg_cypher'],
  ['rebuild the knowledge graph', 'start_kg_backfill'],
  ['trace where a card comes from', 'get_lineage_graph'],
]

test('plain words find the operation among the first five in at least 57 of 60 cases', () => {
  const missed = tasks.filter(([query, name]) => !found(query, 5).includes(name))
  expect(tasks.length).toBe(60)
  expect(missed.length > 3 ? missed.map(([query]) => `${query}: ${found(query, 5)}`) : []).toEqual([])
})

test.each([
  ['report a bug', 'create_card'],
  ['small change', 'create_card'],
  ['fix a typo', 'create_card'],
  ['chore', 'create_card'],
  ['quick task', 'create_card'],
  ['add a todo', 'create_card'],
  ['note how far I am', 'save_checkpoint'],
  ['this small change grew into a spec', 'promote_card'],
])('%s finds %s (crew 6.8)', (query, name) => {
  expect(found(query, 3)).toContain(name)
})

test.each(["why can't I move", 'what may I do', 'what is blocked'])('%s finds get_allowed_moves', query => {
  expect(found(query, 5)).toContain('get_allowed_moves')
})

test.each(['what should I do', 'what waits for me', 'what to do next', 'what is in my inbox'])(
  'a lost agent finds its inbox: %s',
  query => {
    expect(found(query, 3)).toContain('list_my_inbox')
  },
)

test.each([
  ['what changed', 'diff_record'],
  ['what changed since I was away', 'stream_my_events'],
  ['find a record by its words', 'search_records'],
  ['where is it', 'search_records'],
])('%s finds %s', (query, name) => {
  expect(found(query, 5)).toContain(name)
})

test('equal queries find equal results, and unknown words find nothing', () => {
  expect(found('approve a spec', 20)).toEqual(found('approve a spec', 20))
  expect(found('zzzz qqqq', 5)).toEqual([])
})

test('a word matches words that it is a prefix of, not words that are its prefix', () => {
  const names = (query: string) => searchOperations(query, () => true).map(({ name }) => name)
  expect(names('ticket')).not.toContain('run_kg_tick')
  expect(names('valid')).toContain('submit_task_validation')
})
