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
    text: `Specboard tracks software delivery, from an idea to finished and validated cards. Every record belongs to a board.

| Record | What it is | Leads to |
|---|---|---|
| ideation | an idea with its problem and approach; evaluated for complexity | refinements, specs |
| refinement | the idea narrowed to a scope, with analysis and decisions | specs |
| spec | requirements, acceptance criteria, test scenarios, rules, contracts, decisions | cards, sprints |
| card | a task: normal, test or bug | done |
| sprint | cards of one spec that are worked on together | closed |

These records carry questions, knowledge, comments, mockups, architecture designs, attachments and validations.

## A small change
A typo, a chore, a bug: \`create_card\` with a title and \`claim: true\`, do it, \`move_card\` to done with \`conclusion\` and \`check\` (how you checked it). It needs no spec; if it grows, \`promote_card\` turns it into a spec.

## Start
1. \`list_my_inbox\`: what you hold, and what waits for you on all boards, each with the call that settles it. Begin with it also when you have lost your memory; with \`wait_ms\` it waits for something to do.
2. \`get_my_permissions\`, \`list_boards\`: what this key may do, and where.
3. What else to do: \`claim_next_card\` gives you a card that nobody else works on, \`list_ready_cards\` shows what can be started, continued or validated.
4. The record you work on: \`get_card\`, \`get_spec\`, or the resource \`specboard://cards/{card_id}\`, which has everything a task needs.
5. What you may do with it: \`get_allowed_moves\` names every move and operation, what each asks for, and everything that blocks it.

## References
A board has a \`key\` (\`SPE\`), each ideation, refinement, spec, sprint and card a \`ref\` (\`SPE-14\`). Both work wherever an id does, also in the URI of a resource, in either letter case; answers carry ids too. Refer to records by ref in texts for people.

## Guides
\`workflow\` (the whole way in order), \`statuses\` (the moves of each record), \`gates\` (what blocks a move), \`planning\`, \`execution\`, \`validation\`, \`testing\`, \`managing\`, \`knowledge\`, \`errors\`: read each as \`specboard://guides/{topic}\`.`,
  },
  workflow: {
    title: 'Workflow',
    description: 'The whole way from an idea to done, with the operations in order.',
    text: `1. \`create_ideation\`, fill it with \`update_ideation\` while it is a draft, ask open questions with \`ask_ideation_question\`.
2. \`move_ideation\` to review, approved, evaluating. \`evaluate_ideation\` scores domains, ambiguity and dependencies; the scores give the complexity.
3. \`move_ideation\` to done. A small ideation becomes a spec directly: \`derive_spec_from_ideation\`. A medium or large one is refined first: \`create_refinement\`, give it \`in_scope\`, move it to done, \`derive_spec_from_refinement\`.
4. \`update_spec\`: requirements, acceptance criteria, test scenarios, business rules, API contracts, decisions. Scenarios name the criteria that they test, rules the requirements.
5. \`move_spec\` to review and approved. Once approved, it accepts cards: \`create_card\`, with scenarios for test cards; \`link_task_to_scenario\` adds links later.
6. \`submit_spec_validation\` takes an approved spec to validated and locks its content.
7. \`submit_spec_evaluation\` on the validated spec, then \`move_spec\` to in_progress.
8. \`create_sprint\` (\`suggest_sprints\` proposes how to divide the cards), \`assign_sprint_tasks\`, \`move_sprint\` to active.
9. Work on cards: guide \`execution\`. Review them: guide \`validation\`.
10. \`move_sprint\` to review, \`submit_sprint_evaluation\`, \`move_sprint\` to closed. Then \`move_spec\` to done.

A step that is not possible yet answers 409 and says what is missing. \`get_allowed_moves\` says it before you try.`,
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
| card | not_started, started, in_progress, validation, on_hold, done, cancelled: any to any, blocked only by gates |

A move that is not in the table answers 409 INVALID_TRANSITION with \`allowed\`. Move records with \`move_ideation\`, \`move_refinement\`, \`move_spec\`, \`move_sprint\` (argument \`status\`) and \`move_card\` (argument \`target_status\`).

Content is edited in draft for ideations and refinements. A validated spec is locked: only links, evidence, assignee and labels change. An archived record accepts no writes until \`restore_record\`.`,
  },
  gates: {
    title: 'Gates',
    description: 'What blocks a move, which code says so, and what opens it.',
    text: `| Move | Gate | Code | Opens with |
|---|---|---|---|
| spec to validated, in_progress | every scenario, rule, requirement, contract and decision has its card | COVERAGE_REQUIRED | links, or a skip flag |
| spec to validated | a validation, where the board requires it | SPEC_VALIDATION_REQUIRED | \`submit_spec_validation\` |
| spec to in_progress | an approving evaluation above the threshold | EVALUATION_REQUIRED, _REJECTED, _BELOW_THRESHOLD | \`submit_spec_evaluation\` |
| spec to done | criteria and items covered, sprints closed, every card done, every scenario run | CRITERIA_UNCOVERED, COVERAGE_REQUIRED, SPRINTS_OPEN, TASKS_OPEN, SCENARIOS_OPEN | what \`missing\` names; \`record_scenario_result\` |
| card moved by another agent | nobody else has claimed it | CLAIMED | \`claim_next_card\` for another card |
| card forward | its spec has the required status | SPEC_NOT_READY | \`move_spec\` |
| card forward | it is in an active sprint, once the spec has sprints | SPRINT_REQUIRED, SPRINT_NOT_ACTIVE | \`assign_sprint_tasks\`, \`move_sprint\` |
| card forward | what it depends on is done | DEPENDENCIES_NOT_MET | the cards named |
| card to done, where the board asks | its changes are merged, their checks are green | CHANGE_NOT_MERGED, CHECKS_NOT_GREEN | what \`ways\` says |
| card into a limited column, where the board refuses more | the column has room | COLUMN_FULL | finish or move a card there |
| card to validation or done | an execution report | CONCLUSION_REQUIRED | conclusion, completeness, drift and both justifications |
| card validation to done | a successful validation | VALIDATION_REQUIRED | \`submit_task_validation\` |
| test card to done | its scenarios were run | SCENARIOS_NOT_RUN | \`record_scenario_result\` |
| small change to done | a conclusion and a check | CONCLUSION_REQUIRED, CHECK_FAILED | conclusion, check |
| bug to in_progress; of a small change: to validation, done | a test card or a regression test | TEST_TASK_REQUIRED | \`link_test_task\`, \`regression_test\`, check |
| sprint to active | it has cards | SPRINT_EMPTY | \`assign_sprint_tasks\` |
| sprint to closed | evidence, and an approving evaluation | TEST_EVIDENCE_REQUIRED, EVALUATION_REQUIRED | \`submit_sprint_evaluation\` |

\`get_allowed_moves\` judges every gate of a record at once: \`blockers\` holds what each 409 would say, \`gates\` what passed, is blocked or is skipped, \`asks\` what to send along.

\`specboard://boards/{board_id}\` shows which gates are in force on a board, and their thresholds.`,
  },
  planning: {
    title: 'Planning',
    description: 'For planners: how to write ideations, refinements, specs, cards and sprints.',
    text: `Find your work with \`list_my_inbox\` (what waits for you, each with the call that settles it), \`list_boards\` and \`search_records\`; \`get_my_permissions\` says what this key may do. Read the guidelines first: \`list_board_guidelines\`.

1. One ideation per idea: \`create_ideation\`, \`get_ideation\`, \`update_ideation\`. State the problem before the approach. Turn open points into questions, not guesses: \`ask_question\`, \`answer_question\`. Before deciding, look for earlier decisions: \`find_similar_kg_nodes\`.
2. \`move_ideation\` with through: true takes all steps to evaluating; \`evaluate_ideation\` gives its complexity; then move it to done.
3. A small ideation becomes a spec: \`derive_spec_from_ideation\`. A larger one is narrowed first: \`create_refinement\`, \`get_refinement\`, \`update_refinement\` with \`in_scope\`, \`move_refinement\` to done, \`derive_spec_from_refinement\`. Its decisions carry over.
4. \`list_specs\`, \`create_spec\`, \`get_spec\`, \`update_spec\` for texts, \`put_spec_items\` for single items. A spec is complete when another agent can build from it: functional requirements, acceptance criteria that can be checked, a scenario for each criterion, a business rule for each requirement, a contract for each interface, a decision for each choice made. References count from 0 or repeat the exact text: \`linked_criteria: ["0"]\`.
5. \`move_spec\` to approved, then its cards: \`create_card\` with \`spec_id\`, \`covers\` and \`depends_on\`; a test card with the \`test_scenario_ids\` that it runs. Cards are small: one thing to build, one result to check. \`get_card\`, \`update_card\`, \`create_comment\` later on.
6. \`suggest_sprints\` divides the cards of a spec, \`create_sprint\` makes one.

\`get_allowed_moves\` says what a record may do next, and all that blocks it. A card that grew into a spec: \`promote_card\`.`,
  },
  execution: {
    title: 'Execution',
    description: 'For workers: how to take a card from not_started to validation.',
    text: `A small change needs no spec: \`create_card\` with \`claim: true\`, do it, \`move_card\` to done with \`conclusion\` and \`check\`. If it grows, \`promote_card\` turns it into a spec.

1. \`list_my_inbox\` shows what you hold and what waits for you. \`claim_next_card\` gives you the best card that is ready and that nobody else works on; \`start: true\` moves it to started. Nothing ready: \`waiting\` says what holds the others back; with \`wait_ms\` it waits for one. \`list_ready_cards\` shows them without taking one, \`claim_card\` takes a certain one, \`list_boards\` and \`search_records\` find the rest, \`get_my_permissions\` says what this key may do.
2. The claim's answer has what the work needs: texts, criteria, rules, scenarios, questions. More: \`get_card\`, \`get_spec\`, \`get_card_knowledge\`, or \`specboard://cards/{card_id}\`. Read the guidelines: \`list_board_guidelines\`. Earlier decisions: \`find_similar_kg_nodes\`.
3. A claim lasts lease_seconds, and each of your writes on the card renews it; \`save_checkpoint\` saves your progress for whoever continues; \`release_claim\` gives the card back.
4. Ask what is unclear with \`ask_question\`, tell others with \`create_comment\`. Change fields with \`update_card\`.
5. A bug of a spec needs a test before it is in progress: \`regression_test\` with \`update_card\`. Bugs found on the way: \`create_card\` with card_type bug, expected and observed behavior.
6. Work that must wait: \`move_card\` to on_hold.
7. A commit names its card in its last line: \`Specboard: <ref>\`. \`list_changes\` shows what is linked, and its checks.
8. When it is built: \`move_card\` to validation with conclusion, completeness (100: everything planned), completeness_justification, drift (0: exactly as planned), drift_justification. Be honest: a validator checks it. Where the board asks for proof, run the tests with \`specboard prove <ref> -- <command>\`; \`get_proof\` says what is missing, \`set_scenario_tests\` which tests prove a scenario.
9. A failed validation brings the card back to in_progress, kept for you for an hour: \`list_my_inbox\` says so, \`get_card\` says why. Fix it and move it to validation again.

\`get_allowed_moves\` says what a card may do next, and all that blocks it.`,
  },
  validation: {
    title: 'Validation',
    description: 'For reviewers: how to validate specs, cards and sprints.',
    text: `- Find work: \`list_my_inbox\` shows specs and sprints to judge; \`claim_next_card\` with for: validation gives you a card that nobody else judges, \`list_ready_cards\` shows them. \`list_boards\`, \`search_records\`, \`get_my_permissions\` find the rest.
- Spec: read it with \`get_spec\`, then \`submit_spec_validation\` on an approved spec, with completeness, assertiveness and ambiguity (0-100), a justification for each, and a recommendation. Scores that miss the board's thresholds, or a reject, fail it.
- Spec evaluation: \`submit_spec_evaluation\` while it is validated; its mean score opens \`move_spec\` to in_progress. When its cards are done: \`move_spec\` to done.
- Card: read it with \`get_card\`, then \`submit_task_validation\` on a card in validation. Plain: outcome, summary, evidence. Scored: confidence, estimated_completeness, estimated_drift with justifications, judged by the thresholds. A success moves the card to done and a failure back to in_progress, kept for its worker, as the board sets it. Earlier rounds: \`list_task_validations\`. Report what you saw with \`create_comment\`.
- A success that did not move the card: \`move_card\` to done.
- Sprint: \`submit_sprint_evaluation\` on a sprint in review.

Check against the spec: the scenarios and criteria of the card, not what the executor says. Evidence is a link to what you saw: a test run, a diff (\`get_change\` has the pull request and its checks), a screenshot. Where the board asks for proof, \`get_proof\` says what there is, \`list_test_cases\` what a report's tests said. A new record replaces your earlier one; nothing is deleted. \`get_allowed_moves\` says what blocks a record.`,
  },
  testing: {
    title: 'Testing',
    description: 'For testers: scenarios, test cards and bugs.',
    text: `1. \`list_my_inbox\` shows what you hold and what waits for you; \`claim_next_card\` with \`start: true\` gives you a test card that is ready, \`list_ready_cards\` shows them, \`claim_card\` takes a certain one. \`list_boards\`, \`search_records\`, \`get_my_permissions\` find the rest. Guidelines: \`list_board_guidelines\`.
2. Read the scenarios with \`get_spec\`, the card with \`get_card\`; add what is missing with \`put_spec_items\` while the spec is open. Test cards: \`create_card\` with card_type test and \`test_scenario_ids\`, \`update_card\` later on.
3. Run each scenario and record the result: \`record_scenario_result\` with status passed or failed and evidence (test_run_id, test_file_path, output_snippet).
4. When all of a card's scenarios ran: \`move_card\` to done with conclusion, completeness, drift and both justifications.
5. A fault is a bug: \`create_card\` with card_type bug, expected_behavior, observed_behavior, and the card in which it arose.
6. \`save_checkpoint\` saves your progress, \`release_claim\` gives the card back, \`ask_question\` and \`create_comment\` reach others, \`get_allowed_moves\` says what blocks a card.`,
  },
  managing: {
    title: 'Managing',
    description: 'For sprint managers: what is open, who works on what, what comes next.',
    text: `1. \`list_my_inbox\` shows which sprints wait for a step; \`list_boards\`, \`search_records\`, \`get_my_permissions\` find the rest. \`list_ready_cards\` shows what can be started, \`get_board_columns\` how the board stands, \`list_workers\` who works on what, and who is silent or refused.
2. Divide the cards of a spec: \`get_spec\`, \`suggest_sprints\`, \`create_sprint\`, \`assign_sprint_tasks\`, \`unassign_sprint_tasks\`.
3. \`list_board_sprints\`, \`get_sprint\`, \`update_sprint\` with goal and dates; \`move_sprint\` to active, then to review when its cards are done, then to closed once it is judged.
4. Look after the cards: \`get_card\`, \`create_comment\`. \`get_allowed_moves\` says what blocks a record, \`get_sprint_analytics\` how the sprint goes.`,
  },
  knowledge: {
    title: 'Knowledge',
    description: 'Knowledge items, the knowledge graph and its questions.',
    text: `- Knowledge items belong to refinements, specs and cards and carry over when a spec is derived: \`create_spec_knowledge\`, \`create_card_knowledge\`.
- The knowledge graph of a board is built automatically from its records: decisions, criteria, constraints, technologies, lessons and how they relate.
- Before you decide: \`find_similar_kg_nodes\` finds what was decided or learned earlier; \`get_kg_supersedence\` shows what replaced it; \`list_kg_contradictions\` shows what contradicts it.
- Across boards: \`search_kg_global\`. In detail: \`query_kg_cypher\` (read only), \`get_kg_schema\` shows what you can query.
- \`boost_kg_node\` marks what proved useful.`,
  },
  errors: {
    title: 'Errors',
    description: 'How refusals look and what to do about them.',
    text: `A refused call is a result with \`isError\` and one JSON text: \`{"status","detail","next_actions"}\`.

| Status | Means | Do |
|---|---|---|
| 400 | a value conflicts with stored records | \`detail.field\` and \`detail.message\` say which |
| 403 | the key lacks \`detail.permission\`, or the connection is read-only or excludes the tool | ask for the permission; \`get_my_permissions\` |
| 404 | no such record on a board you can see | check the id; \`next_actions\` names the right get when it is another kind of record |
| 409 | a status or gate blocks the call | \`detail.error\` is the code, \`missing\`, \`details\`, \`allowed\` say what opens it |
| 413 | too large | send the file over HTTP |
| 422 | an argument is missing or wrong | each item names it in \`loc\`; \`expected\` lists the values of an enumeration |
| 429 | too many calls | wait \`retry_after_ms\` |
| 500 | the service failed, nothing was changed | tell the operator the \`request_id\` |
| 503 | busy, disk full, or not running | try again |

\`next_actions\` are calls that resolve the refusal, with the arguments known so far; add what the reason asks for. When one obstacle follows another, \`get_allowed_moves\` shows all of them.`,
  },
}
