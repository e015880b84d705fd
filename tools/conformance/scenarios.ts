/** A revision of the protocol as the suite names it. */
type Revision = '2025-11-25' | '2026-07-28'

/** One scenario of the suite and its expected outcome. */
export interface Scenario {
  readonly name: string
  readonly revision: Revision
  /** `service` is the product; `fixture` has the tools, resources and prompts that the suite calls by name. */
  readonly server: 'service' | 'fixture'
  /** Checks that fail, each with the reason; `all` means the whole scenario. */
  readonly fails: Readonly<Record<string, string>>
}

const revisions: readonly Revision[] = ['2025-11-25', '2026-07-28']

const onService: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'logging-set-level',
    'tools-list',
    'resources-list',
    'prompts-list',
    'server-sse-multiple-streams',
    'server-sse-polling',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'sep-2164-resource-not-found',
    'caching',
    'http-header-validation',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ],
}

/** Scenarios that call tools, resources and prompts of the suite's own, in both revisions. */
const onFixture = [
  'completion-complete',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
]

const onFixtureBefore = ['tools-call-with-logging', 'resources-subscribe', 'resources-unsubscribe']

/** Checks of `server-stateless` that need a tool of the suite's own. */
const needsTool = {
  'sep-2575-server-rejects-undeclared-capability': 'needs the tool test_missing_capability',
  'sep-2575-missing-capability-http-400': 'needs the tool test_missing_capability',
  'sep-2575-http-server-no-independent-requests-on-stream': 'needs the tool test_streaming_elicitation',
  'sep-2575-server-no-log-without-loglevel': 'needs the tool test_logging_tool',
}

const asksNothing = 'The server asks nothing of clients: no sampling, no elicitation, no input-required results.'
const noTasks = 'Long work answers 202 and is polled: no tasks extension.'

/** Whole scenarios that fail on purpose. */
const expectedFailures: Readonly<Record<string, string>> = {
  'tools-call-sampling': asksNothing,
  'tools-call-elicitation': asksNothing,
  'elicitation-sep1034-defaults': asksNothing,
  'elicitation-sep1330-enums': asksNothing,
  'input-required-result-basic-elicitation': asksNothing,
  'input-required-result-basic-sampling': asksNothing,
  'input-required-result-basic-list-roots': asksNothing,
  'input-required-result-request-state': asksNothing,
  'input-required-result-multiple-input-requests': asksNothing,
  'input-required-result-multi-round': asksNothing,
  'input-required-result-non-tool-request': asksNothing,
  'input-required-result-result-type': asksNothing,
  'input-required-result-tampered-state': asksNothing,
  'input-required-result-capability-check': asksNothing,
  'tasks-lifecycle': noTasks,
  'tasks-capability-negotiation': noTasks,
  'tasks-wire-fields': noTasks,
  'tasks-request-state-removal': noTasks,
  'tasks-mrtr-input': noTasks,
  'tasks-request-headers': noTasks,
  'tasks-dispatch-and-envelope': noTasks,
  'tasks-required-task-error': noTasks,
  'tasks-mrtr-composition': noTasks,
  'json-schema-2020-12': 'Lean schemas leave these keywords out on purpose.',
  'http-custom-header-server-validation': 'No tool takes arguments in headers.',
}

/** Scenarios that only the revision with a handshake has. */
const before: ReadonlySet<string> = new Set([
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
])

/** All scenarios that are run. */
export const scenarios: readonly Scenario[] = [
  ...revisions.flatMap(revision => [
    ...onService[revision].map(name => ({ name, revision, server: 'service' as const, fails: {} })),
    ...onFixture.map(name => ({ name, revision, server: 'fixture' as const, fails: {} })),
  ]),
  ...onFixtureBefore.map(name => ({ name, revision: '2025-11-25' as const, server: 'fixture' as const, fails: {} })),
  { name: 'server-stateless', revision: '2026-07-28', server: 'service', fails: needsTool },
  { name: 'server-stateless', revision: '2026-07-28', server: 'fixture', fails: {} },
  ...Object.entries(expectedFailures).map(([name, reason]) => ({
    name,
    revision: before.has(name) ? ('2025-11-25' as const) : ('2026-07-28' as const),
    server: 'fixture' as const,
    fails: { all: reason },
  })),
]
