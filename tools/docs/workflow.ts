import { CardStatus } from '@specboard/contract'
import { gatedMoves, stateMachines } from '@specboard/domain'
import { mermaid, table } from './markdown.ts'

/** What each gate requires, and the codes of its refusals. */
const gates: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ideation: {},
  refinement: {
    scope: '`in_scope` has at least one entry that is not blank, else `SCOPE_REQUIRED`',
  },
  spec: {
    coverage: 'criteria, rules, requirements, contracts and decisions are covered, else `COVERAGE_REQUIRED`',
    spec_validation:
      'on a board that requires spec validation, only `submit_spec_validation` moves the spec here, else `SPEC_VALIDATION_REQUIRED`',
    evaluation:
      'an evaluation approves, with a sufficient mean score, and none rejects, else `EVALUATION_REQUIRED`, `EVALUATION_BELOW_THRESHOLD`, `EVALUATION_REJECTED`',
    criteria: 'every acceptance criterion has a scenario, else `CRITERIA_UNCOVERED`',
    sprints: 'its sprints are closed or cancelled, and at least one is closed, else `SPRINTS_OPEN`, `NO_CLOSED_SPRINT`',
    tasks: 'its cards, of every type, are done or cancelled, else `TASKS_OPEN`',
    scenarios: 'its scenarios are automated or passed, else `SCENARIOS_OPEN`',
    proof: 'if the board requires it, its scenarios are proven, else `PROOF_REQUIRED`',
  },
  sprint: {
    cards: 'the sprint has cards, else `SPRINT_EMPTY`',
    scenarios: 'the scenarios in its scope have passed, else `COVERAGE_REQUIRED`',
    evidence: 'the scenarios in its scope have evidence, else `TEST_EVIDENCE_REQUIRED`',
    proof: 'if the board requires it, the scenarios in its scope are proven, else `PROOF_REQUIRED`',
    evaluation:
      'an evaluation approves, with a sufficient mean score, and none rejects, else `EVALUATION_REQUIRED`, `EVALUATION_BELOW_THRESHOLD`, `EVALUATION_REJECTED`',
  },
  card: {
    spec: 'the spec of the card has reached the status that the move needs, else `SPEC_NOT_READY`',
    sprint: 'the card is in an active sprint when its spec has sprints, else `SPRINT_REQUIRED`, `SPRINT_NOT_ACTIVE`',
    validation: 'the task validation succeeded, else `VALIDATION_REQUIRED`',
    scenarios: 'the scenarios of the card were run, else `SCENARIOS_NOT_RUN`',
    bug_test: 'a bug has its test task, else `TEST_TASK_REQUIRED`, `TEST_TASK_INVALID`',
    report: 'a report, if it is required or sent, is complete, else `CONCLUSION_REQUIRED`',
    dependencies: 'the cards that it waits for are done or cancelled, else `DEPENDENCIES_NOT_MET`',
    proof:
      'if the board requires it, its scenarios are proven, or the card itself if it has none, else `PROOF_REQUIRED`',
    change: 'its changes are merged, if the board requires it, else `CHANGE_NOT_MERGED`',
    checks: 'their checks are green, if the board requires it, else `CHECKS_NOT_GREEN`',
  },
}

/** The rows of the gates that a table uses; an unexplained gate stops the generation. */
function gateRows(entity: string, used: readonly string[]): string[][] {
  return [...new Set(used)].map(gate => {
    const asks = gates[entity]?.[gate]
    if (asks === undefined) throw new Error(`tools/docs/workflow.ts does not explain the gate ${gate} of ${entity}.`)
    return [`\`${gate}\``, asks]
  })
}

const gateTable = (entity: string, used: readonly string[]): string =>
  used.length === 0 ? 'No move has a gate.' : table(['Gate', 'Passes when'], gateRows(entity, used))

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
    'A card may move from any status to any other; only the gates limit a move. The numbers in the diagram are rows of the table; the first row that matches a move applies. A move without a row has no gate, except that a report, if one is sent, must be complete.',
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
    'An idea becomes work in steps, and each step has states. A move that is not in the table is refused with 409 `INVALID_TRANSITION` with `from`, `to` and `allowed`; a gate that blocks a move refuses it with 409 and names what is missing. A move needs the permission of its target status, `<RESOURCE>_MOVE_<STATUS>`. The full rules are in the contract: [ideation 4](contract/ideation.md#4-states), [specs 5](contract/specs.md#5-states) and [6](contract/specs.md#6-gates), [planning 1.5](contract/planning.md#15-state-machine) and [1.6](contract/planning.md#16-gates), [cards 4](contract/cards.md#4-moving-a-card).',
    mermaid(chain.split('\n')),
    'Specs are derived from an ideation that is `done`: directly when it is small or not evaluated, through refinements when it is medium or large. Answered questions, mockups and designs are copied along. A spec says what is to be built and how it is tested; cards are the work, and sprints group them.',
    ...stateMachines.map(machineSection),
    cardSection(),
  ].join('\n\n')
