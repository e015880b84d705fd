import type { ErrorCode } from '../errors.ts'
import { exampleIds } from '../example-ids.ts'

const { agent, board, card, spec, sprint, validation } = exampleIds

/** The detail of a refusal besides its code: its message, and the members that the code's section promises. */
export type ErrorExample = Readonly<Record<string, unknown>> & { readonly message: string }

/** One refusal of each code (general, Errors, 409 codes). */
export const errorExamples: Readonly<Record<ErrorCode, ErrorExample>> = {
  VALIDATION_ERROR: {
    message: 'A card belongs to a spec. Send spec_id.',
    field: 'spec_id',
    details: [{ field: 'spec_id', message: 'A card belongs to a spec. Send spec_id.' }],
  },
  AMBIGUOUS_SOURCE: {
    message: 'This could be read in more than one way. Name the one that is meant: the query format.',
    fits: [
      { format: 'beads', at: '.beads/issues.jsonl', verdict: 'sure', reason: 'issues, one a line' },
      { format: 'backlog-md', at: 'backlog/', verdict: 'sure', reason: '12 tasks in Markdown' },
    ],
  },
  UNSAFE_CYPHER: {
    message: 'CREATE could write; the graph is read only. Ask with MATCH and RETURN.',
    keyword: 'CREATE',
  },
  INVALID_CYPHER: { message: 'RETURN is missing (line 1, column 18)', line: 1, column: 18 },
  UNAUTHORIZED: { message: 'A valid API key is needed: send it as "Authorization: Bearer dash_…".' },
  FORBIDDEN: {
    message: 'Permission CARDS_CREATE is missing: the preset denies it.',
    permission: 'CARDS_CREATE',
    missing: ['CARDS_CREATE'],
    denied_by: 'preset',
    board_id: board,
    held_by: [{ id: agent, name: 'Planner' }],
    presets: ['Full Control', 'Spec'],
  },
  EXCLUDED: { message: 'delete_board is excluded from this connection. Connect without the exclusion to use it.' },
  READ_ONLY: { message: 'create_card writes, and this connection only reads. Connect without readonly to use it.' },
  NOT_FOUND: { message: `No card ${card} is visible to this key.`, entity_type: 'card', entity_id: card },
  METHOD_NOT_ALLOWED: { message: 'This path takes GET, HEAD, POST.' },
  IDEMPOTENCY_KEY_REUSED: {
    message: 'This Idempotency-Key was used before with another body. Use a new key for a new request.',
  },
  ARCHIVED: {
    message: 'This spec is archived and takes no writes. Restore it with restore_record.',
    entity_type: 'spec',
    entity_id: spec,
    restore: `/api/v1/boards/${board}/restore/spec/${spec}`,
  },
  ALREADY_SHARED: {
    message: 'The agent has a share of this board. PATCH that share to change its permission.',
    share_id: exampleIds.share,
  },
  ALREADY_GRANTED: {
    message: 'The agent has access to this board. PATCH the same path to change it.',
    agent_id: exampleIds.executor,
    board_id: board,
  },
  SELF_CHANGE: {
    message: 'You cannot change your rights: ask an agent that manages you.',
    fields: ['preset_id'],
  },
  AGENT_OWNS_BOARDS: {
    message: 'The agent owns boards, which only it can delete. Deactivate it, or have it delete them first.',
    boards: [board],
  },
  PRESET_IN_USE: { message: 'Agents have this preset. Give them another one first.', agents: [exampleIds.executor] },
  SETTING_PINNED: {
    message: 'Environment variables pin page_cache_mb; change them and restart.',
    keys: ['page_cache_mb'],
  },
  INVALID_TRANSITION: {
    message: 'This spec is draft and cannot move to done; it can move to review, cancelled.',
    from: 'draft',
    to: 'done',
    allowed: ['review', 'cancelled'],
  },
  IDEATION_LOCKED: {
    message:
      'This ideation is review; it can be edited only in draft. Move it to draft or approved or cancelled first.',
    status: 'review',
    allowed: ['draft', 'approved', 'cancelled'],
  },
  REFINEMENT_LOCKED: {
    message:
      'This refinement is review; it can be edited only in draft. Move it to draft or approved or cancelled first.',
    status: 'review',
    allowed: ['draft', 'approved', 'cancelled'],
  },
  EVALUATION_NOT_OPEN: {
    message: 'Only an ideation in evaluating can be evaluated; this one is approved. Move it there first.',
    status: 'approved',
  },
  IDEATION_NOT_DONE: {
    message: 'This ideation is approved; it must be done before anything is derived from it.',
    status: 'approved',
  },
  REFINEMENT_NOT_DONE: {
    message: 'This refinement is approved; it must be done before anything is derived from it.',
    status: 'approved',
  },
  REFINEMENT_REQUIRED: {
    message: 'A large ideation needs refinements, from which specs are derived. Create a refinement of it first.',
    complexity: 'large',
    missing: ['refinement'],
  },
  SCOPE_REQUIRED: {
    message: 'Say what is in scope before the review: update in_scope with at least one entry.',
    missing: ['in_scope'],
  },
  ITEMS_IN_USE: {
    message:
      'These are in use and would be removed: test_scenarios t1 (cards, result). Keep them, or send allow_removal: true.',
    items: [{ list: 'test_scenarios', id: 't1', title: 'The basket survives', uses: ['cards', 'result'] }],
  },
  SPEC_LOCKED: {
    message:
      'This spec passed its validation and is locked. Move the spec to draft or approved first; that drops its validation.',
    spec_id: spec,
    spec_status: 'validated',
    current_validation_id: validation,
    details: 'Move the spec to draft or approved first; that drops its validation.',
    fields: ['description'],
  },
  SPEC_VALIDATION_REQUIRED: {
    message:
      'This board validates its specs: submit a validation (submit_spec_validation); a successful one moves the spec.',
    missing: ['spec_validation'],
  },
  SPEC_NOT_APPROVED: {
    message: 'Only an approved spec can be validated; this one is draft. Move it to approved first.',
    status: 'draft',
  },
  SPEC_NOT_VALIDATED: {
    message: 'Only a validated spec can be evaluated; this one is approved. Validate it first.',
    status: 'approved',
  },
  SPEC_NOT_READY: {
    message: 'The spec is draft; it must be one of approved, validated, in_progress, done.',
    spec_id: spec,
    spec_status: 'draft',
    allowed: ['approved', 'validated', 'in_progress', 'done'],
  },
  COVERAGE_REQUIRED: {
    message:
      '1 not covered. decisions: Keep baskets on the server. Link a card of this spec to the decision (link_task_to_item), or set skip_decisions_coverage.',
    gate: 'decisions',
    missing: [
      {
        gate: 'decisions',
        id: 'decision-1',
        label: 'Keep baskets on the server',
        action: 'Link a card of this spec to the decision (link_task_to_item), or set skip_decisions_coverage.',
      },
    ],
  },
  EVALUATION_REQUIRED: { message: 'No evaluation approves it yet. Submit one that does (submit_spec_evaluation).' },
  EVALUATION_REJECTED: {
    message:
      'Rejected by Reviewer. A rejection is replaced when its evaluator evaluates again (submit_spec_evaluation).',
    evaluators: [
      { evaluation_id: exampleIds.evaluation, evaluator_id: agent, evaluator_name: 'Reviewer', overall_score: 40 },
    ],
  },
  EVALUATION_BELOW_THRESHOLD: {
    message:
      'The approving evaluations score 65.5 on average; 70 is needed. Submit a better one (submit_spec_evaluation).',
    average: 65.5,
    threshold: 70,
  },
  CRITERIA_UNCOVERED: {
    message:
      'No test scenario names these acceptance criteria: The basket survives signing in. Add them to linked_criteria of a scenario.',
    missing: [{ index: 0, text: 'The basket survives signing in' }],
  },
  SPRINTS_OPEN: {
    message: 'Sprints are open: Sprint 1: merge baskets (active). Close or cancel them.',
    missing: [{ id: sprint, title: 'Sprint 1: merge baskets', status: 'active' }],
  },
  TASKS_OPEN: {
    message: 'Cards are open: Merge the guest basket into the account (in_progress). Finish or cancel them.',
    missing: [
      { id: card, title: 'Merge the guest basket into the account', status: 'in_progress', card_type: 'normal' },
    ],
  },
  SCENARIOS_OPEN: {
    message:
      'Test scenarios have not been run, or failed: Guest signs in (ready). Run them and record each with record_scenario_result.',
    missing: [{ scenario_id: 'scenario-1', title: 'Guest signs in', status: 'ready', linked_task_ids: [card] }],
  },
  REVIEWER_NOT_SEPARATE: {
    message:
      'You took part in this work (moved, concluded); another agent must review it. list_board_agents lists them.',
    agents: [agent],
    roles: { [agent]: ['moved', 'concluded'] },
    board_id: board,
  },
  NOT_CONFIRMED: {
    message:
      'The person at the client did not confirm delete_board, and nothing was changed. Ask them before you call it again.',
  },
  PERSON_REQUIRED: {
    message:
      'Only a person who signed in as themself, without a key (Ada) may do this: the move of this card to done. It is in their inbox. Nothing is left for you to do about it.',
    needs: 'present',
    gate: 'approval_done',
    url: null,
    persons: [{ id: agent, name: 'Ada' }],
    asked: true,
  },
  NO_CLOSED_SPRINT: { message: 'Every sprint of the spec was cancelled. Close at least one.' },
  TEST_EVIDENCE_REQUIRED: {
    message:
      "Test scenarios lack the evidence of their status: scenario-1 (automated) needs test_file_path, test_function. Store it in the scenario's evidence.",
    missing: [{ scenario_id: 'scenario-1', status: 'automated', required: ['test_file_path', 'test_function'] }],
  },
  SCENARIO_LIMIT: {
    message:
      'A card of this board can be in at most 3 test scenarios; this one would be in 4. Split it, or raise max_scenarios_per_card of the board.',
    card_id: card,
    limit: 3,
    count: 4,
  },
  CARD_NOT_IN_SPEC: {
    message: 'The card is not on this spec. Link it with link_card_to_spec first.',
    card_id: card,
    spec_id: null,
  },
  CLAIMED: {
    message: 'Builder works on this card until 2026-03-02T09:44:27.318Z. Take another one: claim_next_card finds it.',
    claim: {
      card_id: card,
      card_ref: 'WS-14',
      agent_id: exampleIds.executor,
      agent_name: 'Builder',
      stage: 'work',
      note: null,
      claimed_at: '2026-03-02T09:14:27.318Z',
      renewed_at: '2026-03-02T09:14:27.318Z',
      expires_at: '2026-03-02T09:44:27.318Z',
    },
    board_id: board,
  },
  CHECK_FAILED: {
    message: 'The check failed, so the card is not done. Fix it, check again, and send the new result.',
  },
  NOT_CLAIMED: {
    message: 'You have no live claim on this card. Claim it first with claim_card.',
  },
  ATTEMPTS_USED_UP: {
    message:
      'Work on this card has failed 3 times, and no attempt is left. Somebody who may change the board must call allow_attempts, or cancel or promote the card.',
    attempts: { used: 3, limit: 3, failed: 2, lost: 1 },
  },
  CHANGED_MEANWHILE: {
    message: 'What this card asks for was changed after its report. Read the changes, then send seen_changes: true.',
    changes: [
      {
        field: 'test_scenarios',
        item: 't1',
        by: '0199c3a0-0000-7000-8000-000000000003',
        at: '2026-03-02T09:14:27.318Z',
      },
    ],
  },
  VALIDATION_REQUIRED: {
    message:
      'This card needs a successful task validation. Move it to validation first, then submit one with submit_task_validation.',
    missing: ['task_validation'],
    required_thresholds: {
      required: true,
      min_confidence: 70,
      min_completeness: 80,
      max_drift: 50,
      resolved_from: 'board',
    },
  },
  CARD_NOT_IN_VALIDATION: {
    message: 'Only a card in validation can be validated; this one is in_progress. Move it to validation first.',
    status: 'in_progress',
  },
  VALIDATION_NOT_APPLICABLE: {
    message: 'A test card takes no validation. Move it to done once its tests have run.',
  },
  SPRINT_REQUIRED: {
    message: 'The spec has sprints. Assign this card to one of them first.',
    spec_id: spec,
    details: [{ id: sprint, title: 'Sprint 1: merge baskets', status: 'active' }],
  },
  SPRINT_NOT_ACTIVE: {
    message: 'The sprint of this card is draft. Its cards can move while it is active.',
    sprint_id: sprint,
    sprint_status: 'draft',
  },
  SCENARIOS_NOT_RUN: {
    message: 'Test scenarios of this card have not been run yet. Run them and record each with record_scenario_result.',
    spec_id: spec,
    details: [{ scenario_id: 'scenario-1', title: 'Both baskets hold the same book', status: 'ready' }],
  },
  TEST_TASK_REQUIRED: {
    message:
      'A bug needs a test before work on it starts. Create a test card after the bug and link it with link_test_task.',
    missing: ['linked_test_task_ids'],
  },
  TEST_TASK_INVALID: {
    message: `Test tasks of this bug do not count: ${exampleIds.testCard} has no test scenario. Unlink or fix them.`,
    details: [{ test_task_id: exampleIds.testCard, problem: 'no_scenario' }],
  },
  CONCLUSION_REQUIRED: {
    message: 'The move needs a complete report. Send conclusion, completeness with it.',
    missing: ['conclusion', 'completeness'],
  },
  DEPENDENCIES_NOT_MET: {
    message: 'This card waits for cards that are neither done nor cancelled.',
    details: [{ id: exampleIds.awaitedCard, title: 'Give baskets an owner', status: 'in_progress' }],
  },
  PROOF_REQUIRED: {
    message:
      'This needs evidence of tier observed or above. Missing: SHOP-3/t1 (tier). Run specboard prove SHOP-3/t1 -- <command that tests it>.',
    required_tier: 'observed',
    fresh: false,
    missing: [
      {
        kind: 'scenario',
        id: 't1',
        ref: 'SHOP-3/t1',
        title: 'Guest signs in',
        ok: false,
        problem: 'tier',
        required_tier: 'observed',
        results: [],
      },
    ],
    missing_total: 1,
    ways: [
      {
        how: 'command',
        text: 'Run specboard prove SHOP-3/t1 -- <command that tests it>',
        operation: null,
        arguments: null,
      },
    ],
  },
  CHANGE_NOT_MERGED: {
    message: 'The work on this card is not merged: see missing, and ways to go on.',
    missing: [{ change_id: null, kind: null, title: null, state: null, url: null, reason: 'no_change' }],
    ways: [
      {
        how: 'operation',
        text: 'Name the card in the commit message (Specboard: and its reference), or link the change with the work.',
        operation: 'link_change',
        arguments: { entity_type: 'card', entity_id: card },
      },
    ],
  },
  COLUMN_FULL: {
    message: 'The column in_progress has 3 cards, and this board allows at most 3. Finish one or move it on first.',
    board_id: exampleIds.board,
    status: 'in_progress',
    limit: 3,
    count: 3,
  },
  PATHS_OVERLAP: {
    message:
      '"Builder" works on the same files as SHO-14, such as src/cart/sum.ts. Take other work, or ask on that card.',
    overlaps: [
      {
        kind: 'card',
        ref: 'SHO-14',
        title: 'Sum with tax',
        agent_id: agent,
        agent_name: 'Builder',
        session: null,
        stage: 'work',
        until: '2026-01-01T12:30:00.000Z',
        mine: ['src/cart/**'],
        theirs: ['src/cart/sum.ts'],
        example: 'src/cart/sum.ts',
        since: '2026-01-01T12:00:00.000Z',
      },
    ],
  },
  CHECKS_NOT_GREEN: {
    message: 'Checks of the work on this card are not green: see missing, and ways to go on.',
    missing: [
      { sha: '1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d', name: 'test', state: 'failure', url: null, reason: 'failing' },
    ],
    ways: [{ how: 'forge', text: 'Fix what test found, and push.', operation: null, arguments: null }],
  },
  DEPENDENCY_CYCLE: {
    message: `The cards would wait for each other: ${card} → ${exampleIds.awaitedCard} → ${card}.`,
    path: [card, exampleIds.awaitedCard, card],
  },
  DEPENDENCY_EXISTS: { message: 'The card already waits for that one.' },
  SPRINT_EMPTY: { message: 'The sprint has no cards. Add some with assign_sprint_tasks.' },
  INVALID_STATE: { message: 'Only a sprint in review can be evaluated; this one is active.', status: 'active' },
  ALREADY_LINKED: {
    message: 'The guideline is already linked. Change its priority with update_board_guideline.',
  },
  INLINE_GUIDELINE: { message: 'An inline guideline cannot be unlinked. Delete it with delete_guideline.' },
  LINEAGE_ROOT_UNRESOLVED: { message: 'The card has no spec, so it has no lineage. Link it to a spec first.' },
  ID_TAKEN: {
    message: `Records of this archive exist elsewhere here (${card}, …). Import it with keep_ids=false to get copies.`,
    ids: [card],
  },
  INVITATION_GONE: {
    message: 'This invitation was used, was revoked or has expired. Ask whoever invited you for another one.',
  },
  HANDLE_TAKEN: {
    message: 'Somebody else has the handle ada. Choose another, or leave it out.',
    handle: 'ada',
  },
  LAST_SIGN_IN: {
    message:
      'You would no longer have a way to sign in. Link another account, or create a key, before you unlink this one.',
    identity_id: '019cadde-a4bc-791e-b65f-e9183bcd65a6',
  },
  REPOSITORY_EXISTS: {
    message: 'The board has a repository with this name and path_prefix. Use it, or give another name.',
    repository_id: '019cadde-a4bc-791e-b65f-e9183bcd65a4',
  },
  REPORT_EXISTS: {
    message:
      'Another report is stored for this run under the name "tests" and attempt 1. Give each job its own name, and each retry its own attempt.',
    report_id: '019cadde-a4bc-791e-b65f-e9183bcd65a5',
  },
  KEY_TAKEN: { message: 'Another board has the key WS. Choose another key, or leave it out.', key: 'WS' },
  NAME_TAKEN: { message: 'Another agent saved a search as "Cards that wait" on this board. Choose another name.' },
  LIMIT_REACHED: {
    message: 'A board has at most 200 saved searches. Overwrite one of your own by its name.',
    limit: 200,
    what: 'saved_searches',
  },
  ENTRY_IN_PROGRESS: { message: 'This entry is being worked on. Wait until it is done or fails.' },
  ALREADY_UNDONE: { message: 'This session was undone at 2026-03-04T15:02:11.906Z.' },
  UNDO_BLOCKED: {
    message: 'Later sessions build on this one. Undo them first, starting with the latest, or use force=true.',
    blocking_sessions: [exampleIds.session],
  },
  TICK_ALREADY_RUNNING: { message: 'A tick runs already. Wait until it is done.' },
  MIGRATION_RUNNING: { message: 'A migration runs already. Wait until it is done.' },
  FILE_MISSING: {
    message:
      'The file of this attachment (basket.png) is missing on the server. Ask its operator to restore it, or delete the attachment and upload the file again.',
    attachment_id: exampleIds.attachment,
  },
  INVALID_CURSOR: { message: 'This cursor cannot be read. Begin again without one.' },
  PRECONDITION_FAILED: {
    message: 'The record has changed since it was read. Read it again and repeat the change on its current state.',
    etag: '"7-8f14e45fceea167a3d2b91c05f1e9a3c6d0b4e2774c1"',
    rev: 7,
    expected_rev: 6,
    changed: [
      {
        field: 'title',
        before: 'Keep the basket',
        current: 'Keep the basket after signing out',
        actor_name: 'Reviewer',
        at: '2026-03-04T15:02:11.906Z',
      },
    ],
  },
  PAYLOAD_TOO_LARGE: { message: 'A JSON body may be at most 8 MiB.', max_bytes: 8_388_608 },
  UNSUPPORTED_MEDIA_TYPE: { message: 'Send the body as application/json.' },
  RATE_LIMITED: { message: 'This key calls too often. Wait and call again.', retry_after_ms: 1500 },
  INTERNAL_ERROR: {
    message: 'The service failed; nothing was changed. Tell the operator the request id 5f1e9a3c.',
    request_id: '5f1e9a3c',
  },
  BUSY: { message: 'Too many writes are waiting. Try again in a second.' },
  STORAGE_FULL: { message: 'The disk is full: nothing was stored. Make room and send the request again.' },
  STORAGE_LOST: {
    message:
      'The storage was lost: specboard.db was removed while the service was running. Nothing was stored, and the service will stop soon. Tell its operator.',
  },
  CYPHER_TIMEOUT: {
    message: 'The query took longer than 5000 ms. Narrow it with labels, properties, fewer hops or a LIMIT.',
    timeout_ms: 5000,
  },
  QUERY_TOO_LARGE: {
    message:
      'The query needs too much memory, or its result is too large. Narrow it with labels, properties or a LIMIT, and return fewer columns.',
  },
  TIMEOUT: { message: 'The call took longer than 60 s and was rolled back. Ask for less at once.' },
  ISSUER_UNREACHABLE: {
    message: 'The issuer of the token did not answer with its keys. Try again in a while.',
    retry_after: 30,
  },
  SERVER_UNREACHABLE: {
    message: 'No Specboard answers at http://127.0.0.1:8100. Start it with "specboard serve", then call again.',
  },
}
