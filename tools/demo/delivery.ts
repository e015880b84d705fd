import type { BacklogIssue } from '../backlog.ts'
import { blockersOf } from '../backlog.ts'
import { progress } from '../progress.ts'
import type { Crew } from './crew.ts'
import type { Plan } from './planning.ts'
import { refused, says, scene, shortened } from './screen.ts'

const report = (text: string) => ({
  conclusion: text,
  completeness: 100,
  completeness_justification: 'Everything that was planned.',
  drift: 5,
  drift_justification: 'One detail was done differently.',
})

/** Takes the plan from a sprint to a done spec. */
export async function deliver(crew: Crew, plan: Plan, children: readonly BacklogIssue[]): Promise<void> {
  const { writer, executor, validator, boardId } = crew
  const order = inOrder(children)
  const cardOf = (issue: BacklogIssue) => plan.cards.get(issue.id)!
  const first = order[0]!

  scene('3. The sprint')
  const sprint = await writer.createSprint({
    board_id: boardId,
    spec_id: plan.specId,
    title: 'Sprint 1',
    card_ids: [...plan.cards.values(), ...plan.tests],
  })
  says('spec writer', 'plans a sprint', `${plan.cards.size + plan.tests.length} cards, ${sprint.status}`)
  await refused('executor', `starts "${shortened(first.title, 50)}" anyway`, 'SPRINT_NOT_ACTIVE', () =>
    executor.moveCard({ card_id: cardOf(first), target_status: 'started' }),
  )
  await writer.moveSprint({ sprint_id: sprint.id, status: 'active' })
  says('spec writer', 'starts the sprint', 'active')

  const waiting = order.find(issue => blockersOf(issue, new Set(order.map(other => other.id))).length > 0)
  if (waiting !== undefined) {
    await refused('executor', `starts "${shortened(waiting.title, 50)}"`, 'DEPENDENCIES_NOT_MET', () =>
      executor.moveCard({ card_id: cardOf(waiting), target_status: 'started' }),
    )
  }

  scene('4. The work')
  const bar = progress('  cards', order.length)
  for (const [index, issue] of order.entries()) {
    const card_id = cardOf(issue)
    await executor.moveCard({ card_id, target_status: 'started' })
    await executor.moveCard({ card_id, target_status: 'in_progress' })
    if (index === 0) await discuss(crew, card_id)
    if (index === 0)
      await refused('executor', 'hands it over without a report', 'CONCLUSION_REQUIRED', () =>
        executor.moveCard({ card_id, target_status: 'validation' }),
      )
    await executor.moveCard({ card_id, target_status: 'validation', ...report(`Did: ${shortened(issue.title, 120)}`) })
    if (index === 0) {
      says('executor', `works on "${shortened(issue.title, 50)}" and hands it over with a report`, 'validation')
      await refused('executor', 'moves it to done itself', 'FORBIDDEN', () =>
        executor.moveCard({ card_id, target_status: 'done' }),
      )
      await refused('validator', 'moves it to done without a validation', 'VALIDATION_REQUIRED', () =>
        validator.moveCard({ card_id, target_status: 'done' }),
      )
    }
    const validation = await validator.submitTaskValidation({
      card_id,
      confidence: 90,
      confidence_justification: 'Read the change and ran it.',
      estimated_completeness: 95,
      completeness_justification: 'All criteria are met.',
      estimated_drift: 5,
      drift_justification: 'Small and explained.',
      summary: `Checked "${shortened(issue.title, 80)}".`,
      evidence: [{ type: 'test', url: 'https://example.org/run/1' }],
      recommendation: 'approve',
    })
    if (index === 0) says('validator', 'validates it', `${validation.outcome}; the card is ${validation.card_status}`)
    bar.step()
  }
  bar.end()
  says('executor', `and so on: ${order.length} cards in the order of their dependencies`, 'done')

  await fixBug(crew, plan, cardOf(order.at(-1)!), sprint.id)
  await test(crew, plan)

  scene('7. The end')
  await writer.moveSprint({ sprint_id: sprint.id, status: 'review' })
  await refused('validator', 'closes the sprint', 'EVALUATION_REQUIRED', () =>
    validator.moveSprint({ sprint_id: sprint.id, status: 'closed' }),
  )
  await validator.submitSprintEvaluation({
    sprint_id: sprint.id,
    overall_score: 90,
    recommendation: 'approve',
    overall_justification: 'All of it works.',
  })
  await validator.moveSprint({ sprint_id: sprint.id, status: 'closed' })
  says('validator', 'evaluates the sprint and closes it', 'closed')
  const done = await validator.moveSpec({ spec_id: plan.specId, status: 'done' })
  says('validator', 'moves the spec', done.status)
}

/** A comment with a choice, its response, and an attachment. */
async function discuss({ executor, boardId }: Crew, card_id: string): Promise<void> {
  const comment = await executor.createComment({
    card_id,
    content: 'Which of the two?',
    comment_type: 'choice',
    choices: [
      { id: 'a', label: 'The simple one' },
      { id: 'b', label: 'The fast one' },
    ],
  })
  await executor.respondToComment({ comment_id: comment.id, selected: ['a'] })
  says('executor', 'asks on the card "Which of the two?" and takes the answer', 'The simple one')
  const attachment = await executor.uploadAttachment({
    board_id: boardId,
    card_id,
    file: new File(['3 passed, 0 failed\n'], 'run.log', { type: 'text/plain' }),
  })
  says('executor', 'attaches run.log', `${attachment.size} bytes, sha256 ${attachment.sha256.slice(0, 12)}…`)
}

/** A bug found on a card: it needs a test task before anybody may work on it. */
async function fixBug(
  { qa, executor, validator, writer, boardId }: Crew,
  plan: Plan,
  originId: string,
  sprint_id: string,
): Promise<void> {
  scene('5. A bug')
  const bug = await qa.createCard({
    board_id: boardId,
    title: 'The last step forgets its input',
    card_type: 'bug',
    origin_task_id: originId,
    severity: 'major',
    expected_behavior: 'The input is kept.',
    observed_behavior: 'The input is gone after a restart.',
  })
  says('qa', 'finds a bug on the last card', 'not_started')
  await writer.assignSprintTasks({ sprint_id, card_ids: [bug.id] })
  await executor.moveCard({ card_id: bug.id, target_status: 'started' })
  await refused('executor', 'starts to fix it', 'TEST_TASK_REQUIRED', () =>
    executor.moveCard({ card_id: bug.id, target_status: 'in_progress' }),
  )
  // Over MCP an absent field means an empty one.
  const [scenario = 'ts_0'] = bug.test_scenario_ids ?? []
  const testTask = await qa.createCard({
    board_id: boardId,
    spec_id: plan.specId,
    card_type: 'test',
    title: 'Regression: the input is kept',
    test_scenario_ids: [scenario],
  })
  await qa.linkTestTask({ card_id: bug.id, test_task_id: testTask.id })
  await writer.assignSprintTasks({ sprint_id, card_ids: [testTask.id] })
  ;(plan.tests as string[]).push(testTask.id)
  says('qa', 'writes a regression test and links it', 'the bug is unblocked')
  await executor.moveCard({ card_id: bug.id, target_status: 'in_progress' })
  await executor.moveCard({
    card_id: bug.id,
    target_status: 'validation',
    ...report('The input is written before the step ends.'),
  })
  const { card_status } = await validator.submitTaskValidation({
    card_id: bug.id,
    outcome: 'success',
    summary: 'The regression test fails before and passes after the fix.',
    evidence: [{ type: 'test', url: 'https://example.org/run/2' }],
    auto_move: true,
  })
  says('executor', 'fixes it, the validator confirms it', card_status)
}

/** Runs the scenarios with evidence and finishes the test cards. */
async function test({ qa }: Crew, plan: Plan): Promise<void> {
  scene('6. The tests')
  const [someTest] = plan.tests
  for (const card_id of plan.tests) {
    await qa.moveCard({ card_id, target_status: 'started' })
    await qa.moveCard({ card_id, target_status: 'in_progress' })
  }
  await refused('qa', 'calls a test card done before its scenarios ran', 'SCENARIOS_NOT_RUN', () =>
    qa.moveCard({ card_id: someTest!, target_status: 'done', ...report('Ran it.') }),
  )
  const { test_scenarios: scenarios } = await qa.getSpec({ spec_id: plan.specId })
  await refused('qa', 'marks the scenarios passed without evidence', 'TEST_EVIDENCE_REQUIRED', () =>
    qa.updateSpec({
      spec_id: plan.specId,
      test_scenarios: scenarios!.map(scenario => ({ ...scenario, status: 'passed' as const })),
    }),
  )
  await qa.updateSpec({
    spec_id: plan.specId,
    test_scenarios: scenarios!.map(scenario => ({
      ...scenario,
      status: 'passed' as const,
      evidence: { last_run_at: new Date().toISOString(), test_run_id: 'run-2' },
    })),
  })
  for (const card_id of plan.tests)
    await qa.moveCard({ card_id, target_status: 'done', ...report('All scenarios passed.') })
  says('qa', `runs ${scenarios!.length} scenarios with evidence, ${plan.tests.length} test cards`, 'done')
}

/** The children in an order in which each comes after those it waits for. */
function inOrder(children: readonly BacklogIssue[]): BacklogIssue[] {
  const byId = new Map(children.map(child => [child.id, child]))
  const within = new Set(byId.keys())
  const placed = new Set<BacklogIssue>()
  const place = (issue: BacklogIssue) => {
    if (placed.has(issue)) return
    for (const id of blockersOf(issue, within)) place(byId.get(id)!)
    placed.add(issue)
  }
  for (const child of children) place(child)
  return [...placed]
}
