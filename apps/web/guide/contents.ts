/** A page of the guide. */
export interface GuidePage {
  /** Its Markdown, from the root of the clone. */
  readonly source: string
  /** Its address below the guide's. */
  readonly path: string
  /** What the contents call it. */
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

/** The pages of the guide in the order in which one can read them. */
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
      docs('command-line', 'Command line'),
      docs('clients', 'Connecting a client'),
      docs('client', 'Typed client'),
      docs('importers', 'Importing'),
      docs('webhooks', 'Webhooks'),
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
      docs('contract/exchange', 'Exchange'),
      docs('contract/imports', 'Imports'),
      docs('contract/trust', 'Trust'),
      docs('contract/walls', 'Walls'),
      docs('contract/crew', 'Crew'),
      docs('contract/web', 'Web'),
    ],
  },
  {
    title: 'Build it',
    pages: [
      docs('architecture', 'Architecture'),
      atRoot('CONTRIBUTING', 'Contributing'),
      docs('releasing', 'Releasing'),
      atRoot('CHANGELOG', 'Changelog'),
    ],
  },
]

/** All pages, in reading order. */
export const guidePages: readonly GuidePage[] = contents.flatMap(({ pages }) => pages)
