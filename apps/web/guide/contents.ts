/** A page of the guide. */
export interface GuidePage {
  /** The path of its Markdown, relative to the root of the clone. */
  readonly source: string
  /** Its address, relative to that of the guide. */
  readonly path: string
  /** Its title in the table of contents. */
  readonly title: string
}

export interface GuideSection {
  readonly title: string
  readonly pages: readonly GuidePage[]
}

/** A page of `docs`, at the address of the same name. */
const docs = (name: string, title: string): GuidePage => ({
  source: `docs/${name}.md`,
  path: `${name.replace(/README$/, 'index')}.html`,
  title,
})

/** A page at the root of the clone. */
const atRoot = (name: string, title: string): GuidePage => ({
  source: `${name}.md`,
  path: `${name.toLowerCase()}.html`,
  title,
})

/** The pages of the guide, in a sensible reading order. */
export const contents: readonly GuideSection[] = [
  {
    title: 'Begin',
    pages: [
      { ...docs('start', 'Start'), path: 'index.html' },
      docs('concepts', 'Concepts'),
      docs('for-agents', 'For agents'),
      docs('for-people', 'For people'),
    ],
  },
  {
    title: 'Work with it',
    pages: [
      docs('workflow', 'Workflow'),
      docs('web', 'Web board'),
      docs('sign-in', 'Signing in with a provider'),
      docs('command-line', 'Command line'),
      docs('clients', 'Connecting a client'),
      docs('client', 'Typed client'),
      docs('importers', 'Importing'),
      docs('webhooks', 'Webhooks'),
      docs('forges', 'Git and forges'),
      docs('analytics', 'Analytics'),
    ],
  },
  {
    title: 'Reference',
    pages: [docs('operations', 'Operations'), docs('permissions', 'Permissions')],
  },
  {
    title: 'Run it',
    pages: [
      docs('deployment', 'Deployment'),
      docs('settings', 'Settings'),
      docs('monitoring', 'Monitoring'),
      docs('reliability', 'Reliability'),
      docs('security', 'Security'),
      { ...atRoot('SECURITY', 'Reporting a hole'), path: 'security-policy.html' },
      docs('performance', 'Performance'),
      docs('archive-format', 'Archive format'),
    ],
  },
  {
    title: 'The contract',
    pages: [
      docs('contract/README', 'How it is read'),
      docs('contract/interface', 'Interface'),
      docs('contract/general', 'General'),
      docs('contract/access', 'Access'),
      docs('contract/ideation', 'Ideation'),
      docs('contract/specs', 'Specs'),
      docs('contract/planning', 'Planning'),
      docs('contract/cards', 'Cards'),
      docs('contract/work', 'Work'),
      docs('contract/board', 'Board'),
      docs('contract/insight', 'Insight'),
      docs('contract/knowledge-graph', 'Knowledge graph'),
      docs('contract/mcp', 'MCP'),
      docs('contract/git', 'Git'),
      docs('contract/exchange', 'Exchange'),
      docs('contract/imports', 'Imports'),
      docs('contract/trust', 'Trust'),
      docs('contract/walls', 'Walls'),
      docs('contract/people', 'People'),
      docs('contract/crew', 'Crew'),
      docs('contract/evidence', 'Evidence'),
      docs('contract/harness', 'Harness'),
      docs('contract/web', 'Web'),
    ],
  },
  {
    title: 'Build it',
    pages: [
      docs('architecture', 'Architecture'),
      atRoot('CONTRIBUTING', 'Contributing'),
      atRoot('AGENTS', 'For coding agents'),
      docs('dependencies', 'Dependencies'),
      docs('releasing', 'Releasing'),
      atRoot('CHANGELOG', 'Changelog'),
    ],
  },
  {
    title: 'Decisions',
    pages: [
      docs('decisions/README', 'All decisions'),
      docs('decisions/001-operations-as-data', '001 Operations as data'),
      docs('decisions/002-http-on-hono', '002 HTTP'),
      docs('decisions/003-web-board-as-a-client', '003 Web board'),
      docs('decisions/004-guide-built-with-vite', '004 Guide'),
      docs('decisions/005-one-write-path', '005 Write path'),
      docs('decisions/006-whole-board-reads-in-threads', '006 Whole-board reads'),
      docs('decisions/007-queries-compiled-once', '007 Queries'),
      docs('decisions/008-list-counts', '008 List counts'),
      docs('decisions/009-lost-files-and-logs', '009 Lost files and logs'),
      docs('decisions/010-postgresql-as-second-engine', '010 PostgreSQL'),
      docs('decisions/011-attachments-in-three-places', '011 Attachments'),
      docs('decisions/012-package-and-start', '012 Package and start'),
      docs('decisions/013-gates-and-next-actions', '013 Gates and next actions'),
      docs('decisions/014-ready-cards-in-memory', '014 Ready cards'),
      docs('decisions/015-one-event-log', '015 Event log'),
      docs('decisions/016-webhooks', '016 Webhooks'),
      docs('decisions/017-imports', '017 Imports'),
      docs('decisions/018-backups', '018 Backups'),
      docs('decisions/019-knowledge-graph', '019 Knowledge graph'),
      docs('decisions/020-cypher-in-processes', '020 Cypher'),
      docs('decisions/021-search', '021 Search'),
      docs('decisions/022-mcp-two-generations', '022 MCP generations'),
      docs('decisions/023-preconditions-and-replays', '023 Preconditions'),
      docs('decisions/024-tables-are-data', '024 Tables'),
      docs('decisions/025-small-files', '025 Small files'),
      docs('decisions/026-diagrams-by-their-source', '026 Diagrams'),
    ],
  },
]

/** All pages, in reading order. */
export const guidePages: readonly GuidePage[] = contents.flatMap(({ pages }) => pages)
