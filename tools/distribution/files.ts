import { description } from './description.ts'
import { ClaudeMarketplace, McpbManifest, RegistryServer } from './formats.ts'

const { name, title, text, version, licence, authors, repository, mcpName, keywords, node } = description

/** The default address of a local service. */
export const defaultUrl = 'http://127.0.0.1:8100'

const url = { description: 'The address of the running service', default: defaultUrl }
const key = { description: 'The API key of the agent, which "specboard key create" prints' }

const plugin = {
  name,
  description: text,
  version,
  author: { name: authors },
  repository,
  license: licence,
  keywords: [...keywords],
}

/** The entry of the MCP registry. */
const server = RegistryServer.parse({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: mcpName,
  title,
  description: text,
  version,
  repository: { url: repository, source: 'github' },
  packages: [
    {
      registryType: 'npm',
      identifier: name,
      version,
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: 'mcp' }],
      environmentVariables: [
        { name: 'SPECBOARD_URL', ...url },
        { name: 'SPECBOARD_API_KEY', ...key, isRequired: true, isSecret: true },
      ],
    },
  ],
})

const marketplace = ClaudeMarketplace.parse({
  name,
  description: text,
  owner: { name: authors },
  plugins: [{ ...plugin, source: './integrations/claude-code' }],
})

/** The manifest of the bundle for desktop clients, which contains the package and starts `specboard mcp`. */
export const mcpbManifest = McpbManifest.parse({
  manifest_version: '0.3',
  name,
  display_name: title,
  version,
  description: text,
  author: { name: authors },
  repository: { type: 'git', url: `${repository}.git` },
  license: licence,
  keywords: [...keywords],
  server: {
    type: 'node',
    entry_point: 'dist/main.js',
    mcp_config: {
      command: 'node',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills these in
      args: ['${__dirname}/dist/main.js', 'mcp', '--toolsets', 'core'],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills these in
      env: { SPECBOARD_URL: '${user_config.url}', SPECBOARD_API_KEY: '${user_config.api_key}' },
    },
  },
  tools_generated: true,
  prompts_generated: true,
  compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node } },
  user_config: {
    url: { type: 'string', title: 'Address', ...url, required: true },
    api_key: { type: 'string', title: 'API key', ...key, sensitive: true, required: true },
  },
})

/** The description of the Helm chart. */
const chart = `apiVersion: v2
name: ${description.name}
description: ${description.text}
type: application
version: ${description.version}
appVersion: ${description.version}
kubeVersion: '>=1.27.0-0'
home: ${description.repository}
sources:
  - ${description.repository}
`

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The files that registries and clients look for in the repository, by path; `pnpm run docs` writes them. */
export const files: Readonly<Record<string, string>> = {
  'server.json': json(server),
  '.claude-plugin/marketplace.json': json(marketplace),
  'deploy/helm/Chart.yaml': chart,
}
