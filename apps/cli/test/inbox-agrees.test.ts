import type { OperationName } from '@specboard/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluation, validation } from './operations/specs.rows.ts'
import { Scene } from './support/scene.ts'
import { type TestAgent, World } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await World.start()
})

afterAll(() => world.stop())

/** What may wait for somebody: a record of this kind, the call that settles it, and what a person adds. */
interface Candidate {
  readonly kind: string
  readonly operation: OperationName
  readonly arguments: Readonly<Record<string, unknown>>
}

/** What a person adds to the call of an item. */
const extraArguments: Readonly<Partial<Record<OperationName, object>>> = {
  answer_card_question: { answer: 'Because.' },
  answer_spec_question: { answer: 'Because.' },
  respond_to_comment: { selected: ['a'] },
  submit_task_validation: { outcome: 'failed', summary: 'No.' },
  submit_spec_validation: validation,
  submit_spec_evaluation: evaluation(),
  submit_sprint_evaluation: { overall_score: 90, recommendation: 'approve' },
  evaluate_ideation: { domains: 1 },
}

const settle = (as: TestAgent, { operation, arguments: args }: Candidate) =>
  world.call(operation, { ...args, ...extraArguments[operation] }, { as })

const report = {
  conclusion: 'Done.',
  completeness: 100,
  completeness_justification: 'All.',
  drift: 0,
  drift_justification: 'None.',
}

type Agents = readonly TestAgent[]
const anyOf = <Value>(values: readonly Value[]) => fc.constantFrom(...values)

/** The random steps on the board of a scene; each returns what then waits for somebody, if anything does. */
const steps: Readonly<Record<string, (scene: Scene, by: TestAgent, flag: boolean) => Promise<Candidate | undefined>>> =
  {
    question: async (scene, as, flag) => {
      const card_id = await scene.card()
      if (flag) return askQuestion('card', { card_id }, as)
      return askQuestion('spec', { spec_id: await scene.spec() }, as)
    },
    choice: async (scene, as) => {
      const choices = [{ id: 'a', label: 'A' }]
      const comment = { card_id: await scene.card(), content: 'Which?', comment_type: 'choice', choices }
      const { status, body } = await world.call('create_comment', comment, { as })
      return status === 201
        ? { kind: 'choice_comment', operation: 'respond_to_comment', arguments: { comment_id: body.id } }
        : undefined
    },
    validation: async (scene, as, flag) => {
      const card_id = await scene.card({ spec_id: await scene.spec('in_progress') })
      await world.call('move_card', { card_id, target_status: 'started' }, { as })
      const moved = await world.call('move_card', { card_id, target_status: 'validation', ...report }, { as })
      if (moved.status !== 200) return undefined
      if (flag) await world.call('claim_card', { card_id }, { as })
      return { kind: 'card_validation', operation: 'submit_task_validation', arguments: { card_id } }
    },
    review: async scene => ({
      kind: 'spec_review',
      operation: 'move_spec',
      arguments: { spec_id: await scene.spec('review'), status: 'approved' },
    }),
    specValidation: async (scene, _, flag) => ({
      kind: 'spec_validation',
      operation: 'submit_spec_validation',
      arguments: { spec_id: await scene.spec('approved', flag ? { functional_requirements: ['It adds'] } : {}) },
    }),
    specEvaluation: async scene => ({
      kind: 'spec_evaluation',
      operation: 'submit_spec_evaluation',
      arguments: { spec_id: await scene.spec('validated') },
    }),
    sprintEvaluation: async (scene, as, flag) => {
      const spec_id = await scene.spec('in_progress')
      const { sprint_id, card_id } = await scene.sprint('active', { spec_id })
      if (flag) await world.call('move_card', { card_id, target_status: 'started' }, { as })
      await world.ok('move_sprint', { sprint_id, status: 'review' })
      return { kind: 'sprint_evaluation', operation: 'submit_sprint_evaluation', arguments: { sprint_id } }
    },
    ideationEvaluation: async scene => ({
      kind: 'ideation_evaluation',
      operation: 'evaluate_ideation',
      arguments: { ideation_id: await scene.ideation('evaluating') },
    }),
  }

async function askQuestion(
  about: 'card' | 'spec',
  on: Readonly<Record<string, string>>,
  as: TestAgent,
): Promise<Candidate | undefined> {
  const { status, body } = await world.call(`ask_${about}_question`, { ...on, question: 'Why?' }, { as })
  if (status !== 201) return undefined
  const args = about === 'card' ? { qa_id: body.id } : { ...on, qa_id: body.id }
  return { kind: 'question', operation: `answer_${about}_question`, arguments: args }
}

/** Permissions that an agent of a run may lack. */
const mayLack = [
  'BOARDS_UPDATE',
  'CARDS_READ',
  'CARDS_VALIDATE',
  'CARDS_WRITE_IN_VALIDATION',
  'COMMENTS_RESPOND',
  'IDEATIONS_EVALUATE',
  'IDEATIONS_WRITE_IN_EVALUATING',
  'QA_ANSWER_CARDS',
  'QA_ANSWER_SPECS',
  'SPECS_MOVE_APPROVED',
  'SPECS_VALIDATE',
  'SPECS_WRITE_IN_REVIEW',
  'SPECS_WRITE_IN_VALIDATED',
  'SPRINTS_EVALUATE',
] as const

const keyOf = ({ kind, arguments: args }: Candidate) => `${kind} ${JSON.stringify(args)}`

/** Whether an item that its operation would accept waits only for others: nobody is asked their own question. */
const isOwn = ({ kind }: Candidate, maker: TestAgent, agent: TestAgent) => kind === 'question' && maker === agent

test('what the inbox lists is accepted, and what it leaves out is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        settings: fc.record({ require_separate_reviewer: fc.boolean(), require_spec_validation: fc.boolean() }),
        lacking: fc.array(fc.subarray([...mayLack], { maxLength: 4 }), { minLength: 2, maxLength: 2 }),
        actions: fc.array(fc.tuple(anyOf(Object.keys(steps)), fc.nat({ max: 1 }), fc.boolean()), {
          minLength: 3,
          maxLength: 8,
        }),
        reader: fc.nat({ max: 1 }),
      }),
      async ({ settings, lacking, actions, reader }) => {
        const scene = await Scene.on(world)
        await world.ok('update_board', { board_id: scene.boardId, settings })
        const agents: Agents = await Promise.all(
          lacking.map(names => world.agent({ permission_flags: Object.fromEntries(names.map(name => [name, false])) })),
        )
        for (const agent of agents) await scene.admit(agent)
        const candidates: (readonly [Candidate, TestAgent])[] = []
        for (const [name, by, flag] of actions) {
          const candidate = await steps[name]!(scene, agents[by]!, flag)
          if (candidate !== undefined) candidates.push([candidate, agents[by]!])
        }
        const agent = agents[reader]!
        const { items } = await world.ok('list_my_inbox', { board_id: scene.boardId, limit: 200 }, { as: agent })
        const listed = new Map<string, Candidate>(items.map((item: Candidate) => [keyOf(item), item]))
        for (const [candidate, maker] of candidates) {
          if (isOwn(candidate, maker, agent)) continue
          if (candidate.kind === 'spec_validation' && !settings.require_spec_validation) continue
          const { status } = await settle(agent, candidate)
          expect([keyOf(candidate), listed.has(keyOf(candidate))]).toEqual([keyOf(candidate), status < 300])
        }
      },
    ),
    { numRuns: 25 },
  )
}, 120_000)
