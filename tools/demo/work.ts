import type { Agent, Step } from './agent.ts'
import { scene, shortened } from './screen.ts'

/** How long an agent waits in one call for another, ms. */
const patience = 20_000

/** The event of a card that a validator judged. */
const finished = 'validation_submitted'

/** The event of a card that its executor hands over, which ends the claim. */
const handedOver = 'claim_released'

const report = (text: string) => ({
  conclusion: text,
  completeness: 100,
  completeness_justification: 'Everything that was planned.',
  drift: 0,
  drift_justification: 'As planned.',
})

/**
 * Returns the position in the board's events; with `wait_ms`, once an event with the action has occurred after `after`.
 */
const events = (board_id: string, action: string, more: object = {}): Step => ({
  name: 'list_board_events',
  arguments: { board_id, action, ...more },
  fields: 'last_sequence',
})

/** The cost for an agent to know again what to do. */
export interface ResumedWork {
  readonly calls: number
  readonly tokens: number
}

/**
 * An agent without memory that knows no board asks what waits for it and reads what that is about. It then knows what
 * to do, why, and the call that does it.
 */
export async function resume(agent: Agent): Promise<ResumedWork> {
  scene('3. An agent that has lost its memory')
  const { items } = await agent.call('list_my_inbox', { limit: 1 })
  const [{ kind, record, actor_name, since, operation, arguments: settles }] = items
  const { functional_requirements } = await agent.call('get_spec', { ...settles, fields: 'functional_requirements' })
  agent.says('asks for its inbox', `${kind}: ${record.ref} "${shortened(record.title, 50)}"`)
  agent.says(
    `learns why: ${actor_name} approved it at ${since}`,
    `${functional_requirements.length} requirements to judge`,
  )
  const { calls, tokens } = agent
  agent.says(
    `knows the next call, ${operation} ${JSON.stringify(settles)}`,
    `${calls} calls, ${Math.round(tokens)} tokens`,
  )
  return { calls, tokens }
}

/** The validator finds the approved spec in its inbox, judges it and opens it for work. */
export async function open(validator: Agent): Promise<string> {
  scene('4. The gates of the spec')
  await validator.call('read_context', { uri: 'specboard://guides/validation' })
  const { items } = await validator.call('list_my_inbox', { kind: 'spec_validation' })
  const spec_id = items[0].record.ref
  await validator.call('get_spec', { spec_id, fields: 'acceptance_criteria,test_scenarios.title' })
  await validator.run([
    {
      name: 'submit_spec_validation',
      arguments: {
        spec_id,
        completeness: 92,
        completeness_justification: 'Each child is in it.',
        assertiveness: 88,
        assertiveness_justification: 'The criteria can be tested.',
        ambiguity: 12,
        ambiguity_justification: 'Two words could be clearer.',
        general_justification: 'Complete, testable and unambiguous enough to be built.',
        recommendation: 'approve',
      },
      fields: 'outcome,spec_status',
    },
    {
      name: 'submit_spec_evaluation',
      arguments: {
        spec_id,
        breakdown_completeness: 90,
        breakdown_justification: 'Every child has a card.',
        granularity: 85,
        granularity_justification: 'Each card is a day or less.',
        dependency_coherence: 95,
        dependency_justification: 'No cycles, no gaps.',
        test_coverage_quality: 80,
        test_coverage_justification: 'One scenario per criterion.',
        overall_score: 88,
        overall_justification: 'Ready to be built.',
        recommendation: 'approve',
      },
      fields: 'gate',
    },
    { name: 'move_spec', arguments: { spec_id, status: 'in_progress' }, fields: 'status' },
  ])
  validator.says('finds the approved spec, validates and evaluates it and opens it for work', spec_id)
  return spec_id
}

/** An executor takes cards until none is left, not even one that still depends on others. */
export async function execute(executor: Agent, board_id: string): Promise<void> {
  await executor.call('read_context', { uri: 'specboard://guides/execution' })
  const stand = events(board_id, finished)
  const claim: Step = { name: 'claim_next_card', arguments: { board_id, start: true } }
  let [eventLog, next] = await executor.run([stand, claim])
  while (next.card !== undefined || next.waiting?.dependencies > 0) {
    const steps =
      next.card === undefined
        ? [events(board_id, finished, { after: eventLog.last_sequence, wait_ms: patience })]
        : [...handOver(next.card), stand]
    if (next.card !== undefined) executor.says(`takes ${next.card.ref} "${shortened(next.card.title, 50)}"`)
    ;[eventLog, next] = (await executor.run([...steps, claim])).slice(-2)
  }
}

/** The fields of a taken card that its hand-over needs. */
interface TakenCard {
  readonly ref: string
  readonly spec_id: string
  readonly test_scenario_ids?: readonly string[]
}

/** Finishes the work on a card: records the results of its scenarios, and moves it to validation with a report. */
function handOver({ ref, spec_id, test_scenario_ids = [] }: TakenCard): Step[] {
  const evidence = { last_run_at: new Date().toISOString(), test_run_id: `run-${ref}` }
  return [
    ...test_scenario_ids.map(scenario_id => ({
      name: 'record_scenario_result',
      arguments: { spec_id, scenario_id, status: 'passed', evidence },
      fields: 'status',
    })),
    {
      name: 'move_card',
      arguments: { card_id: ref, target_status: 'validation', ...report(`Did ${ref}.`) },
      fields: 'status',
    },
  ]
}

/** The validator judges the cards that the executors hand over until none is left. */
export async function review(validator: Agent, board_id: string, spec_id: string): Promise<void> {
  const stand = events(board_id, handedOver)
  const open: Step = {
    name: 'list_cards',
    arguments: { board_id, spec_id, status: 'not_started,started,in_progress' },
    fields: 'ref',
  }
  const claim: Step = {
    name: 'claim_next_card',
    arguments: { board_id, for: 'validation' },
    fields: 'card.ref,card.title,card.description',
  }
  let [eventLog, openCards, next] = await validator.run([stand, open, claim])
  while (next.card !== undefined || openCards.total > 0) {
    const steps =
      next.card === undefined
        ? [events(board_id, handedOver, { after: eventLog.last_sequence, wait_ms: patience })]
        : [approval(next.card.ref), stand]
    if (next.card !== undefined) validator.says(`validates ${next.card.ref}`)
    ;[eventLog, openCards, next] = (await validator.run([...steps, open, claim])).slice(-3)
  }
}

const approval = (card_id: string): Step => ({
  name: 'submit_task_validation',
  arguments: {
    card_id,
    outcome: 'success',
    summary: 'Read the change and ran it.',
    evidence: [{ type: 'test', url: 'https://example.org/run/1' }],
    auto_move: true,
  },
  fields: 'outcome,card_status',
})

/** The validator takes the spec to done. */
export async function finish(validator: Agent, spec_id: string): Promise<void> {
  scene('6. The end')
  const { status } = await validator.call('move_spec', { spec_id, status: 'done' })
  validator.says('moves the spec', status)
}
