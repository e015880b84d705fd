/** The web shop of the demo board: its plan, and the progress of the work. */
import { type Client, createClient } from '@specboard/client'

/** Creates an agent on a board; returns a client with its key. */
export type Hire = (name: string, kind?: 'ci') => Promise<Client>

/** Makes agents of one board. */
export const hiring =
  (owner: Client, url: string, board_id: string): Hire =>
  async (name, kind) => {
    const { api_key } = await owner.createAgent({ name, board_ids: [board_id], ...(kind && { kind }) })
    return createClient({ url, key: api_key! })
  }

/** The report on work that was done as planned. */
export const allDone = {
  completeness: 100,
  completeness_justification: 'All of it is there and tested.',
  drift: 0,
  drift_justification: 'As planned.',
}

/** From the idea to a spec in progress, followed by another idea. */
export async function plan(planner: Client, board_id: string): Promise<string> {
  const { id: ideation_id } = await planner.createIdeation({
    board_id,
    title: 'A basket that survives signing in',
    problem_statement: 'Guests lose their basket when they sign in at the checkout, and a fifth of them leave.',
    proposed_approach: 'Keep the basket on the server from the first article on, and join both when a guest signs in.',
    labels: ['checkout'],
  })
  for (const status of ['review', 'approved', 'evaluating', 'done'] as const)
    await planner.moveIdeation({ ideation_id, status })
  const { id: refinement_id } = await planner.createRefinement({
    ideation_id,
    title: 'Basket of guests',
    in_scope: ['Baskets of guests', 'Joining two baskets'],
    out_of_scope: ['Wish lists'],
  })
  for (const status of ['review', 'approved', 'done'] as const) await planner.moveRefinement({ refinement_id, status })
  await planner.createIdeation({ board_id, title: 'Pay by invoice', problem_statement: 'Companies ask for it weekly.' })
  const { id } = await planner.createSpec({
    board_id,
    refinement_id,
    title: 'Keep the basket when a guest signs in',
    description:
      'A guest who signs in finds everything in the basket that was in it before, and what an earlier visit left there.',
    status: 'in_progress',
    functional_requirements: [
      'The basket of a guest is kept on the server for 30 days',
      'Signing in joins both baskets',
    ],
    acceptance_criteria: ['A guest who signs in sees every article', 'The same article is not counted twice'],
    business_rules: [
      {
        id: 'br1',
        title: 'Larger amount wins',
        rule: 'Of an article in both baskets the larger amount is kept',
        when: '',
        then: '',
      },
    ],
    test_scenarios: [
      {
        id: 'ts1',
        title: 'Guest signs in',
        linked_criteria: ['0'],
        given: 'a guest with two articles',
        when: 'they sign in',
        then: 'both are in the basket',
      },
      {
        id: 'ts2',
        title: 'Both baskets hold an article',
        linked_criteria: ['1'],
        given: 'two of it here, three there',
        when: 'they sign in',
        then: 'three are in the basket',
      },
    ],
    labels: ['checkout'],
  })
  return id
}

/** Cards in every column, one of them blocked and one sent back for rework, and questions to people. */
export async function work(
  owner: Client,
  executor: Client,
  reviewer: Client,
  on: { readonly board_id: string; readonly spec_id: string },
): Promise<void> {
  const add = async (title: string, fields: Partial<Parameters<Client['createCard']>[0]> = {}): Promise<string> =>
    (await owner.createCard({ ...on, title, ...fields })).id
  const start = (card_id: string) => executor.moveCard({ card_id, target_status: 'started' })
  const finish = async (card_id: string, conclusion: string) => {
    await start(card_id)
    await executor.moveCard({ card_id, target_status: 'validation', conclusion, ...allDone })
  }
  const table = await add('Table for baskets', { priority: 'high', labels: ['database'] })
  await finish(table, 'Created the table `baskets` with an index by visitor.')
  await reviewer.submitTaskValidation({
    card_id: table,
    outcome: 'success',
    summary: 'Read the migration, ran it twice.',
    auto_move: true,
  })
  const cookie = await add('Cookie that names the basket', { priority: 'high', labels: ['web'] })
  await finish(cookie, 'The cookie lives for 30 days.')
  const join = await add('Join both baskets', {
    priority: 'critical',
    test_scenario_ids: ['ts1', 'ts2'],
    labels: ['checkout'],
  })
  await finish(join, 'Adds the amounts of both baskets.')
  await reviewer.submitTaskValidation({
    card_id: join,
    outcome: 'failed',
    summary: 'Adds the amounts; the rule says that the larger one wins.',
  })
  await executor.moveCard({ card_id: join, target_status: 'in_progress' })
  const page = await add('Show what came from the other basket', { priority: 'medium', labels: ['web'] })
  await owner.addCardDependency({ card_id: page, depends_on_id: join })
  await add('Empty baskets after 30 days', { priority: 'low', labels: ['database'], due_date: '2027-01-15T00:00:00Z' })
  const mail = await add('Mail about a basket that was left', { labels: ['mail'] })
  await executor.moveCard({ card_id: mail, target_status: 'on_hold' })
  await executor.createComment({
    card_id: mail,
    content: 'When should it be sent?',
    comment_type: 'choice',
    choices: [
      { id: 'day', label: 'After a day' },
      { id: 'week', label: 'After a week' },
    ],
  })
  await add('Signing in joins baskets', { card_type: 'test', test_scenario_ids: ['ts1'], labels: ['checkout'] })
  const bug = await add('Two tabs empty the basket', {
    card_type: 'bug',
    origin_task_id: table,
    severity: 'major',
    priority: 'high',
    observed_behavior: 'A second tab writes an empty basket over the first.',
    expected_behavior: 'Both tabs show the same basket.',
  })
  await executor.askCardQuestion({ card_id: bug, question: 'Does this happen in private windows, too?' })
}
