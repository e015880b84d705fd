import { CardStatus } from '@specboard/contract'
import { gatedMoves, stateMachines } from '@specboard/domain'
import { mermaid, table } from './markdown.ts'

/** What each gate asks, and the codes that it answers with. */
const gates: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ideation: {},
  refinement: {
    scope: '`in_scope` holds at least one entry that is not blank, else `SCOPE_REQUIRED`',
  },
  spec: {
    coverage: 'criteria, rules, requirements, contracts and decisions are covered, else `COVERAGE_REQUIRED`',
    spec_validation:
      'a board that requires spec validation moves by `submit_spec_validation`, else `SPEC_VALIDATION_REQUIRED`',
    evaluation:
      'an approving evaluation of enough score and no rejection, else `EVALUATION_REQUIRED`, `EVALUATION_BELOW_THRESHOLD`, `EVALUATION_REJECTED`',
    criteria: 'every acceptance criterion has a scenario, else `CRITERIA_UNCOVERED`',
    sprints: 'its sprints are over and one is closed, else `SPRINTS_OPEN`, `NO_CLOSED_SPRINT`',
    tasks: 'its cards are done or cancelled, else `TASKS_OPEN`',
  },
  sprint: {
    cards: 'the sprint has cards, else `SPRINT_EMPTY`',
    scenarios: 'the scenarios in its scope have passed, else `COVERAGE_REQUIRED`',
    evidence: 'the scenarios in its scope carry their evidence, else `TEST_EVIDENCE_REQUIRED`',
    evaluations:
      'an approving evaluation of enough score and no rejection, else `EVALUATION_REQUIRED`, `EVALUATION_BELOW_THRESHOLD`, `EVALUATION_REJECTED`',
  },
  card: {
    spec: 'the spec of the card is far enough, else `SPEC_NOT_READY`',
    sprint: 'in a spec with sprints the card is in an active one, else `SPRINT_REQUIRED`, `SPRINT_NOT_ACTIVE`',
    validation: 'the task validation succeeded, else `VALIDATION_REQUIRED`',
    scenarios: 'the scenarios of the card were run, else `SCENARIOS_NOT_RUN`',
    bug_test: 'a bug has its test task, else `TEST_TASK_REQUIRED`, `TEST_TASK_INVALID`',
    report: 'a report that is due or sent is complete, else `CONCLUSION_REQUIRED`',
    dependencies: 'what the card waits for is done or cancelled, else `DEPENDENCIES_NOT_MET`',
  },
}

/** The rows of the gates that a table uses; a gate that nobody explains stops the generation. */
function gateRows(entity: string, used: readonly string[]): string[][] {
  return [...new Set(used)].map(gate => {
    const asks = gates[entity]?.[gate]
    if (asks === undefined) throw new Error(`tools/docs/workflow.ts does not explain the gate ${gate} of ${entity}.`)
    return [`\`${gate}\``, asks]
  })
}

const gateTable = (entity: string, used: readonly string[]): string =>
  used.length === 0 ? 'No move has a gate.' : table(['Gate', 'Asks'], gateRows(entity, used))

const titleOf = (entity: string) => `${entity[0]!.toUpperCase()}${entity.slice(1)}s`

const machineSection = ({ entity, states, transitions }: (typeof stateMachines)[number]): string => {
  const final = states.filter(state => !transitions.some(row => row.from === state))
  const used = transitions.flatMap(row => row.gates ?? [])
  return [
    `## ${titleOf(entity)}`,
    mermaid([
      'stateDiagram-v2',
      `  [*] --> ${states[0]}`,
      ...transitions.map(({ from, to, gates: asked = [] }) => {
        const label = asked.length === 0 ? '' : ` : ${asked.join(', ')}`
        return `  ${from} --> ${to}${label}`
      }),
      ...final.map(state => `  ${state} --> [*]`),
    ]),
    gateTable(entity, used),
  ].join('\n\n')
}

const cardSection = (): string =>
  [
    '## Cards',
    'Every status may be left for every other one; what limits a move are its gates. The numbers are rows of the table: the first that fits a move counts. A move without a row is free, except that a report which is sent must be complete.',
    mermaid([
      'stateDiagram-v2',
      '  [*] --> not_started',
      ...gatedMoves.flatMap(({ from, to, types }, index) =>
        from
          .filter(
            status =>
              !gatedMoves
                .slice(0, index)
                .some(row => row.to === to && row.from.includes(status) && row.types === types),
          )
          .map(status => `  ${status} --> ${to} : ${index + 1}`),
      ),
    ]),
    table(
      ['Row', 'To', 'From', 'Card types', 'Gates, in this order'],
      gatedMoves.map(({ to, from, types, gates: asked }, index) => [
        String(index + 1),
        `\`${to}\``,
        from.map(status => `\`${status}\``).join(', '),
        types?.join(', ') ?? 'all',
        asked.map(gate => `\`${gate}\``).join(', '),
      ]),
    ),
    gateTable(
      'card',
      gatedMoves.flatMap(row => row.gates),
    ),
    `The seven columns of a board are the statuses: ${CardStatus.options.map(status => `\`${status}\``).join(', ')}.`,
  ].join('\n\n')

const chain = `flowchart LR
  ideation -- small or not evaluated --> spec
  ideation -- medium or large --> refinement --> spec
  spec --> sprint
  spec --> card
  sprint --- card`

/** docs/workflow.md: the chain and its state tables. */
export const workflowPage = (): string =>
  [
    '# Workflow',
    'An idea becomes work in steps, and each step has states. A move outside the table answers 409 `INVALID_TRANSITION` with `from`, `to` and `allowed`; a gate that blocks answers 409 with what is missing. A move needs the permission of its target, `<RESOURCE>_MOVE_<STATUS>`.',
    mermaid(chain.split('\n')),
    'An ideation that is `done` gives specs, straight when it is small, through refinements when it is medium or large. What was asked and answered, drawn and designed comes along. A spec says what is to be built and how it is tested; cards are the work, sprints group them.',
    ...stateMachines.map(machineSection),
    cardSection(),
  ].join('\n\n')
