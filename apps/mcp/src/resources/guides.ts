/** A guide: a short page on how the service works, at most 6,000 characters. */
export interface Guide {
  readonly title: string
  readonly description: string
  readonly text: string
}

/** The guides by topic (mcp 12). */
export const guides: Readonly<Record<string, Guide>> = {
  overview: {
    title: 'Overview',
    description: 'What the service is, its records, and where to start.',
    text: `Specboard tracks how software comes to be, from an idea to finished and validated cards. Every record belongs to a board.

| Record | What it is | Leads to |
|---|---|---|
| ideation | an idea with its problem and approach; evaluated for complexity | refinements, specs |
| refinement | the idea cut to a scope, with analysis and decisions | specs |
| spec | requirements, acceptance criteria, test scenarios, rules, contracts, decisions | cards, sprints |
| card | a task: normal, test or bug | done |
| sprint | cards of one spec that are worked on together | closed |

On these hang questions, knowledge, comments, mockups, architecture designs, attachments, validations.

## Start
1. \`get_my_permissions\`: what this key may do.
2. \`list_boards\`: the boards it sees.
3. The record you work on: \`get_card\`, \`get_spec\`, or the resource \`specboard://cards/{card_id}\`, which holds everything that a task needs.

## Guides
\`workflow\` the whole way in order, \`statuses\` the moves of each record, \`gates\` what blocks a move, \`planning\`, \`execution\`, \`validation\`, \`knowledge\`, \`errors\`: each is \`specboard://guides/{topic}\`.`,
  },
  workflow: {
    title: 'Workflow',
    description: 'The whole way from an idea to done, with the operations in order.',
    text: `1. \`create_ideation\`, fill it with \`update_ideation\` while it is a draft, ask what is open with \`ask_ideation_question\`.
2. \`move_ideation\` to review, approved, evaluating. \`evaluate_ideation\` scores domains, ambiguity and dependencies; the scores give the complexity.
3. \`move_ideation\` to done. A small ideation gives a spec at once: \`derive_spec_from_ideation\`. A medium or large one is refined first: \`create_refinement\`, give it \`in_scope\`, move it to done, \`derive_spec_from_refinement\`.
4. \`update_spec\`: requirements, acceptance criteria, test scenarios, business rules, API contracts, decisions. Scenarios name the criteria that they test, rules the requirements.
5. \`move_spec\` to review and approved. From approved on it takes cards: \`create_card\`, with the scenarios of test cards; \`link_task_to_scenario\` adds links later.
6. \`submit_spec_validation\` takes an approved spec to validated and locks its content.
7. \`update_spec\` with an evaluation, then \`move_spec\` to in_progress.
8. \`create_sprint\` (\`suggest_sprints\` proposes how to cut), \`assign_sprint_tasks\`, \`move_sprint\` to active.
9. Work on cards: guide \`execution\`. Review them: guide \`validation\`.
10. \`move_sprint\` to review, \`submit_sprint_evaluation\`, \`move_sprint\` to closed. Then \`move_spec\` to done.

Each step that is not possible yet answers 409 with what is missing.`,
  },
  statuses: {
    title: 'Statuses',
    description: 'The statuses of each record and the moves between them.',
    text: `| Record | Moves |
|---|---|
| ideation | draft > review > approved > evaluating > done; back one step at a time; done > draft opens a new version; any open one > cancelled |
| refinement | draft > review > approved > done; back one step; done > draft; any open one > cancelled |
| spec | draft > review > approved > validated > in_progress > done; back to draft, review or approved unlocks; done and cancelled > draft |
| sprint | draft > active > review > closed; active > draft, review > active; closed and cancelled > draft |
| card | not_started, started, in_progress, validation, on_hold, done, cancelled: any to any, held back by gates only |

A move that the table lacks answers 409 INVALID_TRANSITION with \`allowed\`. Moves are made with \`move_ideation\`, \`move_refinement\`, \`move_spec\`, \`move_sprint\` (argument \`status\`) and \`move_card\` (argument \`target_status\`).

Content is edited in draft for ideations and refinements. A validated spec is locked: only links, evidence, assignee and labels change. An archived record takes no writes until \`restore_record\`.`,
  },
  gates: {
    title: 'Gates',
    description: 'What blocks a move, which code says so, and what opens it.',
    text: `| Move | Gate | Code | Opens with |
|---|---|---|---|
| spec to validated, in_progress | every scenario, rule, requirement, contract and decision has its card | COVERAGE_REQUIRED | links, or a skip flag |
| spec to validated | a validation, where the board requires it | SPEC_VALIDATION_REQUIRED | \`submit_spec_validation\` |
| spec to in_progress | an approving evaluation above the threshold | EVALUATION_REQUIRED, _REJECTED, _BELOW_THRESHOLD | \`update_spec\` with evaluation |
| spec to done | criteria covered, sprints closed, tasks done | CRITERIA_UNCOVERED, SPRINTS_OPEN, TASKS_OPEN | the records named in \`missing\` |
| card forward | its spec is far enough | SPEC_NOT_READY | \`move_spec\` |
| card forward | it stands in an active sprint, once the spec has sprints | SPRINT_REQUIRED, SPRINT_NOT_ACTIVE | \`assign_sprint_tasks\`, \`move_sprint\` |
| card forward | what it depends on is done | DEPENDENCIES_NOT_MET | the cards named |
| card to validation or done | an execution report | CONCLUSION_REQUIRED | conclusion, completeness, drift and both justifications |
| card validation to done | a successful validation | VALIDATION_REQUIRED | \`submit_task_validation\` |
| test card to done | its scenarios were run | SCENARIOS_NOT_RUN | \`update_spec\` with status and evidence |
| bug to in_progress | a test card | TEST_TASK_REQUIRED | \`link_test_task\` |
| sprint to active | it has cards | SPRINT_EMPTY | \`assign_sprint_tasks\` |
| sprint to closed | evidence, and an approving evaluation | TEST_EVIDENCE_REQUIRED, EVALUATION_REQUIRED | \`submit_sprint_evaluation\` |

Which gates are in force on a board, and their thresholds, stand in \`specboard://boards/{board_id}\`.`,
  },
  planning: {
    title: 'Planning',
    description: 'How to write ideations, refinements, specs and sprints.',
    text: `- One ideation an idea. Say the problem before the approach. Open points are questions, not guesses: \`ask_ideation_question\`.
- A refinement says what is in scope and what is not; its decisions go along into the spec.
- A spec is complete when another agent can build from it: numbered functional requirements, acceptance criteria that can be checked, a scenario for each criterion, a business rule for each requirement, a contract for each interface, a decision for each choice made.
- References count from 0 or repeat the exact text: \`linked_criteria: ["0"]\`.
- Lists in \`update_spec\` are replaced whole: read, change, send all.
- Cards are small: one thing to build, one result to check. Order them with \`add_card_dependency\`.
- Test cards carry the scenarios that they run.
- Before deciding, look for earlier decisions: \`find_similar_kg_nodes\`.`,
  },
  execution: {
    title: 'Execution',
    description: 'How to take a card from not_started to validation.',
    text: `1. Read \`specboard://cards/{card_id}\`: the card, its part of the spec, its knowledge, what blocks it. Read the guidelines: \`list_board_guidelines\`.
2. \`move_card\` to started, then in_progress. A bug needs a test card first: \`link_test_task\`.
3. What is unclear: \`ask_card_question\`. What others should know: \`create_comment\`. What was learned: \`create_card_knowledge\`.
4. Bugs that are found on the way: \`create_card\` with card_type bug, origin_task_id, severity, expected and observed behavior.
5. Work that must wait: \`move_card\` to on_hold, or \`add_card_dependency\`.
6. When it is built: \`move_card\` to validation with conclusion, completeness (100: all that was planned), completeness_justification, drift (0: exactly as planned), drift_justification. Be honest: a validator compares.
7. A failed validation leaves the card in validation: read why with \`list_task_validations\`, move it back, repair, move it to validation again.`,
  },
  validation: {
    title: 'Validation',
    description: 'How to validate specs, cards and sprints.',
    text: `- Spec: \`submit_spec_validation\` on an approved spec, with completeness, assertiveness and ambiguity (0-100), a justification for each, and a recommendation. Scores beyond the board's thresholds, or a reject, fail it.
- Spec evaluation: \`update_spec\` with \`evaluation\` while it is validated; its mean score opens in_progress.
- Card: \`submit_task_validation\` on a card in validation. Plain: outcome, summary, evidence. Scored: confidence, estimated_completeness, estimated_drift with justifications, judged by the thresholds. A success moves the card to done when auto_move is on.
- Sprint: \`submit_sprint_evaluation\` on a sprint in review.

Check against the spec: the scenarios and criteria of the card, not what the executor says. Evidence is a link to what was seen: a test run, a diff, a screenshot. A new record replaces your earlier one; nothing is deleted.`,
  },
  knowledge: {
    title: 'Knowledge',
    description: 'Knowledge items, the knowledge graph and its questions.',
    text: `- Knowledge items hang on refinements, specs and cards and go along when a spec is derived: \`create_spec_knowledge\`, \`create_card_knowledge\`.
- The knowledge graph of a board is built from its records by itself: decisions, criteria, constraints, technologies, lessons and how they belong together.
- Before you decide: \`find_similar_kg_nodes\` finds what was decided or learned before; \`get_kg_supersedence\` tells what replaced it; \`list_kg_contradictions\` what disagrees.
- Across boards: \`search_kg_global\`. In detail: \`query_kg_cypher\` (read only), \`get_kg_schema\` for what there is to ask.
- \`boost_kg_node\` marks what proved useful.`,
  },
  errors: {
    title: 'Errors',
    description: 'How refusals look and what to do about them.',
    text: `A refused call is a result with \`isError\` and one JSON text: \`{"status","detail","next_actions"}\`.

| Status | Means | Do |
|---|---|---|
| 400 | a value does not fit what is stored | \`detail.field\` and \`detail.message\` say which |
| 403 | the key lacks \`detail.permission\`, or the connection is read-only or excludes the tool | ask for the permission; \`get_my_permissions\` |
| 404 | no such record on a board that you see | check the id; \`next_actions\` names the right get when it is another kind of record |
| 409 | a state or gate blocks | \`detail.error\` is the code, \`missing\`, \`details\`, \`allowed\` say what opens it |
| 413 | too large | send the file over HTTP |
| 422 | an argument is missing or wrong | each item names it in \`loc\`; \`expected\` lists the values of an enumeration |
| 429 | too many calls | wait \`retry_after_ms\` |
| 500 | the service failed, nothing was changed | tell the operator the \`request_id\` |
| 503 | busy, disk full, or not running | try again |

\`next_actions\` are calls that resolve the refusal with the arguments that are known; add what the reason asks for.`,
  },
}
