import { type ClientName, configurationFor } from '@specboard/mcp/calling'
import { description } from '../distribution/description.ts'
import { defaultUrl } from '../distribution/files.ts'
import { cursorLink, vsCodeLink } from '../distribution/links.ts'
import { fenced } from './markdown.ts'

interface ClientSection {
  readonly title: string
  readonly client: ClientName
  /** The file that holds the configuration. */
  readonly file: string
  readonly before: readonly string[]
}

const [repositoryOwner, repositoryName] = new URL(description.repository).pathname.slice(1).split('/')

/** The commands that install the plugin of a client, with its skills and hooks. */
const plugin = (commands: readonly string[]): string =>
  `As a plugin, with skills and hooks, for all projects:\n\n${fenced('sh norun', commands)}`

const sections: readonly ClientSection[] = [
  {
    title: 'Claude Code',
    client: 'claude-code',
    file: '`.mcp.json` in the project',
    before: [
      plugin([
        `claude plugin marketplace add ${repositoryOwner}/${repositoryName}`,
        `claude plugin install ${description.name}@${description.name}`,
      ]),
    ],
  },
  {
    title: 'Claude Desktop',
    client: 'claude-desktop',
    file: '`claude_desktop_config.json`',
    before: [
      `Open \`${description.name}-….mcpb\` of a release: it asks for the address and the key. Without it, with the package installed and a key saved by \`specboard login\`:`,
    ],
  },
  {
    title: 'VS Code',
    client: 'vscode',
    file: '`.vscode/mcp.json`',
    before: ['This address adds the service; VS Code asks for the key and keeps it:', fenced('text', [vsCodeLink()])],
  },
  {
    title: 'Cursor',
    client: 'cursor',
    file: '`.cursor/mcp.json`',
    before: [
      'As a plugin, `integrations/cursor` of the repository. This address adds only the server:',
      fenced('text', [cursorLink()]),
    ],
  },
  {
    title: 'Codex',
    client: 'codex',
    file: '`.codex/config.toml` in the project or `~/.codex/config.toml`',
    before: [
      plugin([
        `codex plugin marketplace add ${repositoryOwner}/${repositoryName}`,
        `codex plugin add ${description.name}@${description.name}`,
      ]),
      'Codex runs the hooks once you trust them in `/hooks`.',
    ],
  },
  {
    title: 'Gemini CLI',
    client: 'gemini',
    file: '`.gemini/settings.json`',
    before: [
      plugin(['gemini extensions install ./integrations/gemini --skip-settings']),
      'It is installed from a clone of the repository. Without `--skip-settings` Gemini CLI asks for address and key; leave both empty if `specboard login` has saved them.',
    ],
  },
  { title: 'Any other client', client: 'generic', file: 'its configuration', before: [] },
]

function section({ title, client, file, before }: ClientSection): string {
  const configuration = configurationFor(client, { url: defaultUrl, stdio: false })
  return [`## ${title}`, ...before, `In ${file}:`, fenced(client === 'codex' ? 'toml' : 'json', [configuration])].join(
    '\n\n',
  )
}

/** docs/clients.md: how each client is connected. */
export const clientsPage = (): string =>
  [
    '# Connecting a client',
    'In a project, `specboard init --client …` writes what this page shows, and keeps what is already in the files ([the command line](command-line.md#a-project)). `specboard mcp-config --client … --stdio` prints the form that starts `specboard mcp` instead of connecting over HTTP: it contains neither address nor key, because `specboard login` has saved both, so it also works in clients that withhold the environment. Over HTTP the key is taken from `SPECBOARD_API_KEY` unless the client stores it itself. `toolsets=core` lists the 40 tools that most work needs, and finds the others; without it all are listed.',
    'The plugin adds skills and hooks to the server ([for agents](for-agents.md#skills-and-hooks)); it contains neither address nor key.',
    ...sections.map(section),
    `## Copilot CLI\n\n${plugin([`copilot plugin marketplace add ${repositoryOwner}/${repositoryName}`, `copilot plugin install ${description.name}@${description.name}`])}`,
    `## Registries\n\nThe service is \`${description.mcpName}\` in the MCP registry ([server.json](../server.json)) and \`${description.name}\` on npm.`,
  ].join('\n\n')
